#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whatever ends the process, every call that was finished is in the log, with its
# values, and the one that was not is shown as such.  TEST_LONG=1: killed more often.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build ending -Wall
n=20000

# in_order NUMBER [MORE]: the pwrites in $T/calls are those of a program that made
# so many, from the first on
in_order()
{
	by_column -v n="$1" '
		$call == "pwrite" && $status != "unfinished" {
			if ($offset != 8 * i || $size != 8 || $ret != 8 || $path !~ "/calls$") {
				print "pwrite " i ": " $0
				exit bad = 1
			}
			i++
		}
		END { if (!bad && i != n) { print i " pwrites"; bad = 1 } exit bad }' "$T/calls"
}

# ends HOW: all of its calls are in the log
ends()
{
	both ending "$1" $n
	sound "$1"
	ok "$1: every call" in_order "${2:-$n}"
	is "$1: nothing was lost" "$(lost)" 0
}

ends return $((n + 1))
# the exit that libc.so calls itself is not seen
count 'return: what atexit handlers do is there, beneath exit' '$call == "write" && $depth == '"$(either 1 0)" 1
ends exit $((n + 1))
count 'exit: with its status' '$call == "exit" && $args ~ "3"' 1
ends _exit
count '_exit: with its status' '$call == "_exit" && $args ~ "4"' 1
ends _Exit
count '_Exit: with its status' '$call == "_exit" && $args ~ "4"' 1
ends syscall
ends quick_exit $((n + 1))
ends abort
count 'abort: is there' '$call == "abort"' 1
ends segv
ends bus
ends raise-bus
ends own-bus $((n + 1))
ends term
ends kill
ends thread-exit
"$IOTRACE_CAT" "$logs" >"$T/text"
like 'thread-exit: the call that another thread was blocked in' "$T/text" 'read\(.*<unfinished'
ends thread-segv
ends thread-kill
"$IOTRACE_CAT" "$logs" >"$T/text"
like 'thread-kill: the call that another thread was blocked in' "$T/text" 'read\(.*<unfinished'
ends stuck
"$IOTRACE_CAT" "$logs" >"$T/text"
is 'stuck: one call is unfinished' "$(grep -c 'read(.*<unfinished' "$T/text")" 1
# the last record is that of the call that was begun last, but for exits
count 'stuck: with the time when it began' '$status == "unfinished" && $start > 1600000000000000000' 1

run_plain ending pthread_exit $n
run ending pthread_exit $n
undisturbed pthread_exit
sound pthread_exit
count 'pthread_exit: calls of both threads' '$call == "pwrite"' $((2 * n))

for how in exec exec-thread; do
	both ending $how $n
	is "$how: a log before and one after" "$(n_logs)" 2
	sound "$how"
	count "$how: calls of both" '$call == "pwrite"' $((2 * n))
	count "$how: and itself" '$call == "execl"' 1
done

both ending exec-fails $n
is 'exec-fails: one log' "$(n_logs)" 1
sound 'exec-fails'
ok 'exec-fails: every call' in_order $((2 * n))
is 'exec-fails: and what went wrong' "$(by_column '$call == "execl" { print $errno }' "$T/calls" | tr '\n' ' ')" 'ENOENT EACCES '

# A core is written, or not, whoever looks on; the log has no part in it.
ends core
find "$T/in" -name 'core*' | wc -l >"$T/core.traced"
run_plain ending core $n
find "$T/in" -name 'core*' | wc -l >"$T/core.plain"
same 'core: there is one if there was' "$T/core.traced" "$T/core.plain"

# Recursion without an end: as many as the file has, or one less: the last may have
# been made in the recorder's own name
run_plain ending overflow 10
run ending overflow 10
undisturbed 'stack overflow'
sound 'stack overflow'
size=$(($(wc -c <"$T/in/calls") / 8))
ok 'stack overflow: every call' eval "in_order $size || in_order $((size - 1))"
run_plain ending altstack 10
run ending altstack 10
undisturbed 'handled stack overflow'
sound 'handled stack overflow'
size=$(($(wc -c <"$T/in/calls") / 8))
# the one that overflowed may have written before
ok 'handled stack overflow: every call' test "$(how_many '$call == "pwrite" && $status != "unfinished"')" -ge $((size - 1))
count 'handled stack overflow: the last of them' '$call == "pwrite" && $offset == '$((8 * (size - 1))) 1

# Killed at any moment
if [ "${TEST_LONG:-0}" = 1 ]; then kills=100; else kills=20; fi
bad=0
total=0
late=
delays=$("$AWK" 'BEGIN { srand(7); for (i = 0; i < '$kills'; i++) printf "0.%04d\n", 20 + rand() * 300 }')
for delay in $delays; do
	rm -rf "$T/in" "$logs"
	mkdir "$T/in" "$logs"
	(cd "$T/in" && IOTRACE_DIR=$logs IOTRACE_BUFFER=16384 exec "$T/traced/ending" forever 0) 2>/dev/null &
	# every other one not before it has made 200 calls, however long that takes
	while [ -n "$late" ] && [ -z "$(find "$T/in" -name calls -size +1599c)" ]; do
		sleep 0.01
	done
	if [ -n "$late" ]; then late=; else late=yes; fi
	sleep "$delay"
	kill -9 $!
	wait $! 2>/dev/null
	size=0
	[ ! -f "$T/in/calls" ] || size=$(($(wc -c <"$T/in/calls") / 8))
	# maybe killed before its first call, or while the log was made
	if [ $size -eq 0 ]; then
		continue
	fi
	cat_logs
	if [ $cat_status -ne 0 ]; then
		diag "after $delay s: status $cat_status: $(cat "$T/cat.err")"
		bad=$((bad + 1))
	fi
	if ! in_order $size >"$T/why" && ! in_order $((size - 1)) >/dev/null; then
		diag "after $delay s: $(cat "$T/why"), should be $size"
		bad=$((bad + 1))
	fi
	total=$((total + size))
done 2>/dev/null
diag "killed after $total calls in all"
is "killed at $kills moments: every finished call, in order, and no other" $bad 0
ok "killed at $kills moments: there were calls" test $total -gt 1000
done_testing
