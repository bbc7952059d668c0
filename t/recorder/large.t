#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An environment that has room for itself, but not for what the recorder adds to it: the program
# runs as without us.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

run=$top_builddir/tools/iotrace-run
build large -Wall
# shellcheck disable=SC2086 # CC may have options
ok 'compiles without iocc' $CC -g -O1 -o "$T/large" "$rec_src/large.c" || done_testing
ok 'compiles as a dynamic program' "$IOCC" -g -O1 -o "$T/dynamic" "$rec_src/large.c" || done_testing
mkdir -p "$logs"
"$T/large" >"$T/plain.out" 2>&1
is 'untraced: it ends well' $? 0
# large NAME COMMAND...
large()
{
	name=$1
	shift
	rm -rf "$logs"
	mkdir "$logs"
	IOTRACE_DIR=$logs "$@" >"$T/out" 2>&1
	is "$name: it ends well" $? 0
	ok "$name: as much fits as untraced" diff "$T/plain.out" "$T/out"
}
large static "$T/traced/large"
large dynamic "$T/dynamic"
large preloaded "$run" -o "$logs" -- "$T/large"
large dispatched "$run" --syscalls -o "$logs" -- "$T/large"
done_testing
