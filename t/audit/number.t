#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-audit finds the system call number of a site, or says that it can't,
# and knows which numbers are I/O.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"

# shellcheck disable=SC2317 # called by ok
build()
{
	$CC -nostdlib "$@" -o "$T/numbers" "$top_srcdir/t/audit/numbers.S"
}

# Function and call of each line that is expected, as the comments in numbers.S have it.
cat >"$T/expected" <<'END'
clobbered unknown number
conditional link
conditional unlink
copied pwrite64
loaded fsync
looped ftruncate
memory unknown number
merged mkdir
merged rmdir
newer number 9999
old_way int 0x80
old_way sysenter
padded sync
passed unknown number
plain write
pushed close
switched rename
switched unlink
zero read
END

for how in -static -static-pie; do
	ok "$how: the program links" build "$how" || continue
	exits "$how: sites are found" 1 "$IOTRACE_AUDIT" "$T/numbers"
	"$IOTRACE_AUDIT" "$T/numbers" >"$T/out" 2>"$T/err"
	sed 's/  syscall / /; s/  at 0x.*//' "$T/out" >"$T/got"
	same "$how: numbers are as in the source" "$T/got" "$T/expected"
	is "$how: nothing on standard error" "$(cat "$T/err")" ''
	"$IOTRACE_AUDIT" "$T/numbers" >"$T/again"
	same "$how: a second run says the same" "$T/again" "$T/out"
done

# Every call that calls.def records is I/O here, and is a call of the kernel's.
sed -n 's/^[a-z].*[[ ]sys=\([a-z0-9_]*\).*/\1/p' "$top_builddir/table/calls.def" | sort -u >"$T/sys"
ok 'calls.def names system calls' test -s "$T/sys"
sed -n 's/^SYSCALL([0-9]*, \([a-z0-9_]*\), IO)$/\1/p' "$top_srcdir/table/syscalls-x86_64.def" |
	sort >"$T/io"
comm -23 "$T/sys" "$T/io" >"$T/missing"
is 'system calls of calls.def are I/O in syscalls-x86_64.def' "$(cat "$T/missing")" ''

done_testing
