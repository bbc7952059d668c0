#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# iotrace-cat --follow: every call of programs that run is printed once and whole,
# whatever they do meanwhile, and those that threads are blocked in are shown.
# shellcheck disable=SC2016,SC2119,SC2317 # awk's fields; functions that await calls, or have options
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build follow -Wall
build ending -Wall
build fork -Wall

# await COMMAND...: until it succeeds; ten minutes are for ever
await()
{
	tries=0
	while ! "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 6000 ] || return 1
		sleep 0.1
	done
}

# fresh: empty directories
fresh()
{
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
}

# follow [OPTION...]: in the background; $follower is its pid
follow()
{
	"$IOTRACE_CAT" --follow "$@" >"$T/live" 2>"$T/live.err" &
	follower=$!
}

# start PROGRAM...: the traced program in the background; $program is its pid
start()
{
	(cd "$T/in" && IOTRACE_DIR=$logs exec "$@" >"$T/out" 2>"$T/err" </dev/null) 2>/dev/null &
	program=$!
}

# printed NUMBER PATTERN: so many lines or more
printed()
{
	[ "$(grep -c "$2" "$T/live")" -ge "$1" ]
}

# said NUMBER: so many lines, by the program
said()
{
	[ "$(wc -l <"$T/out")" -ge "$1" ]
}

# without FILE: calls without times, which depend on how much of the log was known,
# in one order
without()
{
	grep -v '^#' "$1" | cut -d! -f4-6,9,12- | sort
}

# ends DESCRIPTION: the follower ends, and printed what the finished logs hold
ends()
{
	wait $follower
	is "$1: the follower ends by itself" $? 0
	is "$1: and has nothing to say" "$(cat "$T/live.err")" ''
	"$IOTRACE_CAT" --format=raw "$logs" >"$T/raw" 2>&1
	without "$T/raw" >"$T/want"
	without "$T/live" >"$T/got"
	diag "$1: $(wc -l <"$T/want") calls"
	same "$1: every call once and as it is in the log" "$T/got" "$T/want"
}

# in_order DESCRIPTION: those of each thread are
in_order()
{
	is "$1: in order within each thread" "$(by_column '
		!/^#/ { id = $pid "/" $tid; if ($start < last[id]) n++; last[id] = $start }
		END { print n + 0 }' "$T/live")" 0
}

# Four threads at full speed, and a follower that now and then stands still.  It
# waits for the directory's first log.  (TEST_LONG=1: for longer)
if [ "${TEST_LONG:-0}" = 1 ]; then n=500000; else n=150000; fi
fresh
follow --format=raw --blocked=1000 "$logs"
start "$T/traced/follow" flat $n
for stop in 1 2 3; do
	sleep 0.2
	kill -STOP $follower
	sleep 0.0$stop
	kill -CONT $follower
done
wait $program
ends 'at full speed'
in_order 'at full speed'
is 'at full speed: all calls are there' "$(grep -c '!pread!.*/file!' "$T/live")" $((4 * n))

# Windows that are full all the time
IOTRACE_BUFFER=16384
export IOTRACE_BUFFER
fresh
follow --format=raw --blocked=1000 "$logs"
start "$T/traced/follow" flat $((n / 8))
ends 'small buffers'
in_order 'small buffers'

# Killed at any moment, with a call in progress or none
for delay in 02 05 09 14 21 33; do
	fresh
	follow --format=raw "$logs"
	start "$T/traced/ending" forever 0
	await test -s "$T/in/calls"
	sleep 0.$delay
	kill -9 $program
	ends "killed after 0.$delay s"
done 2>/dev/null
unset IOTRACE_BUFFER

# Children, all in one log
fresh
follow --format=raw "$logs"
start "$T/traced/fork" burst 100
ends 'children'
is 'children: every process was found' "$(cut -d! -f4 "$T/live" | grep -c '^[0-9]')" "$(grep -vc '^#' "$T/raw")"
is 'children: it is one log' "$(grep -c '^#log!' "$T/live")" 1
is 'children: of so many processes' "$(n_processes)" 101
fresh
follow --format=raw "$logs"
start "$T/traced/fork" threads 30
ends 'forks of threads'

