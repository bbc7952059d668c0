#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A log disk that makes those wait who write: the program waits as well and nothing is lost,
# or (IOTRACE_ON_SLOW=drop) blocks are dropped, and the calls in them counted.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build ending -Wall
build threads -Wall
# shellcheck disable=SC2086 # CC may have options
ok 'slowly compiles' $CC -O2 -Wall "$rec_src/slowly.c" -o "$T/slowly" || done_testing

# slow MS SETTING NAME [ARGUMENT...]: $written writes to the log
slow()
{
	slow_ms=$1 setting=$2 rec_name=$3
	shift 3
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	(cd "$T/in" && IOTRACE_DIR=$logs IOTRACE_ON_SLOW=$setting exec "$T/slowly" "$slow_ms" "$T/written" \
		"$T/traced/$rec_name" "$@" >"$T/out" 2>"$T/err" </dev/null)
	echo $? >"$T/status"
	written=$(cat "$T/written" 2>/dev/null)
	cat_logs
}

run_plain ending return 20000
slow 0 wait ending return 20000
[ "$(cat "$T/status")" != 77 ] || skip_all 'the kernel has no user notification'
all=$(how_many 1)
slow 200 wait ending return 20000
undisturbed wait
is 'wait: nothing is lost' "$(lost)" 0
is 'wait: every call is there' "$(how_many 1)" "$all"
waited=$written
ok "wait: $waited blocks were written" test "$waited" -gt 3

slow 200 drop ending return 20000
undisturbed drop
ok "drop: calls are lost, $(lost)" test "$(lost)" -gt 0
is 'drop: all others are there' $(($(how_many 1) + $(lost))) "$all"
ok "drop: fewer blocks were written, $written" test "$written" -lt "$waited"
for tool in "$IOTRACE_CAT" "$IOTRACE_STAT"; do
	"$tool" "$logs" >/dev/null 2>"$T/said"
	like "drop: ${tool##*/} says why" "$T/said" 'calls were not recorded \(the log.s disk was slow'
done
is 'drop: nothing else is wrong' "$(grep -vc 'were not recorded' "$T/cat.err")" 0

# several threads: one waits, the others do not
run_plain threads count 8 5000
slow 0 wait threads count 8 5000
all=$(how_many 1)
slow 100 drop threads count 8 5000
undisturbed 'drop, threads'
ok "drop, threads: calls are lost, $(lost)" test "$(lost)" -gt 0
is 'drop, threads: all others are there' $(($(how_many 1) + $(lost))) "$all"
done_testing
