#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The loader has little room for thread-local storage of libraries that come when threads
# may be there already: those of dlopen, and with LD_AUDIT those of LD_PRELOAD as well.  The
# recorder leaves the program's libraries what they had, and fits in there itself.
. "${0%/*}/../lib/tap.sh"
run=$top_builddir/tools/iotrace-run
cd "$T" || exit 99

# room BYTES...: those of lib/N.so that can be loaded, with N bytes for each thread; a second thread
# and a child store to them as well
cat >room.c <<'C'
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *(*mine)(void);
static size_t size;

static void *stores(void *unused)
{
	int fd = open("data", O_CREAT | O_WRONLY, 0666);

	(void)unused;
	memset(mine(), 7, size);
	if (write(fd, mine(), size) != (ssize_t)size)
		_exit(98);
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char name[64];
		void *lib;
		pthread_t thread;
		int status = 0;
		pid_t pid;

		snprintf(name, sizeof(name), "lib/%s.so", argv[i]);
		fflush(stdout);
		pid = fork();
		if (pid) {
			if (waitpid(pid, &status, 0) != pid || status > 255)
				return 97;
			continue;
		}
		lib = dlopen(name, RTLD_NOW);
		if (!lib)
			return 0;
		sscanf(argv[i], "%zu", &size);
		*(void **)&mine = dlsym(lib, "mine");
		stores(NULL);
		if (pthread_create(&thread, NULL, stores, NULL) || pthread_join(thread, NULL))
			return 96;
		printf("%s\n", argv[i]);
		return 0;
	}
	return 0;
}
C
mkdir lib plain traced
sizes=$(seq 128 128 3072)
for n in $sizes; do
	echo "static __thread char own[$n] __attribute__((tls_model(\"initial-exec\")));
	char *mine(void); char *mine(void) { return own; }" >lib.c
	$CC -O2 -shared -fPIC -o "lib/$n.so" lib.c || exit 99
done
ok 'room compiles' "$CC" -O2 -Wall -pthread room.c -ldl -o plain/room || done_testing
ok 'room compiles with iocc' "$IOCC" -O2 -Wall -pthread room.c -ldl -o traced/room || done_testing
# at the border some bytes more or fewer are padding
# shellcheck disable=SC2086 # words
enough()
{
	"$@" $sizes >out 2>err
	ok "$about: the program ran" test $? = 0 -a ! -s err
	ok "$about: libraries with as much of it load ($(tail -1 out) and $least)" \
		test "$(tail -1 out)" -ge "$least"
}
# shellcheck disable=SC2086
plain/room $sizes >plain.out
ok 'untraced, some load' test -s plain.out || done_testing
least=$(($(tail -1 plain.out) - 128))
export IOTRACE_DIR="$T/logs"
about='iocc' enough traced/room
about='iotrace run' enough "$run" plain/room
about='iotrace run --syscalls' enough "$run" --syscalls plain/room

# auditors LD_AUDIT: the loader has room for the recorder beside them, and for as much as they need
cat >audit.c <<'C'
unsigned la_version(unsigned version);
unsigned la_version(unsigned version)
{
	return version;
}
C
for n in 1 2; do
	$CC -O2 -shared -fPIC -o "audit$n.so" audit.c || exit 99
done
for audit in "$T/audit1.so" "$T/audit1.so:$T/audit2.so"; do
	for how in '' --syscalls; do
		about="$(echo "$audit" | tr -cd : | wc -c) auditors more, $how"
		rm -rf logs
		LD_AUDIT=$audit plain/room 128 256 >plain.out 2>plain.err
		# shellcheck disable=SC2086 # a word or none
		LD_AUDIT=$audit "$run" -o logs $how plain/room 128 256 >out 2>err
		is "$about: status" "$?" 0
		is "$about: what it says" "$(cat out err)" "$(cat plain.out plain.err)"
		is "$about: it is recorded" \
			"$("$IOTRACE_CAT" -e open logs 2>&1 | grep -c '/data"')" "$(($(wc -l <plain.out) * 2))"
	done
done
done_testing
