#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Static links with every compiler and linker, with and without LTO: the program
# does what it does without iocc, and its log has every call that reached the
# kernel, whatever linked it.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
# Descriptors of make and of automake's driver would shift the program's own.
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

cat >util.c <<'C'
#include <stdio.h>

void say(FILE *out, const char *what, int n)
{
	fprintf(out, "plain\n");
	fprintf(out, "%s", what);
	fprintf(out, "%d%c", n, '\n');
	fflush(out);
}
C
cat >main.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void say(FILE *out, const char *what, int n);

static void *thread(void *arg)
{
	if (write(*(int *)arg, "thread\n", 7) != 7)
		abort();
	return arg;
}

int main(void)
{
	char text[64];
	pthread_t id;
	FILE *file;
	int fd = open("data", O_CREAT | O_TRUNC | O_RDWR, 0666);

	if (fd < 0 || pthread_create(&id, NULL, thread, &fd) || pthread_join(id, NULL))
		return 1;
	if (pwrite(fd, "at 20", 5, 20) != 5 || pread(fd, text, 7, 0) != 7)
		return 1;
	printf("%.*s", 7, text);
	printf("hello\n");
	printf("%s\n", "hello");
	putchar('\n');
	fputs("puts\n", stdout);
	fwrite("fwrite\n", 7, 1, stdout);
	say(stdout, "said", fd);
	file = fopen("more", "w+");
	if (!file)
		return 1;
	say(file, "more", 1);
	rewind(file);
	while (fgets(text, sizeof(text), file))
		printf("%s", text);
	fclose(file);
	close(fd);
	exit(3);
}
C
cat >main.cc <<'C'
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

extern "C" void say(FILE *out, const char *what, int n);

int main()
{
	std::string line;
	std::ofstream out("more");

	out << "one\ntwo " << 2 << std::endl;
	out.close();
	std::ifstream in("more");
	while (std::getline(in, line))
		std::cout << line << std::endl;
	std::thread other([] { std::printf("thread\n"); });
	other.join();
	try {
		throw std::runtime_error("caught");
	} catch (std::exception &e) {
		std::puts(e.what());
	}
	say(stdout, "said", 1);
	return 3;
}
C

# What they ask of the kernel, with the results.
cat >calls.c <<'C'
openat 3
write 7
pwrite64 5
pread64 7
newfstatat 0
write 44
openat 4
newfstatat 0
write 12
lseek 0
read 12
read 0
close 0
close 0
write 12
C
cat >calls.c++ <<'C'
openat 3
write 10
close 0
openat 3
read 10
newfstatat 0
write 4
write 6
read 0
write 26
close 0
C

# calls LOG...: what reached the kernel, a line a call, but for what start-up and
# threads need
calls()
{
	"$IOTRACE_CAT" --format=json "$@" |
		sed -n 's/.*"syscall":"\([a-z0-9_]*\)".*"ret":\(-\{0,1\}[0-9]*\).*/\1 \2/p' |
		grep -vE '^(readlink|mmap|munmap|mremap|mprotect|madvise|brk|clone|clone3) '
}

