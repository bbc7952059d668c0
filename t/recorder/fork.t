#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes: a child goes on in its parent's log, with all of its calls and as itself,
# and nothing happens to its parent's; one that runs another program begins a log.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build fork -Wall
per_child=20

# children HOW NUMBER LOGS CALLS: so many logs, and children whose calls are all there
children()
{
	run_plain fork "$1" "$2"
	run fork "$1" "$2"
	is "$1: the program is unharmed" "$(cat "$T/status")" "$(cat "$T/plain.status")"
	is "$1: nothing on stderr" "$(cat "$T/err")" ""
	is "$1: a log for each image" "$(n_logs)" "$3"
	sound "$1"
	count "$1: every call of every child" '$call == "pwrite" && $path ~ "/p-[0-9]+$" && $size == 3 && $ret == 3' "$4"
	count "$1: each by its own process" '$call == "pwrite" && $path ~ "/p-" && $path !~ "/p-" $pid "$"' 0
	is "$1: each once" "$(by_column '$call == "pwrite" { print $path, $offset }' "$T/calls" | sort | uniq -d | wc -l)" "${5:-0}"
	is "$1: nothing was lost" "$(lost)" 0
}

children threads 60 1 $((60 * per_child))
is 'threads: so many processes' "$(n_processes)" 61
while read -r name number; do
	[ "$name" = "${name#t-}" ] || count "threads: thread $name goes on in the parent alone" '$call == "pwrite" && $path ~ "/'"$name"'$"' "$number"
done <"$T/out"
children burst 500 1 $((500 * per_child))
is 'burst: so many processes' "$(n_processes)" 501
count 'burst: the parent has every child' '$call == "fork" && $ret > 0' 500
# every fifth ends without exec
children vfork 10 9 $((8 * per_child + 10)) 1
count 'vfork: what children do before exec' '$call == "dup2" && $path ~ "/vfork$"' 10
count 'vfork: and their exec' '$call == "execv"' 8
children spawn 10 9 $((8 * per_child + 10)) 1
# libc opens somewhere and moves it; libc.so does so unseen
count 'spawn: what children do before exec' '$call == "dup2"' "$(either 20 0)"
count 'spawn: and open' '$call == "open" && $path ~ "/spawned$"' "$(either 10 0)"
children raw 20 1 $((20 * per_child + 20)) 1
children tree 8 1 $((9 * per_child))

# daemon: wait for its end
: >"$T/daemon-runs"
run fork daemon 1
# its last call is in the log when that has come back; ten minutes are for ever
i=0
while cat_logs; [ "$(how_many '$call == "rename" && $status == ""')" = 0 ] && [ $i -lt 6000 ]; do
	sleep 0.1
	i=$((i + 1))
done
sound daemon
is 'daemon: one log, of the process before and the one after' "$(n_logs) $(n_processes)" '1 2'
count 'daemon: calls of both' '$call == "pwrite" && $path ~ "/p-" $pid "$"' $((2 * per_child))
count 'daemon: it went on to its end' '$call == "rename"' 1
done_testing
