#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All tools alike: --help, -h, --version; an unknown option, a value that is none, no file,
# a file that can't be read, filters that nothing passes; and the values that options take.
# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
run=$top_builddir/tools/iotrace-run
ctl=$top_builddir/tools/iotrace-ctl
export=$top_builddir/tools/iotrace-export

perl -I"$top_srcdir/t/lib" -MMkLog -e '
	my $l = MkLog->new;
	$l->block(records => [ MkLog::path(1, "/data/in"), MkLog::handle(1, 3, 1),
		$l->compact("write", handle => 1, start => 1000, dur => 999_999, size => 4096, offset => 0),
		$l->compact("write", handle => 1, start => 2_000_000, dur => 1_000_000, size => 4095, offset => 4096) ]);
	$l->save($ARGV[0])' "$T/x.iotrace"

# says STATUS PATTERN TOOL ARGUMENT...: nothing but one line that begins with the tool's name
says()
{
	tap_want=$1
	tap_pattern=$2
	tap_tool=$3
	shift 3
	"$tap_tool" "$@" >"$T/out" 2>"$T/err" </dev/null
	tap_status=$?
	tap_about="${tap_tool##*/}${1+ }$*: "
	is 'status' $tap_status "$tap_want"
	is 'prints nothing' "$(cat "$T/out")" ''
	is 'says one thing' "$(wc -l <"$T/err" | tr -d ' ')" 1
	like 'and what' "$T/err" "^${tap_tool##*/}: .*$tap_pattern"
	tap_about=
}