# plainly PROGRAM, traced PROGRAM: run it in a directory of its own
plainly()
{
	rm -rf run && mkdir run
	(cd run && "$T/$1" >../out.plain 2>../err.plain; echo $? >../status.plain)
	cat run/* >files.plain 2>/dev/null
}

traced()
{
	rm -rf run logs && mkdir run logs
	(cd run && IOTRACE_DIR="$T/logs" "$T/$1" >../out.iocc 2>../err.iocc; echo $? >../status.iocc)
	cat run/* >files.iocc 2>/dev/null
}

# shellcheck disable=SC2317 # called by ok
both() # the two runs left the same
{
	for both in out err status files; do
		cmp "$both.plain" "$both.iocc" || return 1
	done
}

# compare DESCRIPTION CALLS LANGUAGE OPTIONS...: builds with and without iocc, runs
# both, and compares the calls in the log with those in the file CALLS.
compare()
{
	about=$1 reference=$2 language=$3
	shift 3
	rm -f prog.plain prog.iocc
	case $language in
	c++) wrapper=$IOCXX real=$IOCXX_CXX ;;
	*) wrapper=$IOCC real=$IOCC_CC ;;
	esac
	$real "$@" -o prog.plain >said.plain 2>&1
	plain_status=$?
	"$wrapper" "$@" -o prog.iocc >said.iocc 2>&1
	is "$about: status" $? $plain_status
	if [ $plain_status != 0 ]; then
		pass "$about: the linker refuses this with and without iocc"
		return
	fi
	# some linkers name the object in these, and it is our wrapper's then
	sed -i '/in statically linked applications requires/d' said.plain said.iocc
	same "$about: diagnostics" said.iocc said.plain
	plainly prog.plain
	traced prog.iocc
	ok "$about: does the same" both
	calls logs >got
	[ "$reference" != calls.openmp ] || sed -i 's/^read .*/read N/' got
	same "$about: calls" got "$reference"
	"$IOTRACE_CAT" --format=json logs >json
	like "$about: a write within another call" json '"call":"write".*"depth":[1-9]'
}

find_linkers

# each compiler, linker and language once; TEST_LONG=1: with and without -flto, and all
# options with each linker
for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		skip "$compiler" "not installed"
		continue
	fi
	export IOCC_CC=$compiler IOCXX_CXX=g++
	[ $compiler = gcc ] || IOCXX_CXX=clang++
	for linker in $linkers; do
		for lto in -O2 -flto; do
			set -- -O2 $lto -static -fuse-ld="$linker"
			if [ "${TEST_LONG:-0}" = 1 ] || [ $lto = -flto ]; then
				compare "$compiler $linker $lto" calls.c c "$@" main.c util.c
			fi
			if [ "${TEST_LONG:-0}" = 1 ] || [ $lto = -O2 ]; then
				$compiler -O2 $lto -c util.c -o util.o
				compare "$compiler $linker $lto c++" calls.c++ c++ "$@" main.cc util.o
			fi
		done
	done
done

# What is linked after the user's arguments, and around them.
export IOCC_CC=gcc IOCXX_CXX=g++
some=$linkers
[ "${TEST_LONG:-0}" = 1 ] || some=$(echo " $linkers " | grep -o -E ' (bfd|lld)' | tr '\n' ' ')
for linker in $some; do
	set -- -static -fuse-ld="$linker" main.c util.c
	compare "$linker -static-pie" calls.c c -fPIE -static-pie -fuse-ld="$linker" main.c util.c
	compare "$linker -fsanitize=undefined" calls.c c "$@" -fsanitize=undefined
	compare "$linker -pthread" calls.c c "$@" -pthread
	compare "$linker -L of libc" calls.c c -L"$(dirname "$IOT_LIBC_A")" "$@" -lc -lm
	compare "$linker -Wl,--start-group" calls.c c "$@" -Wl,--start-group -lm -lc -Wl,--end-group
	compare "$linker -Wl,--gc-sections" calls.c c -ffunction-sections "$@" -Wl,--gc-sections
	compare "$linker -nodefaultlibs" calls.c c "$@" -nodefaultlibs \
		-lgcc -lgcc_eh -lc -lgcc -lgcc_eh -lc
	printf '%s\n' "$@" >response
	compare "$linker response file" calls.c c @response
done
unset IOCC_CC IOCXX_CXX

