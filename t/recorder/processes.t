#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes that come about in roundabout ways: by system and popen, orphaned,
# from a handler in the middle of the recorder, with a pid that others have too.
# Each is in the log of the image that it was forked from, with all of its calls, told
# from all others there; one that runs another program begins a log.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build processes -Wall
per_child=20

# whole HOW NUMBER LOGS CALLS: so many images, and calls on the processes' files
whole()
{
	run processes "$1" "$2"
	is "$1: the program is unharmed" "$(cat "$T/status") $(tail -n 1 "$T/out")" "0 0 bad" || diag_file "$T/out"
	is "$1: nothing on stderr" "$(cat "$T/err")" ""
	is "$1: a log for each image" "$(n_logs)" "$3"
	sound "$1"
	count "$1: every call" '$call == "pwrite" && $path ~ "/[mnp]-[0-9]+$" && $size == 3 && $ret == 3' "$4"
	count "$1: each by its own process" '$call == "pwrite" && $path ~ "/p-" && $path !~ "/p-" $pid "$"' 0
	is "$1: nothing was lost" "$(lost)" 0
}

# apart HOW PROCESSES: they are told from each other, and none shares a stream
apart()
{
	is "$1: so many processes" "$(n_processes)" "$2"
	is "$1: a stream is of one process" "$(by_column '!seen[$pid "!" $tid]++ { n[$tid]++ } END { for (t in n) bad += n[t] > 1; print bad + 0 }' "$T/calls")" 0
}

whole popen 5 6 $((5 * per_child))
whole orphans 10 1 $((11 * per_child))
apart orphans 21
whole relay 10 1 $((11 * per_child))
apart relay 12
whole clone 10 1 $((10 * per_child))
apart clone 11
# every second goes on as another image
whole eight 496 249 $((496 * per_child + 248 * per_child))
whole handler 200 1 $((200 * per_child))
apart handler 201
parent=$(by_column '$call == "setitimer" || ($call == "open" && $path ~ "/main$") { print $pid; exit }' "$T/calls")
count "handler: each of them once" '$call == "pwrite" && $path ~ "/main$" && $pid == '"$parent" "$(sed -n 's/^main //p' "$T/out")"
whole jump 10 1 $((11 * per_child))
count 'jump: calls after it are nested in nothing' '$call == "pwrite" && $depth > 0' 0
count 'jump: the call that was left is there' '$call == "read" && $status ~ "abandoned"' 10
whole system 5 11 $((10 * per_child))

if [ "$(id -u)" = 0 ]; then
	# the first process of a pid namespace begins a log: elsewhere its pid is another's
	whole same-pid 20 21 $((20 * per_child))
	count 'same-pid: they have it' '$call == "pwrite" && $pid == 1' $((20 * per_child))
	is 'same-pid: every file by one log' "$(for log in "$logs"/*.1.*.iotrace; do
		"$IOTRACE_CAT" --format=raw -e pwrite "$log" | by_column '!/^#/ && !seen[$path]++ { print $path }'
	done | sort -u | wc -l | tr -d ' ')" 20
	whole nested-pid 5 7 $((12 * per_child))
else
	skip 'same-pid' 'only root may make pid namespaces'
	skip 'nested-pid' 'only root may make pid namespaces'
fi
done_testing
