#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that have a sanitizer's runtime in them: their calls are recorded, those that
# the sanitizer intercepts too, and it finds in these what it finds without us.

# shellcheck disable=SC2086 # words
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

cat >prog.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int shared;
static void *run(void *text)
{
	shared++;
	return text;
}
int main(int argc, char **argv)
{
	char *text = malloc(8), more[8];
	int fd = open("data", O_CREAT | O_TRUNC | O_RDWR, 0666);
	FILE *file = fopen("more", "w");
	pthread_t thread;

	(void)argv;
	memset(text, 'x', 8);
	if (write(fd, text, 8) != 8 || pread(fd, more, 8, 0) != 8 || close(fd))
		return 1;
	if (!file || fputs("hello\n", file) < 0 || fclose(file))
		return 1;
#ifdef WRONG
	if (argc == 1) {
		/* beyond its end, not initialised, racing */
		pthread_create(&thread, NULL, run, NULL);
		usleep(20000);
		shared++;
		pthread_join(thread, NULL);
		fd = open("data", O_WRONLY);
		text = realloc(text, 16);
		fd = write(fd, text + 8, 9) < 0;
	}
#else
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
#endif
	printf("%d %.3s\n", argc, more);
	free(text);
	return 0;
}
C
# one that has a write of its own, which nobody can replace
cat >own.c <<'C'
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static int writes;
ssize_t write(int fd, const void *text, size_t n)
{
	writes++;
	return syscall(SYS_write, fd, text, n);
}
int main(void)
{
	return write(1, "own\n", 4) != 4 || writes != 1;
}
C

run() # PROGRAM: leaves PROGRAM.out, and what the sanitizer found
{
	rm -rf logs in && mkdir logs in
	(cd in && IOTRACE_DIR=$T/logs timeout 600 "$T/$1" >"../$1.out" 2>err)
	echo "status $?" >>$1.out
	sed -n 's/^SUMMARY: \([A-Za-z]*: [-a-z]*\).*/\1/p' in/err | sort -u >>$1.out
}

check() # COMPILER OPTION...
{
	compiler=$1
	shift
	tap_about="$compiler $*: "
	if ! $compiler "$@" prog.c -o plain >said 2>&1 || [ "$(./plain 2>&1)" != '1 xxx' ]; then
		skip 'calls' 'such programs do not run here'
		return
	fi
	for wrong in '' -DWRONG; do
		$compiler -g "$@" $wrong prog.c -o plain 2>/dev/null
		run plain
		IOCC_CC=$compiler "$IOCC" -g "$@" $wrong prog.c -o traced 2>said
		is "links $wrong" $? 0 || diag_file said
		is 'nothing is said' "$(grep iocc said)" ''
		run traced
		same "does the same $wrong" traced.out plain.out
		[ -z "$wrong" ] || ok 'the sanitizer reports' grep -q Sanitizer traced.out
		"$IOTRACE_CAT" --format=json logs | sed -n 's/.*"call":"\(open\|write\|pread\|close\|fputs\|fwrite\|fclose\)".*"path":"[^"]*\/\(data\|more\)".*"ret":\(-*[0-9]*\).*/\1 \2/p' |
			sed 's/fwrite/fputs/; 1,7!d' | sort >got
		printf '%s\n' 'close data' 'fclose more' 'fputs more' 'open data' 'pread data' 'write data' 'write more' >want
		same "its calls $wrong" got want
	done
	IOCC_CC=$compiler "$IOCC" "$@" own.c -o own 2>said
	is 'a write of its own' $? 0 || diag_file said
	like 'is what the runtime is left in front for, as is said' said '^iocc: not instrumented: calls that the [a-z]* sanitizer'
	run own
	is 'is called' "$(sed -n 1,2p own.out | tr '\n' ' ')" 'own status 0 '
}

check gcc -fsanitize=address -static-libasan
check gcc -fsanitize=thread -static-libtsan
check gcc -O2 -flto -fsanitize=address,undefined -static-libasan -static-libubsan
if command -v clang >/dev/null; then
	for linker in bfd lld; do
		for kind in address thread memory; do
			check clang -fuse-ld=$linker -fsanitize=$kind
		done
	done
else
	skip clang 'not installed'
fi
tap_about=
# an error of the program's is the compiler's to tell
echo 'int missing(void); int main(void) { return missing(); }' >broken.c
"$IOCC" -fsanitize=address -static-libasan broken.c -o broken 2>said
is 'an error stays one' $? 1
like 'and is told' said 'undefined reference to .missing'
is 'alone' "$(grep -c iocc: said)" 0
done_testing
