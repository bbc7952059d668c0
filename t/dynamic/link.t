#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Dynamic executables with every compiler and linker, PIE or not: the program does
# what it does without iocc; calls of its own, of libraries that it is linked with
# and of plugins that it opens are in the log, each once; functions of its own
# that have a call's name stay what they are.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
# Descriptors of make and of automake's driver would shift the program's own.
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

cat >lib.c <<'C'
#include <stdio.h>
#include <unistd.h>

/* a library's own, which its own file alone can see */
__attribute__((visibility("hidden"))) int access(const char *path, int mode)
{
	return path[0] + mode;
}

int from_lib(void);
int from_lib(void)
{
	FILE *f = fopen("lib.out", "w");

	fprintf(f, "%d\n", access("A", 1));
	return fclose(f) + (int)pwrite(1, "", 0, 5);
}
C
cat >plugin.c <<'C'
#include <unistd.h>

int from_plugin(void);
int from_plugin(void)
{
	return write(1, "plugin\n", 7) != 7 || fsync(1);
}
C
cat >main.c <<'C'
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int from_lib(void);
int link(const char *from, const char *to);
static int mount(int n) { return n + 1; }

/* exported, and not libc's */
int link(const char *from, const char *to)
{
	return from[0] - to[0];
}

int main(void)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW);
	int (*from_plugin)(void) = plugin ? (int (*)(void))dlsym(plugin, "from_plugin") : NULL;
	ssize_t (*by_name)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_DEFAULT, "write");
	ssize_t (*next)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");

	if (!from_plugin || from_lib() || from_plugin() || link("b", "a") != 1 || mount(1) != 2)
		return 1;
	if (!by_name || by_name(1, "default\n", 8) != 8 || !next || next(1, "next\n", 5) != 5)
		return 2;
	if (dlclose(plugin) || close(open("/dev/null", O_RDONLY)))
		return 3;
	printf("%s\n", "main");
	return 0;
}
C
cat >main.cc <<'C'
#include <fstream>
#include <iostream>

int main()
{
	std::ofstream out("cc.out");

	out << "one\n" << std::flush;
	out.close();
	std::cout << "cc" << std::endl;
	return 0;
}
C
cat >calls.c <<'C'
dlopen -
fopen 3
fprintf 3
fclose 3
write 3
pwrite 1
write 1
fsync 1
write 1
dlclose -
open 3
close 3
puts 1
write 1
C
cat >calls.c++ <<'C'
fopen 3
write 3
fclose 3
fwrite 1
putc 1
fflush 1
C

# calls LOG: a line a call, with its descriptor or the one that it made
calls()
{
	"$IOTRACE_CAT" --format=json "$@" |
		sed -n 's/.*"call":"\(open\|fopen\)".*"ret":\([0-9]*\).*/\1 \2/p;t
			s/.*"call":"\([a-z]*\)".*"fd":\([0-9]*\).*/\1 \2/p;t
			s/.*"call":"\([a-z]*\)".*/\1 -/p'
}

# compare DESCRIPTION CALLS WRAPPER COMPILER ARGUMENTS...
compare()
{
	about=$1 reference=$2 wrapper=$3 real=$4
	shift 4
	rm -rf plain iocc logs && mkdir plain iocc logs
	$real "$@" -o plain/prog >plain/said 2>&1
	plain_status=$?
	"$wrapper" "$@" -o iocc/prog >iocc/said 2>&1
	is "$about: status" $? $plain_status || diag_file iocc/said
	if [ $plain_status != 0 ]; then
		pass "$about: the linker refuses this with and without iocc"
		return
	fi
	for kind in plain iocc; do
		cp plugin.so $kind
		(cd $kind && IOTRACE_DIR="$T/logs" LD_LIBRARY_PATH="$T" ./prog >out 2>err </dev/null; echo $? >status)
		rm -f $kind/prog
	done
	ok "$about: does the same" diff -r iocc plain
	# libstdc++ flushes a good deal more at exit
	calls logs | head -n 14 | sed '/^fflush/q' >got
	same "$about: calls" got "$reference"
}

$CC -O2 -fPIC -shared lib.c -o liblib.so
$CC -O2 -fPIC -shared plugin.c -o plugin.so
find_linkers
for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		skip "$compiler" "not installed"
		continue
	fi
	cxx=g++
	[ $compiler = gcc ] || cxx=clang++
	export IOCC_CC=$compiler IOCXX_CXX=$cxx
	for linker in $linkers; do
		for how in '-fPIE -pie' '-fno-pie -no-pie' '-fPIE -pie -flto -Wl,--gc-sections -Wl,-z,now'; do
			# shellcheck disable=SC2086 # several options
			compare "$compiler $linker $how" calls.c "$IOCC" $compiler -O2 $how -fuse-ld=$linker main.c -L. -llib
		done
		compare "$compiler $linker C++" calls.c++ "$IOCXX" $cxx -O2 "-fuse-ld=$linker" main.cc
	done
done
unset IOCC_CC IOCXX_CXX

"$IOCC" -O2 main.c -L. -llib -o prog
readelf -dW prog | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v -e '^libc\.so' -e '^liblib' >needed
is 'nothing more is needed at run time' "$(cat needed)" ''
"$NM" -D prog | sed -n 's/^[0-9a-f]* [WVTDRB] //p' | sort >exported
sort -u "$top_builddir/lib/dynamic.names" >listed
comm -13 listed exported | grep -v -x -e '_.*' -e data_start >out
is 'nothing but calls is exported' "$(cat out)" ''
# of most of them the linker is not told: libraries and plugins have to find them
for linker in bfd gold lld mold; do
	if ! command -v ld.$linker >/dev/null; then
		skip "$linker exports all calls" "no ld.$linker (Debian: binutils, lld, mold)"
		continue
	fi
	for how in '' -no-pie '-Wl,--gc-sections'; do
		# shellcheck disable=SC2086
		ok "$linker $how" "$IOCC" -O2 -fuse-ld=$linker $how main.c -L. -llib -o prog
		"$NM" -D prog | sed -n 's/^[0-9a-f]* [WVTDRB] //p' | sort >exported
		is "$linker $how exports all calls" "$(comm -23 listed exported)" ''
	done
done
done_testing
