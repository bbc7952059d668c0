#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Start times: against the program's own clock, strace's, and in logs cut short.
# shellcheck disable=SC2016 # awk's fields
# Middle values, since on a busy machine anything may come between two clocks.
. "${0%/*}/lib/tap.sh"
. "${0%/*}/lib/recorder.sh"

build times -Wall

# right DESCRIPTION NUMBER MIDDLE DRIFT [STRACE]: times are right to within MIDDLE ns, and
# drift by less than DRIFT in 1000
right()
{
	sound "$1"
	perl "$rec_src/times.pl" "$(head -n 1 "$T/out")" "$T/calls" ${5:+"$5"} >"$T/times" 2>&1
	diag "$1: $(cat "$T/times")"
	ok "$1: right and in order" "$AWK" -v n="$2" -v middle="$3" -v drift="$4" '
		{ exit !($1 == n && $4 < middle && $7 < drift && $(NF - 1) == 0) }' "$T/times"
}

run times 2000 1000 exit
right 'ended' 2000 100000 10
run times 5000 100 kill
is 'killed: it was' "$(cat "$T/status")" 137
right 'cut short after some 50 ms and more' 5000 100000 10
run times 1000 0 kill
sound 'cut short at once'
perl "$rec_src/times.pl" "$(head -n 1 "$T/out")" "$T/calls" >"$T/times"
diag "$(cat "$T/times")"
ok 'cut short at once: right and in order' "$AWK" '{ exit !($1 == 1000 && $4 < 100000 && $(NF - 1) == 0) }' "$T/times"
run times 300 20000 kill
right 'cut short after long naps' 300 100000 10
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	(cd "$T/in" && IOTRACE_DIR=$logs strace -ttt -e trace=pwrite64 -o "$T/strace" "$T/traced/times" 2000 500 exit >"$T/out")
	# the log's own header is a pwrite as well
	grep '"x", 1,' "$T/strace" >"$T/strace.program"
	right 'under strace' 2000 100000 10 "$T/strace.program"
else
	skip 'under strace' 'strace does not work here'
fi
done_testing
