#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The line that says how far reading has got: on a terminal and nowhere else, after a
# while, and gone at the end.  strace makes reading slow.
. "${0%/*}/../lib/tap.sh"

perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new;
	my $records = join "", map { $l->compact("sync", start => $_ * 10, dur => 5)->(0) } 1 .. 2600;
	$l->block(seq => $_, base => $_ * 26000, records => [ MkLog::raw($records) ]) for 0 .. 25;
	$l->save($ARGV[0])' "$T/log.iotrace"
TERM=vt100
export TERM

# on_terminal COMMAND: on a terminal of its own; what it wrote there in $T/screen
on_terminal()
{
	script -qec "$1" /dev/null >"$T/screen" </dev/null
	tap_status=$?
}
slow="strace -qq -o /dev/null -e trace=pread64 -e inject=pread64:delay_enter=20000"

# the line as it is on the screen: what a carriage return begins and the next ends
lines()
{
	tr '\r' '\n' <"$T/screen" | grep ' %' >"$T/lines"
}

on_terminal "$slow '$IOTRACE_STAT' '$T/log.iotrace' >'$T/out'"
is 'iotrace-stat: status' $tap_status 0
lines
like 'iotrace-stat: how far it got' "$T/lines" '^ *[0-9]+ % \[#+ +\] [0-9.]+ k calls, [0-9.]+( k)?/s, [0-9]+ s left'
ok 'iotrace-stat: more than once' test "$(wc -l <"$T/lines")" -gt 3
# shellcheck disable=SC2016 # awk's fields
ok 'iotrace-stat: no line is longer than a terminal' "$AWK" '{ sub(/\033.*/, "") } length($0) > 79 { exit 1 }' "$T/lines"
ok 'iotrace-stat: it grows' sh -c "sed 's/ %.*//' '$T/lines' | sort -n -c"
is 'iotrace-stat: cleared at the end' "$(tail -c 4 "$T/screen" | od -An -tx1 | tr -d ' ')" 0d1b5b4b
unlike 'iotrace-stat: not in the output' "$T/out" '% \[|left'
like 'iotrace-stat: which is there' "$T/out" '^67600 calls'
on_terminal "$slow '$IOTRACE_STAT' '$T/log.iotrace'"
lines
ok 'iotrace-stat: also if output goes to that terminal' test -s "$T/lines"
like 'iotrace-stat: which comes behind it' "$T/screen" '\[K67600 calls|^67600 calls'

on_terminal "$slow '$IOTRACE_CAT' '$T/log.iotrace' >'$T/out'"
is 'iotrace-cat: status' $tap_status 0
lines
ok 'iotrace-cat: how far it got' test -s "$T/lines"
is 'iotrace-cat: cleared at the end' "$(tail -c 4 "$T/screen" | od -An -tx1 | tr -d ' ')" 0d1b5b4b
is 'iotrace-cat: all calls are printed' "$(grep -c '^sync()' "$T/out")" 67600
on_terminal "$slow '$IOTRACE_CAT' '$T/log.iotrace'"
lines
is 'iotrace-cat: not on the terminal that it prints to' "$(wc -l <"$T/lines")" 0

for tool in "$IOTRACE_CAT" "$IOTRACE_STAT"; do
	on_terminal "$slow '$tool' '$T/log.iotrace' | cat >'$T/out'"
	is "${tool##*/}: nothing where a pager may be" "$(wc -c <"$T/screen")" 0
	ok "${tool##*/}: which gets the output" test -s "$T/out"
	on_terminal "$slow '$tool' '$T/none.iotrace' '$T/log.iotrace' 2>&1 >'$T/out' | cat >'$T/err'"
	is "${tool##*/}: a message in a pipe has nothing before it" "$(sed 's/[^:]*: //' "$T/err")" \
		"$T/none.iotrace: can't be opened: No such file or directory"
done
for tool in "$IOTRACE_CAT" "$IOTRACE_STAT"; do
	on_terminal "$slow '$tool' --no-progress '$T/log.iotrace' >'$T/out'"
	is "${tool##*/} --no-progress: nothing" "$(wc -c <"$T/screen")" 0
	$slow "$tool" "$T/log.iotrace" >"$T/out" 2>"$T/err"
	is "${tool##*/}: nothing in a file" "$(wc -c <"$T/err")" 0
	on_terminal "TERM=dumb; export TERM; $slow '$tool' '$T/log.iotrace' >'$T/out'"
	is "${tool##*/}: nothing on a terminal that can't go back" "$(wc -c <"$T/screen")" 0
done
done_testing
