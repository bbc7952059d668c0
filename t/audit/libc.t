#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that iocc has linked: libc has no way around the wrappers, and the
# ways that a program has of its own are found.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

hello()
{
	printf '#include <stdio.h>\nint main(void)\n{\n\treturn puts("hello") < 0;\n}\n'
}
hello >"$T/hello.c"

# clean DESCRIPTION PROGRAM: nothing but libc's inline calls
clean()
{
	"$IOTRACE_AUDIT" "$2" >"$T/out" 2>"$T/err"
	is "$1: exit status" $? 0 || diag_file "$T/out"
	is "$1: nothing is listed" "$(grep -v 'cannot have a wrapper (-v lists' "$T/out")" ''
	is "$1: nothing on standard error" "$(cat "$T/err")" ''
}

for how in -static -static-pie; do
	ok "$how: hello links" "$IOCC" "$how" -o "$T/hello" "$T/hello.c" &&
		clean "$how: hello" "$T/hello"
	"$IOTRACE_AUDIT" -v "$T/hello" >"$T/out"
	like "$how: write is behind its wrapper" "$T/out" \
		'^(__)?write(_nocancel)?  syscall write  at 0x[0-9a-f,x]+  behind __wrap_'
	like "$how: -v gives reasons" "$T/out" \
		'^__libc_setup_tls  syscall write  at 0x[0-9a-f,x]+  without a wrapper: [a-z]'
	like "$how: the recorder is seen" "$T/out" "^[1-9][0-9]* sites? (is|are) the recorder's$"

	ok "$how: a program with most of libc links" "$IOCC" "$how" -O2 -w -o "$T/libc" \
		"$top_srcdir/t/audit/libc.c" && clean "$how: most of libc" "$T/libc"

	ok "$how: a program with holes links" "$IOCC" -DHOLES "$how" -O2 -o "$T/holes" \
		"$top_srcdir/t/audit/holes.c"
	"$IOTRACE_AUDIT" "$T/holes" >"$T/out"
	is "$how: holes: exit status" $? 1
	sed -n '/ reached from /s/  at [0-9a-fx,]*//p' "$T/out" >"$T/got"
	cat >"$T/expected" <<'END'
raw_any  syscall unknown number  reached from main
raw_read  syscall read  reached from main
END
	same "$how: holes are listed, nothing else is" "$T/got" "$T/expected"
	ok "$how: the program without holes links" "$IOCC" "$how" -O2 -o "$T/closed" \
		"$top_srcdir/t/audit/holes.c" && clean "$how: without holes" "$T/closed"

	ok "$how: a call within an object file links" "$IOCC" "$how" -O2 -o "$T/local" \
		"$top_srcdir/t/audit/static-local.c"
	"$IOTRACE_AUDIT" "$T/local" >"$T/out"
	is "$how: a call within an object file: exit status" $? 1
	like "$how: a call within an object file" "$T/out" \
		'^fsync  syscall fsync  at 0x[0-9a-f]+  reached from main$'
done

# Linkers for which iocc does without --wrap, and others.
# Numbers are no pointers where pointers have relocations: in static-pie
# executables small ones would point anywhere in the code.
cat >"$T/numbers.c" <<'C'
#include <stdio.h>

__asm__(".data\n.balign 8\n.set number, 0x8000\n.rept 131072\n.quad number\n"
	".set number, number + 5\n.endr\n.text\n");

int main(void)
{
	return puts("numbers") < 0;
}
C
ok 'numbers: links' "$IOCC" -static-pie -O2 -o "$T/numbers" "$T/numbers.c" && clean numbers "$T/numbers"

# looped NAME BYTES DATA: a program that makes a system call in a loop, and that has DATA, where
# .Lplace is so many bytes behind the beginning of the system call instruction
looped()
{
	cat >"$T/$1.c" <<C
#include <stdio.h>

int looped(int n);
__asm__(".text\n.globl looped\n.type looped,@function\nlooped:\n\tmov \$39, %r8d\n1:\txor %edx, %edx\n"
	"\tmov %r8d, %eax\n\t.set .Lplace, . + $2\n\tsyscall\n\tsub \$1, %edi\n\tjnz 1b\n\tret\n"
	".size looped, . - looped\n.data\n.balign 8\n$3\n.text\n");

int main(void)
{
	return puts("$1") < 0 || looped(3) <= 0;
}
C
	ok "$1: links" "$IOCC" -static -O2 -o "$T/$1" "$T/$1.c"
}

# Nor are they where they lie within an instruction: text that is as large as an address.
looped within -1 '.quad .Lplace' && clean 'within an instruction' "$T/within"
# Nor halves of larger numbers.
looped half 0 '.long 0x6fc10000\n.quad .Lplace' && clean 'half a number' "$T/half"
# A whole one leads there, as one of a table of jumps does: nothing is known of the registers, then.
looped whole 0 '.quad 0\n.quad .Lplace'
"$IOTRACE_AUDIT" "$T/whole" >"$T/out"
like 'a whole one: the number is not known' "$T/out" '^looped  syscall unknown number'

for linker in lld mold gold; do
	if ! $CC -static -fuse-ld=$linker -o "$T/hello" "$T/hello.c" 2>/dev/null; then
		skip "$linker: most of libc" "no static links by $linker here"
		continue
	fi
	ok "$linker: a program with most of libc links" "$IOCC" -static -fuse-ld=$linker -O2 -w \
		-o "$T/libc" "$top_srcdir/t/audit/libc.c" && clean "$linker: most of libc" "$T/libc"
done
ok 'a program with most of libc links with -flto' "$IOCC" -static -flto -O2 -w -o "$T/libc" \
	"$top_srcdir/t/audit/libc.c" && clean '-flto: most of libc' "$T/libc"

# And without iocc.
# shellcheck disable=SC2086 # CC may be several words
ok 'hello without wrappers links' $CC -static -o "$T/plain" "$T/hello.c"
"$IOTRACE_AUDIT" "$T/plain" >"$T/out"
is 'hello without wrappers: exit status' $? 1
like 'hello without wrappers: says so' "$T/out" 'has no wrappers: it was not linked with iocc'

done_testing