# libgcov, which the driver adds behind everything, does I/O of its own.
cat >small.c <<'C'
#include <stdio.h>
int main(void) { return printf("hello\n") != 6; }
C
cat >openmp.c <<'C'
#include <stdio.h>
int main(void)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
	printf("%d\n", sum);
	return 0;
}
C
# libgomp looks into sysfs for the number of processors.
printf '%s\n' 'openat 3' 'read N' 'close 0' 'newfstatat 0' 'write 5' >calls.openmp
export IOCC_CC=gcc
for linker in $some; do
	compare "$linker -fopenmp" calls.openmp c -static -fopenmp -fuse-ld="$linker" openmp.c
	"$IOCC" -static --coverage -fuse-ld="$linker" small.c -o small
	traced small
	calls logs >got
	is "$linker --coverage: runs" "$(cat out.iocc status.iocc)" "hello${tap_nl:=
}0"
	like "$linker --coverage: libgcov's file" got '^openat [0-9]+$'
	rm -f ./*.gcda ./*.gcno
done

# A program's own function of a wrapped name stays the one that is called.
cat >own.c <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int calls;

int fputs(const char *text, FILE *out)
{
	calls++;
	return write(fileno(out), text, strlen(text)) < 0 ? EOF : 0;
}
C
cat >own-main.c <<'C'
#include <stdio.h>

extern int calls;

int main(void)
{
	printf("hello\n");
	fflush(stdout);
	fputs("own\n", stdout);
	fputs("own\n", stdout);
	return calls;
}
C
for linker in $linkers; do
	$CC -static -fuse-ld="$linker" own-main.c own.c -o own.plain
	"$IOCC" -static -fuse-ld="$linker" own-main.c own.c -o own.iocc
	plainly own.plain
	traced own.iocc
	ok "$linker: a function of the program's own" both
done

# Nor do libc's own calls come to it: its write() counts the program's alone.
cat >own-write.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls;

ssize_t write(int fd, const void *buf, size_t count)
{
	calls++;
	return syscall(SYS_write, fd, buf, count);
}

int main(void)
{
	printf("hello\n");
	fflush(stdout);
	write(1, "own\n", 4);
	return calls;
}
C
for linker in $linkers; do
	$CC -static -fuse-ld="$linker" own-write.c -o own.plain
	"$IOCC" -static -fuse-ld="$linker" own-write.c -o own.iocc
	plainly own.plain
	traced own.iocc
	ok "$linker: a write() of the program's own" both
done

# Only what a program uses is linked.
for linker in $linkers; do
	"$IOCC" -static -O2 -fuse-ld="$linker" small.c -o small
	$NM small >symbols
	like "$linker: the recorder is there" symbols ' [TtWw] iot_'
	unlike "$linker: the wrapper of recvmmsg is not" symbols '__(wrap|real)_recvmmsg|[TW] recvmmsg'
done

# musl has an archive of its own, for static executables.
if [ -f "$top_builddir/lib/libiotrace-musl.a" ]; then
	IOCC_CC=$IOT_MUSL_CC "$IOCC" -static small.c -o small >said 2>&1
	is 'musl: runs, and nothing is said' "$(./small; cat said)" hello
	$NM small >symbols
	like 'musl: its own functions are wrapped' symbols '__wrap___stdio_write'
	IOCC_CC=$IOT_MUSL_CC "$IOCC" small.c -o small 2>said
	like 'musl, dynamic: the reason' said '^iocc: not instrumented: links another libc\.so\.6 than /'
	IOCC_CC=$IOT_MUSL_CC "$IOCC" --iotrace-show -static -fuse-ld=lld small.c -o small >shown 2>said
	like 'musl, lld: the reason' said "^iocc: not instrumented: lld can't wrap musl"
else
	skip 'musl-gcc' 'no musl-gcc (Debian: musl-tools)'
fi

# From a directory with a space, named in the environment.
ln -s "$top_builddir/lib" 'a lib'
IOTRACE_LIBDIR="$T/a lib" "$IOCC" -static small.c -o small >said 2>&1
is 'a library directory with a space' "$(./small; cat said)" hello

# A mistake gets the compiler's own words.
echo 'int nowhere(int); int main(void) { return nowhere(1); }' >bad.c
$CC -static bad.c 2>said.plain
"$IOCC" -static bad.c 2>said.iocc
is 'undefined symbol: status' $? 1
sed -i 's,/cc[A-Za-z0-9]*,/cc,' said.plain said.iocc
same 'undefined symbol: diagnostics' said.iocc said.plain

done_testing
