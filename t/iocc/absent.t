#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions that ours define, and the program may not have: those of libaio, liburing, Fortran's
# runtime and MPI.  Weak references and dlsym find what they find without us, under iotrace run
# too, and the executable needs the libraries that it needs without us; and linkers say no more
# than they say without us.  TEST_LONG=1: everything with each linker.
# shellcheck disable=SC2086 # $ld: no word, or one

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

echo 'int main(void) { return 0; }' >none.c
"$CC" none.c -o none -Wl,--no-as-needed -laio -luring 2>/dev/null || skip_all 'needs libaio and liburing'

# WEAK: refers weakly, otherwise asks dlsym.  PART: without main
cat >asks.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#ifdef WEAK
extern long io_submit(void *, long, void **) __attribute__((weak));
extern int io_uring_submit(void) __attribute__((weak));
extern int _gfortran_st_write(void) __attribute__((weak));
extern int MPI_File_sync(void) __attribute__((weak));
#define IS(name) (name != NULL)
#else
static int look(const char *name)
{
	int is = dlsym(RTLD_DEFAULT, name) != NULL;

	/* why it is not there, after the program's own name */
	const char *why = dlerror();

	if (why)
		puts(strchr(why, ' '));
	return is;
}
#define IS(name) look(#name)
#endif
int asks(void);
int asks(void)
{
	int aio = IS(io_submit), uring = IS(io_uring_submit), fortran = IS(_gfortran_st_write), mpi = IS(MPI_File_sync);

	printf("%d %d %d %d\n", aio, uring, fortran, mpi);
	return 0;
}
#ifndef PART
int main(void)
{
	return asks();
}
#endif
C
cat >calls.c <<'C'
#include <stdio.h>
long io_submit(void *context, long n, void **list);
int asks(void);
int main(void)
{
	return !(io_submit(NULL, 0, NULL) < 0) || asks();
}
C
printf 'int asks(void);\nint main(void) { return asks(); }\n' >user.c
for form in weak looks; do
	set -- -fPIC -c asks.c
	[ $form = looks ] || set -- "$@" -DWEAK
	"$CC" "$@" -o $form.o && "$CC" "$@" -DPART -o $form-part.o && "$CC" -shared $form-part.o -o lib$form.so || exit 99
	ar rc lib$form-part.a $form-part.o
done
"$CC" -c calls.c -o calls.o || exit 99

needed()
{
	readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort
}

# alike ARGUMENT...: linked with and without us, the linker and the program say the same, and the
# program needs the same
alike()
{
	what=$1
	shift
	"$CC" "$@" -o plain 2>expected || { fail "$what: $* (without us)"; diag_file expected; return; }
	"$IOCC" "$@" -o traced 2>said || { fail "$what: $*"; diag_file said; return; }
	grep -v '^iocc: not instrumented: ' said >got
	{ LD_LIBRARY_PATH=. ./plain; needed plain; } >>expected 2>&1
	{ LD_LIBRARY_PATH=. IOTRACE=off ./traced; needed traced; } >>got 2>&1
	same "$what: $*" got expected
}

# --- iotrace run: libiotrace.so has these functions by the versions of their libraries alone ----
for form in weak looks; do
	for with in '' '-laio -luring'; do
		"$CC" $form.o -o plain -Wl,--no-as-needed $with || exit 99
		./plain >expected 2>&1
		for way in '' --syscalls; do
			"$top_builddir/tools/iotrace-run" $way -o logs -- ./plain >got 2>&1
			same "iotrace run $way, $form${with:+, $with}" got expected
		done
	done
done
# exports LIBRARY: NAME@VERSION, as those who are linked with it mean it
exports()
{
	"$NM" -D --defined-only "$1" | sed -n 's/.* [TWi] \([^@]*\)@@*\(.*\)/\1@\2/p' | sort
}
exports "$top_builddir/lib/libiotrace.so" | grep -v '@GLIBC_' >ours
for library in libaio.so.1 liburing.so.2 "$("$CC" -print-file-name=libgfortran.so)"; do
	file=$(ldd none | sed -n "s,.*$library => \([^ ]*\) .*,\1,p")
	exports "${file:-$library}" >theirs 2>/dev/null
	[ -s theirs ] || continue
	# what we wrap of it, by name, has one of its versions
	sed 's/@.*//' ours | sort -u >our_names
	sed 's/@.*//' theirs | sort -u | grep -xFf our_names >names
	grep -xFf theirs ours | sed 's/@.*//' | sort -u >right
	same "${library##*/}: versions of $(grep -c . names) functions" right names
done
"$NM" -D --defined-only "$top_builddir/lib/libiotrace.so" | sed -n 's/.* [TW] \([^@]*\)$/\1/p' |
	grep -E '^(_gfortran|_*io_)' | grep -v '^_gfortrani_' >open
none 'all others of these libraries have a version' open

for linker in default bfd gold lld mold; do
	ld=
	if [ $linker != default ]; then
		ld=-fuse-ld=$linker
		"$CC" "$ld" none.c -o none 2>/dev/null || continue
	fi
	alike "$linker, a source" $ld -DWEAK asks.c
	[ -n "${TEST_LONG:-}" ] || [ $linker = default ] || continue
	for form in weak looks; do
		alike "$linker" $ld $form.o
		alike "$linker, libraries behind" $ld $form.o -Wl,--as-needed -laio -luring
		[ -n "${TEST_LONG:-}" ] || [ $form = weak ] || continue
		alike "$linker, libraries in front" $ld -Wl,--as-needed -laio -luring $form.o
		alike "$linker, libraries in any case" $ld $form.o -Wl,--no-as-needed -laio -luring
		alike "$linker, one is called" $ld calls.o $form-part.o -Wl,--as-needed -luring -laio
		alike "$linker, an archive" $ld calls.o -L. -l$form-part -Wl,--as-needed -luring -laio
		[ $form = looks ] || alike "$linker, a shared library" $ld user.c -L. -lweak
		alike "$linker, static" $ld -static $form.o
		alike "$linker, static, with libraries" $ld -static $form.o -laio -luring
	done
	[ -n "${TEST_LONG:-}" ] || continue
	alike "$linker, a source, libraries behind" $ld -DWEAK asks.c -laio -luring
	# GCC's LTO is not LLVM's
	[ "$linker" != lld ] || continue
	alike "$linker, LTO" $ld -flto -DWEAK asks.c
	alike "$linker, LTO, with libraries" $ld -flto -DWEAK asks.c -Wl,--no-as-needed -laio -luring
done
done_testing
