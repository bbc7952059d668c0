#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program calls functions while its stack is not aligned; those that work so without us
# work with us.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

iotrace_run=$top_builddir/tools/iotrace-run

# compiles NAME COMPILER...
compiles()
{
	name=$1
	shift
	ok "compiles: $name" "$@" -g -O1 -o "$T/$name" "$rec_src/aligned.c" || done_testing
}

# called NAME COMMAND...: as without us, and recorded
called()
{
	tap_about="$1: "
	shift
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	(cd "$T/in" && IOTRACE_DIR=$logs "$@" >"$T/out" 2>"$T/err")
	is 'status' $? 0
	ok 'each call returns the same' diff "$T/plain.out" "$T/out"
	cat_logs
	count 'each write' '$call == "write" && $path ~ /file$/ && $ret == 5' 3001
	tap_about=
}

# without IOTRACE COMMAND: leaves $T/plain.out
without()
{
	rm -rf "$T/in"
	mkdir "$T/in"
	(cd "$T/in" && "$@" >"$T/plain.out")
	is "without iotrace, $1: status" $? 0
}

# shellcheck disable=SC2086 # CC may have options
compiles plain $CC
compiles static "$IOCC" -static
compiles dispatched "$IOCC" -static --iotrace-syscalls
compiles dynamic "$IOCC"
without "$T/plain"
called static "$T/static"
called dynamic "$T/dynamic"
called dispatched env IOTRACE_SYSCALLS=1 "$T/dispatched"
called preloaded "$iotrace_run" -o "$logs" -- "$T/plain"
called 'preloaded, dispatched' "$iotrace_run" --syscalls -o "$logs" -- "$T/plain"

if [ -f "$top_builddir/lib/libiotrace-musl.a" ]; then
	# musl comes without the kernel's headers
	kernel=-isystem$top_builddir/lib/gen-musl/kernel
	# shellcheck disable=SC2086 # IOT_MUSL_CC may have options
	compiles plain-musl $IOT_MUSL_CC -static "$kernel"
	compiles musl env IOCC_CC="$IOT_MUSL_CC" "$IOCC" -static "$kernel"
	without "$T/plain-musl"
	called musl "$T/musl"
else
	skip 'musl' 'there is no compiler for it'
fi
done_testing
