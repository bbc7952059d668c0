#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What dynamic executables do before and after main, and between libraries: calls
# from IFUNC resolvers, preinit functions, a malloc of the program's own and
# destructors; libraries that dlopen what lies where their RUNPATH says; threads
# that are cancelled.  All does what it does without, and what can be recorded is.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
run=$top_builddir/tools/iotrace-run
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

cat >early.c <<'C'
#include <fcntl.h>
#include <unistd.h>

/* called while the loader relocates, before the executable has its turn */
static int chosen(void) { return 7; }
static void *choose(void)
{
	char c;
	int fd = open("/dev/zero", O_RDONLY);

	return read(fd, &c, 1) == 1 && !close(fd) ? (void *)chosen : 0;
}
int seven(void) __attribute__((ifunc("choose")));
__attribute__((destructor)) static void late(void)
{
	if (write(1, "late\n", 5) != 5)
		_exit(9);
}
C
cat >alloc.c <<'C'
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* reads its settings when it is first called, wherever that is */
static char heap[1 << 22];
static size_t used;
void *malloc(size_t n)
{
	char text[16];
	void *p;

	if (!used) {
		int fd = open("alloc.conf", O_RDONLY);

		used = 16;
		if (fd >= 0 && (read(fd, text, sizeof(text)) < 0 || close(fd)))
			_exit(8);
	}
	p = heap + used;
	used += (n + 31) & ~(size_t)15;
	return used > sizeof(heap) ? NULL : p;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t size) { return malloc(n * size); }
void *realloc(void *p, size_t n)
{
	void *q = malloc(n);
	return p && q ? memmove(q, p, n) : q;
}
C
cat >opener.c <<'C'
#include <dlfcn.h>
int opener(void);
int opener(void)
{
	void *p = dlopen("libhidden.so", RTLD_NOW);
	int (*fn)(void) = p ? (int (*)(void))dlsym(p, "hidden") : 0;
	int n = fn ? fn() : -1;

	return p && !dlclose(p) ? n : -1;
}
C
cat >hidden.c <<'C'
#include <unistd.h>
int hidden(void);
int hidden(void) { return write(1, "hidden\n", 7) == 7 ? 5 : -1; }
C
cat >main.c <<'C'
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int seven(void);
int opener(void);

static void before(int argc, char **argv, char **env)
{
	(void)argc, (void)argv, (void)env;
	if (write(1, "preinit\n", 8) != 8)
		_exit(9);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = before;

static int pipefd[2], cleaned, pushed;
static void clean(void *arg) { *(int *)arg = 1; }
static void *blocked(void *arg)
{
	char c;

	pthread_cleanup_push(clean, &cleaned);
	if (write(1, "thread\n", 7) == 7) {
		__atomic_store_n(&pushed, 1, __ATOMIC_RELEASE);
		(void)!read(pipefd[0], &c, 1);
	}
	pthread_cleanup_pop(0);
	return arg;
}

int main(void)
{
	void *ret = NULL;
	pthread_t id;
	int status = 1;

	if (seven() != 7 || opener() != 5)
		return 1;
	if (pipe(pipefd) || pthread_create(&id, NULL, blocked, NULL))
		return 2;
	while (!__atomic_load_n(&pushed, __ATOMIC_ACQUIRE))
		usleep(1000);
	if (pthread_cancel(id) || pthread_join(id, &ret) || ret != PTHREAD_CANCELED || !cleaned)
		return 3;
	if (!fork()) {
		errno = 5;
		_exit(write(1, "child\n", 6) != 6 || errno != 5);
	}
	if (wait(&status) < 0 || status || system("exit 3") != 3 << 8)
		return 4;
	free(malloc(10));
	printf("main\n");
	return 0;
}
C
mkdir sub
echo settings >alloc.conf
{
	$CC -O2 -fPIC -shared early.c -o libearly.so &&
		$CC -O2 -fPIC -shared alloc.c -o liballoc.so &&
		$CC -O2 -fPIC -shared hidden.c -o sub/libhidden.so &&
		$CC -O2 -fPIC -shared opener.c -o libopener.so "-Wl,-rpath,$T/sub,--enable-new-dtags"
} >said 2>&1
is 'libraries are built' $? 0 || diag_file said

# compare HOW COMMAND...: the same as ./plain does
compare()
{
	how=$1
	shift
	rm -rf logs && mkdir logs
	LD_LIBRARY_PATH="$T" ./plain >want 2>&1
	want=$?
	IOTRACE_DIR="$T/logs" LD_LIBRARY_PATH="$T" "$@" >got 2>&1
	is "$how: status" $? $want
	same "$how: output" got want
	"$IOTRACE_CAT" --format=json logs >json
	grep -E '"prog":"(plain|traced)"' json >own
	for call in preinit:8 hidden:7 thread:7 child:6 late:5; do
		is "$how: the write of ${call%:*} is there" \
			"$(grep '"call":"write"' own | grep -v inferred | grep -c "\"size\":${call#*:},")" "$(
			case $call in *:7) echo 2 ;; *) echo 1 ;; esac)"
	done
	is "$how: the call that was cancelled is there" "$(grep '"call":"read"' own | grep -c abandoned)" 1
	like "$how: what the library opened" own '"call":"dlopen".*libhidden\.so'
	is "$how: allocation's settings" "$(grep -c 'alloc\.conf.*"call":\|"call":"open".*alloc\.conf' own)" \
		"$(grep -c x alloc.expect)"
}

for pie in '-fPIE -pie' '-fno-pie -no-pie'; do
	for lazy in -Wl,-z,lazy -Wl,-z,now; do
		for alloc in '' '-Wl,--no-as-needed -lalloc'; do
			: >alloc.expect
			[ -z "$alloc" ] || echo x >alloc.expect
			# shellcheck disable=SC2086 # several options
			$CC -O2 $pie $lazy main.c -L. $alloc -learly -lopener -o plain 2>said &&
				"$IOCC" -O2 $pie $lazy main.c -L. $alloc -learly -lopener -o traced 2>>said
			is "$pie $lazy $alloc: links" $? 0 || diag_file said
			compare "$pie $lazy $alloc" ./traced
			compare "$pie $lazy $alloc, preloaded" "$run" -o logs ./plain
		done
	done
done
done_testing
