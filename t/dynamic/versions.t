#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions that libc has in several versions: a program or library that was linked
# with an older libc gets what it means by the name, and its calls are recorded.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
run=$top_builddir/tools/iotrace-run
cd "$T" || exit 99
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

# Each says something else in the old version.  They are called in main, or are those of
# a library.
cat >calls.c <<'C'
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS BITS
#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef OLD
#define VERSION(name, version) __asm__(".symver " #name "," #name "@GLIBC_" version)
VERSION(posix_spawn, "2.2.5");
VERSION(posix_spawnp, "2.2.5");
VERSION(fmemopen, "2.2.5");
VERSION(quick_exit, "2.10");
#if BITS == 64
VERSION(glob64, "2.2.5");
VERSION(nftw64, "2.2.5");
VERSION(lio_listio64, "2.4");
#else
VERSION(glob, "2.2.5");
VERSION(nftw, "2.2.5");
VERSION(lio_listio, "2.2.5");
#endif
#endif

extern char **environ;
extern int __cxa_thread_atexit_impl(void (*)(void *), void *, void *);
static char *argv[] = { (char *)"./script", NULL };
int NAME(int last);

static int visit(const char *path, const struct stat *st, int type, struct FTW *level)
{
	(void)path, (void)st, (void)type, (void)level;
	return 0;
}

static struct dirent *next(void *dir)
{
	return readdir(dir);
}

static void done(void *dir)
{
	closedir(dir);
}

static int never(const char *path, struct stat *st)
{
	(void)path, (void)st;
	return -1;
}

static void at_thread_end(void *arg)
{
	if (write(1, arg, 4) != 4)
		_exit(9);
}

static void spawned(const char *how, int err, const pid_t *pid)
{
	int status = 0;

	if (!err)
		waitpid(*pid, &status, 0);
	printf("%s: %d, %d\n", how, err, status >> 8);
}

int NAME(int last)
{
	struct aiocb cb = { .aio_fildes = 1, .aio_lio_opcode = LIO_NOP }, *list[] = { &cb };
	pid_t pid = 0;
	glob_t found = { .gl_opendir = (void *(*)(const char *))opendir, .gl_readdir = next, .gl_closedir = done,
			 .gl_stat = stat, .gl_lstat = never };
	FILE *f;

	if (last) {
		__cxa_thread_atexit_impl(at_thread_end, (void *)"end\n", &argv);
		quick_exit(0);
	}
	spawned("posix_spawn", posix_spawn(&pid, "./script", NULL, NULL, argv, environ), &pid);
	spawned("posix_spawnp", posix_spawnp(&pid, "./script", NULL, NULL, argv, environ), &pid);
	printf("glob: %d\n", glob("d[i]r/file", GLOB_ALTDIRFUNC, NULL, &found));
	printf("nftw: %d\n", nftw("dir", visit, 5, 1 << 20));
	printf("lio_listio: %d\n", lio_listio(LIO_WAIT, list, 1, NULL));
	f = fmemopen(NULL, 0, "w");
	printf("fmemopen: %d\n", f != NULL);
	fflush(stdout);
	return 0;
}
C
cat >main.c <<'C'
#include <stdlib.h>
int own(int), other(int);
int main(int argc, char **argv)
{
	(void)argv;
	own(0);
	other(0);
	if (argc > 1)
		own(1);
	other(1);
	return 1;
}
C

# built NAME MAIN'S OPTION LIBRARY'S OPTION.  libc before the library: the linker takes
# the version that it has met first for main's as well.
built()
{
	# shellcheck disable=SC2086 # CC may have options
	{
		$CC -O1 -fPIC -shared -DNAME=other -DBITS="$bits" $3 calls.c -o lib.so &&
			$CC -O1 -DNAME=own -DBITS="$bits" $2 calls.c main.c -lc ./lib.so -o plain &&
			"$IOCC" -O1 -DNAME=own -DBITS="$bits" $2 calls.c main.c -lc ./lib.so -o traced
	} >said 2>&1
	is "$1: builds" $? 0 || diag_file said
}

printf 'exit 7\n' >script && chmod +x script
mkdir dir && : >dir/file
for bits in 32 64; do
	for kind in new-old old-new old-old; do
		main='' lib=''
		[ "${kind%-*}" = new ] || main=-DOLD
		[ "${kind#*-}" = new ] || lib=-DOLD
		built "$bits, $kind" "$main" "$lib"
		for arg in '' x; do
			./plain $arg >want 2>&1
			for how in traced run; do
				about="$bits, $kind${arg:+, main last}, $how"
				rm -rf logs && mkdir logs
				if [ $how = run ]; then
					"$run" -o logs ./plain $arg >out 2>&1
				else
					IOTRACE_DIR=$T/logs ./traced $arg >out 2>&1
				fi
				same "$about: does the same" out want
				"$IOTRACE_CAT" --format=json logs | grep -E '"prog":"(plain|traced)"' |
					sed -n 's/.*"call":"\([a-z_]*\)".*/\1/p' | grep -E '^(posix_spawnp?|glob|nftw|lio_listio|fmemopen|quick_exit)$' |
					sort | uniq -c | tr -s ' \n' ' ' >got
				is "$about: every call has its record" "$(cat got)" \
					' 2 fmemopen 2 glob 2 lio_listio 2 nftw 2 posix_spawn 2 posix_spawnp 1 quick_exit '
			done
		done
	done
done
# that it makes a difference at all
built different '' -DOLD
./plain >out
sed 6q out | sort >new && sed 1,6d out | sort >old
is 'old and new are not the same' "$(comm -12 new old | tr '\n' ' ')" 'lio_listio: 0 '
like 'quick_exit too' old '^end$'
done_testing
