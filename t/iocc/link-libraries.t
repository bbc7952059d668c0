#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An executable needs the shared libraries that it would need without us, in the same
# order: whatever the linker, --as-needed or not, link-time optimization, profiling,
# sanitizers, and wherever -l stands.  MPI's: t/iocc/link-needed.t.

# shellcheck disable=SC2086 # words
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99

cat >prog.c <<'C'
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	FILE *f = fopen("/dev/null", "w");

	(void)argv;
	printf("%g\n", sin(argc));
	return !f || fclose(f) || !dlopen(NULL, RTLD_NOW);
}
C
# one that nothing is used of, and one that a call of libc's is used of
printf 'int nothing(void);\nint nothing(void) { return 0; }\n' >nothing.c
printf 'int puts(const char *);\nint says(void);\nint says(void) { return puts("says"); }\n' >says.c
for lib in nothing says; do
	ok "lib$lib" $CC -shared -fPIC -o lib$lib.so $lib.c || done_testing
done

needed()
{
	LC_ALL=C readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

find_linkers
for linker in $linkers; do
	for options in '' -flto -pg -Wl,--no-as-needed -Wl,--as-needed -no-pie -fsanitize=address -fopenmp; do
		# gcc's objects are not LLVM's
		[ "$linker$options" != lld-flto ] || continue
		for libs in '-lm -lnothing -lsays -ldl' '-ldl -lsays -Wl,--push-state,--no-as-needed -lnothing -Wl,--pop-state -lm'; do
			rm -f plain traced
			set -- -fuse-ld=$linker $options prog.c -L. $libs
			if ! $CC "$@" -o plain 2>err; then
				skip "$*" 'the compiler can not'
				continue
			fi
			"$IOCC" "$@" -o traced 2>said
			is "$*" "$? $(cat said)" "0 $(cat err)"
			needed plain >want
			needed traced >got
			same "$*: the libraries" got want
		done
	done
done

# --- static libraries in any order: it links if it does without us, and is recorded
printf 'int one(void);\nint two(void);\nint two(void) { return one(); }\n' >two.c
printf '#include <stdio.h>\nint one(void);\nint one(void) { FILE *f = fopen("/dev/null", "w"); return !f || fclose(f); }\n' >one.c
printf 'int two(void);\nint main(void) { return two(); }\n' >main.c
ok 'objects' $CC -c one.c two.c main.c
ok 'libraries' sh -c 'ar cr libone.a one.o && ar cr libtwo.a two.o'
for linker in $linkers; do
	for libs in '-ltwo -lone' '-lone -ltwo' '-lone -ltwo -lone' '-lc -ltwo -lone' '-ltwo -lc -lone -lpthread -lm'; do
		set -- -static -fuse-ld=$linker main.o -L. $libs
		$CC "$@" -o plain 2>err
		status=$?
		"$IOCC" "$@" -o traced 2>said
		is "$*: links as without us" $? $status
		[ $status = 0 ] || continue
		rm -rf logs && mkdir logs
		is "$*: runs" "$(IOTRACE_DIR=logs ./traced; echo $?)" 0
		"$IOTRACE_CAT" --format=json logs >json 2>&1
		like "$*: is recorded" json '"call":"fopen"'
	done
done

# --- libraries some of whose functions are ours, libaio's, liburing's, the Fortran runtime's: where
# they are not named, or not behind what calls them, a link fails, and says what it says without us
printf 'int io_setup(int, void *);\nint main(void) { return io_setup(0, 0); }\n' >aio.c
printf 'int io_uring_queue_init(int, void *, int);\nint main(void) { return io_uring_queue_init(0, 0, 0); }\n' >uring.c
printf 'int _gfortran_st_flush(void *);\nint main(void) { return _gfortran_st_flush(0); }\n' >gfortran.c
printf 'int maybe(void) { return 0; }\n' >maybe.c
for name in aio uring gfortran; do
	# the library's function, which main only declares
	sed -n 's/^\(int [a-z_]*\)(.*);$/\1() { return 7; }/p' $name.c >lib$name.c
	# shellcheck disable=SC2016 # the inner shell's
	ok "lib$name" sh -c '$1 -c $2.c lib$2.c maybe.c && $1 -w -shared -fPIC -o lib$2.so lib$2.c && rm -f lib$2.a libcalls-$2.a &&
		ar cr lib$2.a lib$2.o maybe.o && ar cr libcalls-$2.a $2.o' sh "$CC" $name
done
# links_alike ARGUMENT...
links_alike()
{
	rm -f plain traced
	$CC "$@" -o plain 2>err
	status=$?
	"$IOCC" "$@" -o traced 2>said
	is "$*: links as without us" $? $status
	# a file of the compiler's own has another name each time
	sed 's/cc[A-Za-z0-9]*\.o/cc.o/; s/-o plain//' err >want
	sed 's/cc[A-Za-z0-9]*\.o/cc.o/; s/-o traced//; /^iocc: not instrumented/d' said >got
	same "$*: says the same" got want
}
for linker in $linkers; do
	links_alike -fuse-ld=$linker -L. -laio aio.o
done
for how in '' -static; do
	for name in aio uring gfortran; do
		links_alike $how $name.o
		links_alike $how -L. -l$name $name.o
	done
	links_alike $how -L. aio.o -laio
	links_alike $how -L. -laio -lcalls-aio
done
for args in aio.c '-laio aio.c' 'aio.c -laio' '-laio aio.o -laio' './libaio.a aio.o' '-Wl,-laio -Xlinker aio.o' \
	'-Wl,--start-group -laio -lcalls-aio -Wl,--end-group'; do
	links_alike -L. $args
done
# an executable that has such a library has it where it is named, and calls it: whatever the linker, link-time
# optimization of objects with and without code, of a member of an archive, of a source
printf 'int sine(void);\nint sine(void) { return 0; }\n' >sine.c
printf 'int sine(void);\nint io_setup(int, void *);\nint io_uring_queue_init(int, void *, int);\nint both(void);\n%s\n' \
	'int both(void) { return sine() + io_setup(0, 0) + 10 * io_uring_queue_init(0, 0, 0); }' >both.c
printf 'int both(void);\nint main(void) { return both(); }\n' >calls.c
ok 'libsine' $CC -shared -fPIC -o libsine.so sine.c
# functions with versions, as the real libraries have them
echo 'V { *; };' >version
for name in aio uring; do
	ok "lib$name" $CC -w -shared -fPIC -Wl,--version-script=version -o lib$name.so lib$name.c
done
needs_alike()
{
	rm -f plain traced
	if ! $CC "$@" -o plain 2>err; then
		skip "$*" 'the compiler can not'
		return
	fi
	"$IOCC" "$@" -o traced 2>said
	is "$*" "$?" 0
	{ needed plain; LD_LIBRARY_PATH=. ./plain; echo $?; } >want
	{ needed traced; LD_LIBRARY_PATH=. IOTRACE=off ./traced; echo $?; } >got
	same "$*: the libraries, and what they say" got want
}
ok 'objects of code' $CC -c both.c -o code.o
ok 'objects that are optimized' $CC -flto -c both.c calls.c
ok 'objects that are both' $CC -flto -ffat-lto-objects -c both.c -o fat.o
ok 'a library of those' sh -c "rm -f libboth.a; $CC-ar cr libboth.a both.o 2>/dev/null || ar cr libboth.a both.o"
for linker in $linkers; do
	for what in 'calls.c both.c' '-flto calls.c both.c' 'calls.c code.o' 'calls.o both.o' 'calls.o fat.o' 'calls.o libboth.a'; do
		# gcc's objects are not LLVM's
		case $linker$what in lld*lto* | lld*.a | lld*fat.o | lld*both.o) continue ;; esac
		needs_alike -fuse-ld=$linker -Wl,--as-needed $what -L. -lsine -luring -lnothing -laio
	done