# Children that outlive their parents, and record nothing for long: what is followed has
# not ended
IOTRACE_CALLS=posix
export IOTRACE_CALLS
fresh
follow --format=raw "$logs"
start "$T/traced/follow" orphans 2000
wait $program
for child in 1 2; do
	await said "$child"
	orphan=$(sed -n "${child}p" "$T/out")
	sleep 1		# so that the follower looks for who is left
	if ! packs "orphans: iotrace-pack and child $child"; then
		kill -USR1 "$orphan"
		continue
	fi
	"$IOTRACE_PACK" "$logs" >"$T/pack.out" 2>"$T/pack.err"
	is "orphans: iotrace-pack leaves the log of child $child alone" "$(find "$logs" -name '*.packed*')" ''
	like "orphans: and says that child $child writes it" "$T/pack.err" "seems to be written by process $orphan still"
	kill -USR1 "$orphan"
done
ends 'orphans'
is 'orphans: all calls are there' "$(grep -c '!pread!.*/file!' "$T/live")" 6000
is 'orphans: of three processes' "$(n_processes)" 3
is 'orphans: in one log' "$(n_logs)" 1
unset IOTRACE_CALLS

# A program that executes another, which is not traced
fresh
follow --format=raw "$logs"
start "$T/traced/ending" exec 100
ends 'exec'

# Calls in progress
fresh
mkfifo "$T/in/fifo"
follow -t --blocked=0.3 "$logs"
start "$T/traced/follow" blocked
await grep -q unfinished "$T/live"
exec 9>"$T/in/fifo"
await grep -q 'read(.*unfinished' "$T/live"
like 'blocked: with path, time so far and since when' "$T/live" \
	'^[0-9]+/[0-9]+ [0-9:.]+ read\(4<.*/in/fifo>, <unfinished \.\.\.> <[0-9]+\.[0-9]{9} since [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}>$'
ok 'blocked: other calls are not held back' await printed $(($(grep -c pwrite "$T/live") + 3)) pwrite
kill -STOP $follower	# a second one sees what is there
"$IOTRACE_CAT" -f --format=json --blocked=0.2 "$logs"/*.iotrace >"$T/json" 2>"$T/json.err" &
second=$!
kill -CONT $follower
await grep -q unfinished "$T/json"
kill -INT $second
wait $second
is 'SIGINT: status' $? 0
is 'SIGINT: nothing is wrong' "$(cat "$T/json.err")" ''
tail -n 1 "$T/json" >"$T/last"
grep -c '"call":"read".*"status":"unfinished"' "$T/json" >"$T/n"
ok 'SIGINT: the call is shown again' test "$(cat "$T/n")" -gt 1
like 'JSON: a call in progress' "$T/json" '^\{"start":[0-9]+,"dur":[0-9]{9,},.*"call":"read",.*"fd":4,"path":".*/in/fifo","status":"unfinished"\}$'
is 'JSON: its start stays' "$(grep '"call":"read".*"status":"unfinished"' "$T/json" | cut -d, -f1 | sort -u | wc -l)" 1
printf 'hello' >&9
await grep -q 'read resumed>' "$T/live"
like 'resumed: with what was not known before' "$T/live" '^[0-9]+/[0-9]+ [0-9:.]+ <\.\.\. read resumed>\.\.\., 8\) = 5 <[0-9.]+>$'
like 'resumed: the path that was opened' "$T/live" '<\.\.\. open resumed>"/.*/in/fifo", O_RDONLY\) = 4 <'
exec 9>&-
wait $follower
is 'blocked: the follower ends with the program' $? 0
is 'blocked: a call that was said not to return and did is one' "$(grep -c 'execl(' "$T/live")" 1
"$IOTRACE_CAT" -t "$logs" >"$T/text"
is 'blocked: all other lines are as ever' \
	"$(grep -v 'unfinished\|resumed' "$T/live" | sed 's/ [0-9:.]* / /; s/ <[0-9.]*>$//' | sort | cksum)" \
	"$(grep -v ' open("/.*/fifo\| read(4, \.\.\., 8) = 5' "$T/text" | sed 's/ [0-9:.]* / /; s/ <[0-9.]*>$//' | sort | cksum)"

