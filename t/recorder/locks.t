#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Locks that a program has of its own executable, and of libc, are its own affair: the recorder
# closes no descriptor of these files, by which the kernel would take the locks away.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

run=$top_builddir/tools/iotrace-run
build locks -Wall
# shellcheck disable=SC2086 # CC may have options
ok 'compiles without iocc' $CC -g -O1 -DDYNAMIC -o "$T/locks" "$rec_src/locks.c" || done_testing
ok 'compiles as a dynamic program' "$IOCC" -g -O1 -DDYNAMIC -o "$T/dynamic" "$rec_src/locks.c" || done_testing
libc=$(ldd "$T/locks" | sed -n 's/.*=> \(.*libc\.so[^ ]*\).*/\1/p')

# locks NAME COMMAND...
locks()
{
	name=$1
	shift
	rm -rf "$logs"
	mkdir "$logs"
	IOTRACE_DIR=$logs "$@" "$libc" >"$T/out" 2>"$T/err"
	is "$name: it ends well" $? 0
	ok "$name: it loses no other lock" diff "$lost" "$T/out"
	cat_logs
	count "$name: both programs sorted" '$call == "write" && $path == "/dev/null"' 6
}

# what is lost without iotrace, as by ld.so, which reads what it loads
"$T/locks" "$libc" >"$T/lost" 2>"$T/err"
is 'untraced: it ends well' $? 0
# which loads nothing
lost=/dev/null
locks static "$T/traced/locks"
lost=$T/lost
locks dynamic "$T/dynamic"
locks preloaded "$run" -o "$logs" -- "$T/locks"
locks dispatched "$run" --syscalls -o "$logs" -- "$T/locks"
done_testing