done
# static programs with a wrapper, or a function of a call's name, of their own: calls of the libraries are
# recorded, and a wrapper of theirs that is not asked for is not called
for name in setup uring_queue_init; do
	printf 'int io_%s();\nint io_%s() { return -7; }\n' $name $name
done >returns.c
cat >own.c <<'C'
int io_setup(int n, void *context), io_uring_queue_init(unsigned n, void *ring, unsigned flags);
#if defined WRITE
int __wrap_write(int n);
int __wrap_write(int n) { return n; }
#elif defined SETUP
int __wrap_io_setup(int n, void *context);
int __wrap_io_setup(int n, void *context) { return 1; }
#else
int sync(int n);
int sync(int n) { return n; }
#endif
int main(void)
{
	return -(io_setup(1, 0) + io_uring_queue_init(1, 0, 0));
}
C
ok 'libraries' sh -c "mkdir static && $CC -w -c returns.c && ar cr static/libaio.a returns.o && cp static/libaio.a static/liburing.a"
ok 'a function' $CC -w -c own.c -o sync.o
ok 'a wrapper of libc' $CC -w -DWRITE -c own.c -o write.o
ok 'a wrapper of libaio' $CC -w -DSETUP -c own.c -o setup.o
for linker in $linkers; do
	for own in sync write setup; do
		rm -rf logs traced && mkdir logs
		"$IOCC" -static -fuse-ld=$linker $own.o -o traced -Lstatic -luring -laio 2>said
		is "$linker, $own: runs" "$(IOTRACE_DIR=logs ./traced; echo $?)" 14
		"$IOTRACE_CAT" --format=json logs >json 2>&1
		like "$linker, $own: liburing is recorded" json '"call":"io_uring_queue_init"'
		# lld can't be told of it, or it would call the program's
		case $linker$own in
		lld* | *setup) like "$linker, $own: libaio is not" said "not instrumented: libaio's calls" ;;
		*) like "$linker, $own: libaio is recorded" json '"call":"io_setup"' ;;
		esac
	done
done
# a runtime that needs a library, named behind it: ours are what calls the runtime
printf 'int quad(void);\nint quad(void) { return 0; }\n' >quad.c
printf 'int quad(void);\nint _gfortran_st_flush() { return quad(); }\n' >flush.c
# shellcheck disable=SC2016 # the inner shell's
ok 'libquadmath' sh -c 'mkdir quad && $1 -w -c quad.c flush.c && ar cr quad/libquadmath.a quad.o && ar cr quad/libgfortran.a flush.o' sh "$CC"
links_alike -static gfortran.o -Lquad -lgfortran -lquadmath
ok 'is linked' test -f traced
done_testing
