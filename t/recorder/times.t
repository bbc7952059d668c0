#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Start times: against the program's own clock, strace's, and in logs cut short.
# times.pl says what is right, on however busy a machine.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build times -Wall

# right DESCRIPTION NUMBER [STRACE]: all calls are there, and their times are right and in order
right()
{
	sound "$1"
	count "$1: every call" '$call == "pwrite"' "$2"
	perl "$rec_src/times.pl" "$(head -n 1 "$T/out")" "$T/calls" ${3:+"$3"} >"$T/times" 2>&1
	is "$1: right and in order" $? 0
	diag_file "$T/times"
}

run times 2000 1000 exit
right 'ended' 2000
run times 5000 100 kill
is 'killed: it was' "$(cat "$T/status")" 137
right 'cut short' 5000
run times 1000 0 kill
right 'cut short at once' 1000
run times 300 20000 kill
right 'cut short after long naps' 300
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	(cd "$T/in" && IOTRACE_DIR=$logs strace -ttt -e trace=pwrite64 -o "$T/strace" "$T/traced/times" 2000 500 exit >"$T/out")
	# the log's own header is a pwrite as well
	grep '"x", 1,' "$T/strace" >"$T/strace.program"
	right 'under strace' 2000 "$T/strace.program"
else
	skip 'under strace' 'strace does not work here'
fi
done_testing