# Filters see the call as it is in the end
fresh
mkfifo "$T/in/fifo"
follow --blocked=0.1 -P '/fifo$' "$logs"
start "$T/traced/follow" blocked
sleep 0.5
exec 9>"$T/in/fifo"
await grep -q 'read(.*unfinished' "$T/live"
exec 9>&-
wait $follower
is 'filter: what was not printed in progress is printed whole' "$(grep -c ' open("/.*/in/fifo", O_RDONLY) = 4 <' "$T/live")" 1
is 'filter: nothing else' "$(grep -vc fifo "$T/live")" "$(grep -c 'read resumed' "$T/live")"

# A log that is being made
set -- "$logs"/*.iotrace
: >"$T/new.iotrace"
follow --format=raw "$T/new.iotrace"
dd if="$1" of="$T/new.iotrace" bs=4096 seek=1 skip=1 2>/dev/null
sleep 0.3
dd if="$1" of="$T/new.iotrace" bs=4096 count=1 conv=notrunc 2>/dev/null
ends 'a log without a header yet'

# Those that were packed have ended
if packs 'a packed log'; then
	"$IOTRACE_PACK" -c "$1" >"$T/packed.iotrace"
	follow --format=raw "$T/packed.iotrace"
	ends 'a packed log'
fi

# Below a directory, where directories are made while it is followed
fresh
top=$logs
follow -r --format=raw "$top"
for logs in "$top/a" "$top/b/c"; do
	mkdir -p "$logs"
	start "$T/traced/ending" forever 0
	await grep -q "^#log!.*$logs/" "$T/live"
	[ "$logs" = "$top/b/c" ] || first=$program
done
kill -9 "$first" "$program"
logs=$top
wait $follower
is 'directories below: the follower ends by itself' $? 0
"$IOTRACE_CAT" -r --format=raw "$logs" >"$T/raw" 2>&1
without "$T/raw" >"$T/want"
without "$T/live" >"$T/got"
is 'directories below: there are two logs' "$(grep -c '^#log!' "$T/raw")" 2
same 'directories below: every call once and as it is in the log' "$T/got" "$T/want"

# What was lost
fresh
IOTRACE_LIMIT=200000
export IOTRACE_LIMIT
follow --format=raw "$logs"
start "$T/traced/ending" return 20000
wait $follower
is 'losses: status' $? 0
like 'losses: are told' "$T/live.err" ': [0-9]+ calls were not recorded \(IOTRACE_LIMIT was reached\)$'
is 'losses: once' "$(wc -l <"$T/live.err")" 1
unset IOTRACE_LIMIT

# Logs from elsewhere, of which nobody knows if they go on: what there is is the
# same, also if they are damaged
set --
for log in "$top_srcdir"/t/fuzz/corpus/*; do
	name=${log##*/}
	[ "$name" != empty ] || continue
	"$IOTRACE_CAT" -f --format=raw "$log" >"$T/live-$name" 2>/dev/null &
	set -- "$@" "$name:$!"
done
# read: it has printed what there is, or ended
read_all()
{
	without "$T/live-$name" >"$T/got"
	cmp -s "$T/got" "$T/want" || ! kill -0 "$reader" 2>/dev/null
}
for log in "$@"; do
	reader=${log#*:}
	name=${log%:*}
	"$IOTRACE_CAT" --format=raw "$top_srcdir/t/fuzz/corpus/$name" >"$T/raw" 2>/dev/null
	without "$T/raw" >"$T/want"
	await read_all
	kill -INT "$reader" 2>/dev/null # one that says that it ended is through
	wait "$reader"
	without "$T/live-$name" >"$T/got"
	same "corpus, $name: the same calls" "$T/got" "$T/want"
done

# Damage, and what is no log
printf 'no log' >"$T/no.iotrace"
exits 'no log: status' 1 "$IOTRACE_CAT" -f "$T/no.iotrace"
exits 'no such file: status' 2 "$IOTRACE_CAT" -f "$T/none.iotrace"
exits '--blocked=x: status' 2 "$IOTRACE_CAT" --blocked=x "$logs"
set -- "$logs"/*.iotrace
head -c 40000 "$1" >"$T/cut.iotrace"
exits 'a log that is cut short: status' 1 "$IOTRACE_CAT" -f "$T/cut.iotrace"
done_testing
