#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that closes all of its descriptors while its threads make calls: nobody ever sees
# a descriptor of the recorder's in the place of the lowest.
# shellcheck disable=SC2016,SC2086 # awk's fields; CC may have options
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

source=$rec_src/sweep.c
mkdir "$T/in"
ok 'compiles without iocc' $CC -pthread -O2 "$source" -o "$T/plain" || done_testing
ok 'static: compiles' "$IOCC" -static -pthread -O2 "$source" -o "$T/static" || done_testing
ok 'dynamic: compiles' "$IOCC" -pthread -O2 "$source" -o "$T/dynamic" || done_testing

# sweep WHAT HOW PROGRAM...
sweep()
{
	what="$1, $2"
	how=$2
	shift 2
	rm -rf "$logs"
	mkdir "$logs"
	IOTRACE_DIR=$logs "$@" "$how" 300 >"$T/out" 2>&1
	is "$what: numbers and limits are the program's own" "$? $(cat "$T/out")" \
		'0 0 of another number, 0 times another limit'
	sound "$what"
	# all 300 rounds
	count "$what: what is closed and opened then is there" '$call == "close" && $ret == 0' 6000
}

for how in syscall asm; do
	sweep static "$how" "$T/static"
	sweep dynamic "$how" "$T/dynamic"
	sweep preloaded "$how" "$top_builddir/tools/iotrace-run" "$T/plain"
done
done_testing
