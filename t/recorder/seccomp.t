#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that forbid themselves all system calls but their own, on pain of death.
# They live; recording goes on if the filter has nothing against it, and what is
# lost otherwise is counted.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build seccomp -Wall -pthread
n=20000

# whole HOW CALLS: everything is in the log
whole()
{
	both seccomp "$1" $n
	sound "$1"
	count "$1: every call" '$call == "pwrite"' "$2"
	is "$1: nothing was lost" "$(lost)" 0
}

# counted HOW CALLS WHY: what is not in the log is counted; besides the calls there
# may be the few by which the program ends
counted()
{
	cat_logs
	got=$(how_many '($call == "pwrite" || $call == "write") && $size == 4')
	ok "$1: it got to its end" grep -q -x end "$T/out"
	ok "$1: every call until then" test "$got" -ge $n
	# the end of its threads, its exit, its last words
	ok "$1: $got recorded and $(lost) lost are all" test $((got + $(lost) - $2)) -ge 0 -a $((got + $(lost) - $2)) -le 20
	like "$1: iotrace-cat says why" "$T/cat.err" "calls were not recorded \(.*$3"
}

whole all-but $((3 * n))
whole tree $((3 * n))
whole refused $((3 * n))
like 'refused: they were' "$T/out" '^refused$'
whole child $((4 * n))
is 'child: it is there' "$(n_logs) $(n_processes)" '1 2'

for how in kill errno syscall argument; do
	both seccomp $how $n
	counted $how $((3 * n)) seccomp
	# what a window holds
	ok "$how: the last ones are there too" test "$(how_many '$call == "pwrite"')" -gt $((n + 500))
done
both seccomp fork $n
counted fork $((3 * n + 10)) seccomp
both seccomp thread $n
counted thread $((5 * n)) seccomp
both seccomp dispatch $n
if [ "$(cat "$T/status")" = 77 ]; then
	skip 'dispatch' 'the kernel dispatches no system calls to users'
else
	counted dispatch $((4 * n)) 'user dispatch'
fi
both seccomp strict $n
counted strict $((3 * n)) seccomp
both seccomp tsc $n
counted tsc $((5 * n)) PR_SET_TSC

run seccomp tsync $n
is 'tsync: the program is unharmed' "$(cat "$T/status") $(tail -n 1 "$T/out")" '11 end'
counted tsync $((9 * n + $(sed -n 's/^more //p' "$T/out"))) seccomp

# the log's limit is four times what all of them need
IOTRACE_LIMIT=8M
export IOTRACE_LIMIT
both seccomp space $n
unset IOTRACE_LIMIT
cat_logs
count 'space: a child that gets none takes none from others' '$call == "pwrite"' $((6 * n))
is 'space: nothing was lost' "$(lost)" 0

both seccomp vfork $n
cat_logs
count 'vfork: every call of the parent' '$call == "pwrite"' $((3 * n))
is "vfork: the child's are counted, and its exit" "$(lost)" 11
done_testing
