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
done_testing
