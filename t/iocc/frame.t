#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Sources that need the frame pointer's register: what compiles without iocc compiles with
# it, and works; what does not compile fails as it does without; and nothing of this can be
# told from what is said, left or returned, whatever the compiler writes to.

# shellcheck disable=SC2016 # scripts' variables
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
cd "$T" || exit 99
FP=-fno-omit-frame-pointer
mkdir files files/inc
cd files || exit 99
cat >clobber.c <<'C'
int f(int n);
int f(int n)
{
	int table[8] = { 1, 2, 3, n };

	__asm__ volatile("xorl %%ebp, %%ebp" : : : "rbp", "memory");
	return table[n & 3] + n;
}
C
cat >local.c <<'C'
long f(long *n);
long f(long *n)
{
	register long sixth __asm__("rbp") = *n;
	long copy;

	__asm__ volatile("movq %1, %0" : "=r"(copy) : "r"(sixth));
	return copy + *n;
}
C
cat >global.c <<'C'
register long kept __asm__("%rbp");
long f(long n);
long f(long n)
{
	return kept += n;
}
C
printf '#define CLOBBERED "rbp"\n' >inc/clobbered.h
sed '1i #include "clobbered.h"' clobber.c | sed 's/"rbp"/CLOBBERED/' >header.c
sed '1i #include <clobbered.h>' clobber.c | sed 's/"rbp"/CLOBBERED/' >angle.c
sed '1i #warning look' clobber.c >warned.c
echo 'int g(void) { return x; }' >wrong.c
printf '#warning look\nint g(void) { return 1; }\n' >plain.c
cat >main.c <<'C'
int f(int n);
int main(void) { return f(3) != 6; }
C
cd ..

# as_without COMPILER ARGUMENTS...: the same is said on both outputs, returned and left,
# except that objects of the one have frame pointers
as_without()
{
	compiler=$1
	shift
	for how in plain iocc; do
		rm -rf run
		cp -R files run
		set -- "$@"
		if [ $how = plain ]; then
			(cd run && $compiler "$@" >out 2>err <main.c; echo $? >status)
		else
			(cd run && IOCC_CC="$compiler" "$IOCC" "$@" >out 2>err <main.c; echo $? >status)
		fi
		sed -i 's,/cc[A-Za-z0-9]\{6\}\([-.:" ]\|$\),/ccXXXXXX\1,g' run/err
		(cd run && head -c 4000 out err status && find . -type f | sort) >$how
		(cd run && cat ./*.s 2>/dev/null) >$how.s
	done
	same "$compiler $*" iocc plain
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || {
		skip $compiler 'not installed'
		continue
	}
	for source in clobber local header angle warned wrong plain; do
		as_without "$compiler" -O2 -Iinc -c $source.c
		as_without "$compiler" -O2 -Iinc -flto -c $source.c -o x.o
	done
	[ "$compiler" = clang ] || as_without "$compiler" -O2 -c global.c
	as_without "$compiler" -O2 -Iinc -c clobber.c plain.c -MD
	as_without "$compiler" -O2 -S clobber.c -o -
	as_without "$compiler" -O2 -x c -c - -o stdin.o
	# what they make works
	for lto in -fno-lto -flto; do
		for source in clobber header; do
			IOCC_CC="$compiler" "$IOCC" -O2 $lto -Ifiles/inc files/main.c files/$source.c -o prog >said 2>&1
			is "$compiler $lto $source.c is linked" "$? $(cat said)" '0 '
			IOTRACE=off ./prog
			is 'and works' $? 0
		done
	done
	# and others do have frame pointers
	IOCC_CC="$compiler" "$IOCC" -O2 -S -x c - -o with.s <files/main.c
	$compiler -O2 $FP -S -x c - -o want.s <files/main.c
	same "$compiler: frame pointers wherever that is possible" with.s want.s
done

# A pipe as source can't be read twice; standard input that is a pipe can.
ok 'standard input that is a pipe' sh -c 'cat files/clobber.c | "$IOCC" -O2 -x c -c - -o pipe.o && test -s pipe.o'
mkfifo fifo
cat files/clobber.c >fifo &
ok 'a named pipe' "$IOCC" -O2 -x c -c fifo -o fifo.o

# Colours are for terminals, and the text is as it was.
if command -v script >/dev/null; then
	for source in plain warned wrong; do
		TERM=xterm script -qec "gcc -O2 -c files/$source.c -o x.o" /dev/null >want </dev/null 2>&1
		TERM=xterm IOCC_CC=gcc script -qec "'$IOCC' -O2 -c files/$source.c -o x.o" /dev/null >got </dev/null 2>&1
		same "on a terminal: $source.c" got want
	done
else
	skip 'on a terminal' 'no script (Debian: bsdutils)'
fi

# The two outputs stay in their order if they are one.
printf '#!/bin/sh\necho one\necho two >&2\necho three\n' >cc && chmod +x cc
is 'both outputs in one' "$(IOCC_CC=./cc "$IOCC" -c x.c 2>&1 | tr '\n' ' ')" 'one two three '
printf '#!/bin/sh\ncase "$*" in *-fno-omit*) echo never; echo never >&2; exit 3 ;; esac\necho "$*"\nexit 5\n' >cc
exits 'the status is the second one'\''s' 5 env IOCC_CC=./cc "$IOCC" -c x.c
is 'and so is the output' "$(cat .said)" '-c x.c'
printf '#!/bin/sh\nkill -TERM $$\n' >cc
exits 'a signal is passed on' 143 env IOCC_CC=./cc "$IOCC" -c x.c
printf '#!/usr/bin/perl\nopen F, ">pid"; print F $$; close F; sleep 100; open F, ">outlived"\n' >cc
IOCC_CC=./cc "$IOCC" -c x.c &
wrapper=$!
while ! [ -s pid ]; do sleep 0.1; done
kill $wrapper
wait $wrapper
is 'who ends iocc' $? 143
while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.1; done
ok 'ends the compiler' test ! -e outlived
done_testing
