#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-ctl switches the recording of a running program off and on, for all of its
# threads and forked children from their next call on; what comes later is right, and
# tools say that something is missing.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

ctl=$top_builddir/tools/iotrace-ctl
build ctl -Wall -pthread

# begin: the program, whose standard input is our descriptor 5 and output 6; it is $program
begin()
{
	rm -rf "$T/in" "$logs" "$T/to" "$T/from"
	mkdir "$T/in" "$logs"
	mkfifo "$T/to" "$T/from"
	(cd "$T/in" && IOTRACE_DIR=$logs exec "$T/traced/ctl" <"$T/to" >"$T/from" 2>"$T/err") &
	program=$!
	exec 5>"$T/to" 6<"$T/from"
}

# steps N: that many more
steps()
{
	for _ in $(seq "$1"); do
		printf x >&5
		read -r _ <&6
	done
}

end()
{
	exec 5>&-
	wait "$program"
	is "$1: the program ended well" "$?" 0
	exec 6<&-
	none "$1: and said nothing" "$T/err"
}

# written STEP HOW-MANY: of the three, so many writes of that step
written()
{
	count "step $1: $2 writes" "\$call == \"write\" && \$size == $1 && \$path ~ \"/in/(main|thread|child)\$\"" "$2"
}

begin
steps 1
"$ctl" $program status >"$T/status.1"
ok 'off' "$ctl" $program off
steps 2
"$ctl" $program status >"$T/status.2"
ok 'off again' "$ctl" $program off
ok 'on' "$ctl" $program on
steps 1
"$ctl" $program status >"$T/status.3"
ok 'off for the second time' "$ctl" $program off
steps 1
end 'off and on'
like 'status: on' "$T/status.1" "^$program: recording is on, in $logs/ctl\..*\.iotrace\$"
like 'status: off' "$T/status.2" "^$program: recording is off for [0-9]+\.[0-9]{3} s, in $logs/ctl\..*\.iotrace\$"
like 'status: on again' "$T/status.3" "^$program: recording is on, was off 1 time, [0-9]+\.[0-9]{3} s, in "
cat_logs -y
is 'the log is read' "$cat_status" 0
written 1 30
written 2 0
written 3 0
written 4 30
written 5 0
for who in main thread child; do
	is "$who: offsets are right after that" "$(by_column -v who="/in/$who" \
		'$call == "write" && $size == 4 && substr($path, length($path) - length(who) + 1) == who { printf "%d ", $offset }' "$T/calls")" \
		"$("$AWK" 'BEGIN { for (i = 0; i < 10; i++) printf "%d ", 60 + 4 * i }')"
done
like 'iotrace-cat says so' "$T/cat.err" 'recording was switched off 2 times by iotrace-ctl, for [0-9.]+ s'
"$IOTRACE_STAT" "$logs" >/dev/null 2>"$T/stat.err"
like 'iotrace-stat too' "$T/stat.err" 'recording was switched off 2 times by iotrace-ctl, for [0-9.]+ s'
"$ctl" $program status >"$T/out" 2>&1
is 'a process that has ended' "$? $(cat "$T/out")" "2 iotrace-ctl: $program: there is no such process"

# a log that has no name any more
begin
steps 1
mv "$logs"/ctl.*.iotrace "$T/elsewhere.iotrace"
: >"$logs/other"
ok 'the log was renamed' "$ctl" $program off
steps 1
mkdir "$T/kept"
ln "$T/elsewhere.iotrace" "$T/kept/"
rm "$T/elsewhere.iotrace"
steps 1
ok 'the log was renamed again' "$ctl" $program on
steps 1
mv "$T/kept/elsewhere.iotrace" "$logs/"
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$T" "$logs"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$ctl" $program off >"$T/out" 2>&1
	is 'somebody else may not' "$?" 2
	like 'and is told so' "$T/out" '^iotrace-ctl: [0-9]*: /proc/[0-9]*/task/[0-9]*/maps: Permission denied; only the process'"'"'s user'
else
	skip 'somebody else may not' 'not root'
fi
steps 1
end 'no name'
cat_logs -y
written 1 30
written 2 0
written 3 0
written 4 30
written 5 30

# --- what is wrong
sleep 100 &
sleeping=$!
"$ctl" $sleeping off >"$T/out" 2>&1
is 'a process without a log' "$? $(cat "$T/out")" "2 iotrace-ctl: $sleeping: the process writes no log, or has made no call yet"
kill $sleeping
for bad in '' '1' '1 out' 'x off' '1 on off' '-1 on'; do
	# shellcheck disable=SC2086 # several arguments
	exits "iotrace-ctl $bad" 2 "$ctl" $bad
done
done_testing