for tool in "$IOTRACE_CAT" "$IOTRACE_STAT" "$IOTRACE_PACK" "$IOTRACE_AUDIT" "$run" "$ctl" \
	"$top_builddir/tools/iotrace" "$export" "$top_builddir/tools/iotrace-drop-cache" \
	"$top_builddir/tools/iotrace-warm"; do
	name=${tool##*/}
	trouble=2
	[ "$tool" != "$run" ] || trouble=125
	"$tool" --help >"$T/help"
	is "$name --help: status" $? 0
	like "$name: Usage comes first" "$T/help" "^Usage: $name "
	like "$name: --help names -h" "$T/help" '^  -h, --help  '
	like "$name: and --version" "$T/help" '^  -V, --version  '
	like "$name: and exit statuses" "$T/help" 'Exit status'
	for help in -h '-?'; do
		"$tool" "$help" >"$T/out"
		is "$name $help: status" $? 0
		ok "$name $help: the same" cmp "$T/help" "$T/out"
	done
	is "$name -V" "$("$tool" -V)" "$("$tool" --version)"
	like_version=$("$tool" --version)
	is "$name --version: its name" "${like_version%% (*}" "$name"
	"$tool" --no-such-option >"$T/out" 2>"$T/err"
	is "$name: an unknown option: status" $? $trouble
	is "$name: an unknown option: prints nothing" "$(cat "$T/out")" ''
	like "$name: an unknown option: is named" "$T/err" "^$name: .*--no-such-option"
done

says 2 'no log is given' "$IOTRACE_CAT"
says 2 'no log is given' "$IOTRACE_STAT"
says 2 'no log is given' "$IOTRACE_PACK"
says 2 'no program is given' "$IOTRACE_AUDIT"
says 125 'no program is given' "$run"
says 2 'no log is given' "$export"
says 2 'give --to=FORMAT' "$export" "$T/x.iotrace"
says 2 "--to: 'xml' is none of " "$export" --to=xml -o "$T/out.xml" "$T/x.iotrace"
says 2 "--to: '1x' is no time" "$export" --to=1x -o "$T/out.xml" "$T/x.iotrace"
says 2 'a process and what to do' "$ctl"
says 2 'x: is no process id' "$ctl" x on
says 2 "1: 'up' is none of on, off and status" "$ctl" 1 up
says 2 'now: too many arguments' "$ctl" 1 on now

for tool in "$IOTRACE_CAT" "$IOTRACE_STAT" "$IOTRACE_PACK" "$IOTRACE_AUDIT"; do
	says 2 'No such file' "$tool" "$T/none"
	# also for root
	ln -sf loop "$T/loop"
	says 2 'Too many levels' "$tool" "$T/loop"
done
says 127 'not found' "$run" "$T/none"
says 126 'x.iotrace: ' "$run" "$T/x.iotrace"

for tool in "$IOTRACE_CAT" "$IOTRACE_STAT"; do
	says 2 "--format: 'xml' is none of text, json" "$tool" --format=xml "$T/x.iotrace"
	# times and sizes
	for value in '' x 1x 1.5.5 -1 1e99 inf nan 0x10y; do
		says 2 "--min-time: '$value' is no time; give seconds, or a unit, as 100us, 10ms, 1.5s or 2min, up to 30 years" \
			"$tool" "--min-time=$value" "$T/x.iotrace"
	done
	for value in '' x -1 1.5K 1kk 1KiBs 99999999999999999999 99999999999T; do
		says 2 "--min-size: '$value' is no size; give bytes, or with a unit, as 64K, 10M, 1g or 1T" \
			"$tool" "--min-size=$value" "$T/x.iotrace"
	done
done
says 1 'no call passes --calls' "$IOTRACE_CAT" -e read "$T/x.iotrace"
says 1 'no call passes --path, --failed' "$IOTRACE_CAT" -P /etc -Z "$T/x.iotrace"
says 1 'no call passes --rank' "$IOTRACE_CAT" -f --rank=3 "$T/x.iotrace"
"$IOTRACE_STAT" --format=json -e read "$T/x.iotrace" >"$T/out" 2>"$T/err"
is 'iotrace-stat -e read: status' $? 1
is 'iotrace-stat -e read: says so' "$(cat "$T/err")" 'iotrace-stat: no call passes --calls'
like 'iotrace-stat -e read: and has sums of none' "$T/out" '"calls":0,'
says 2 "--top: 'x' is no number, 0 or more" "$IOTRACE_STAT" --top=x "$T/x.iotrace"
says 2 "--top: '99999999999999999999' is no number" "$IOTRACE_STAT" --top=99999999999999999999 "$T/x.iotrace"
says 2 "--level: '20' is no number from 1 to 19" "$IOTRACE_PACK" --level=20 "$T/x.iotrace"
says 2 "--sort: 'name' is none of time, bytes and count" "$IOTRACE_STAT" --sort=name "$T/x.iotrace"
says 2 "--format: 'xml' is none of text and json" "$IOTRACE_AUDIT" --format=xml "$T/x.iotrace"
says 2 "--blocked: 'x' is no time" "$IOTRACE_CAT" --blocked=x "$T/x.iotrace"

# sizes OPTION...: of the calls that are printed
sizes()
{
	"$IOTRACE_CAT" "$@" "$T/x.iotrace" 2>/dev/null | sed 's/.*, \([0-9]*\)) =.*/\1/' | paste -s -d ' '
}
for same in 1000us 1ms 0.001s .001 1e-3 1000000ns; do
	is "--min-time=$same" "$(sizes --min-time=$same)" 4095
done
for same in 0 999us 0h 0m 0min 0d; do
	is "--min-time=$same" "$(sizes --min-time=$same)" '4096 4095'
done
for same in 4096 4K 4k 4KiB 4kb; do
	is "--min-size=$same" "$(sizes --min-size=$same)" 4096
done
is '--min-size=4095' "$(sizes --min-size=4095)" '4096 4095'
for same in 1m 1g 1T 1GiB; do
	is "--min-size=$same" "$(sizes --min-size=$same)" ''
done
"$IOTRACE_STAT" --format=csv --by=call --min-size=4K "$T/x.iotrace" >"$T/out"
like 'iotrace-stat --min-size' "$T/out" '^write,posix,1,'
# an empty name of a file, as an unset variable of a shell leaves it
report=$top_builddir/tools/iotrace-report
for tool in "$IOTRACE_PACK" "$export" "$report"; do
	[ -x "$tool" ] || continue
	to=
	[ "$tool" != "$export" ] || to=--to=perfetto
	says 2 '--output: .* is empty' "$tool" $to -o '' "$T/x.iotrace"
done
for tool in "$IOTRACE_CAT" "$IOTRACE_STAT" "$top_builddir/tools/iotrace-drop-cache"; do
	says 2 "'': " "$tool" ''
done
says 127 "'': not found" "$top_builddir/tools/iotrace-run" ''

done_testing
