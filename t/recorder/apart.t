#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The recorder's memory lies apart from the program's, takes a number of mappings that hardly
# grows with threads, children and their children, and few pages in each child.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build apart -Wall

# more HOW N: how many mappings it has that it has not without us
more()
{
	run_plain apart "$1" "$2"
	run apart "$1" "$2"
	is "$1 $2: status" "$(cat "$T/status")" 0
	sound "$1 $2"
	more=$(($(cat "$T/out") - $(cat "$T/plain.out")))
	diag "$1 $2: $more mappings more than without"
}

# more_of HOW MOST: with 300 no more than so many mappings are added to what 2 have
more_of()
{
	more "$1" 2
	few=$more
	more "$1" 300
	ok "$1: 150 times as many take few mappings more" test "$more" -le $((few + $2))
	count "$1: every call" '$call == "write" && $ret == -1 && $errno == "EBADF"' 300
}

# of what was forked before, the last has the latest two chunks of windows, and what holds room,
# whatever the number of its ancestors
more_of generations 4
# a chunk of windows for each doubling of their number; and, of what lies apart, memory of two
# kinds, one mapping each, and what holds room for all three to grow
more_of alive $((9 + 2 + 3))

# --- a fork pays for each mapping: the log's header and first windows are one, beside what
# processes share and two kinds of memory.  If the heap is near, they lie elsewhere, in
# address space that further mappings hold.
for try in 1 2 3 4 5 6; do
	more forks 8
	[ "$more" -gt 4 ] || break
done
ok 'forks: windows of eight children are in the mapping of the header' test "$more" -le 4

# beside_data MODE N: several times, while the heap is too near for the recorder to be beside the
# executable's data: the kernel puts it up to 32 MiB above these, at random
beside_data()
{
	for try in 1 2 3 4 5 6; do
		run apart "$1" "$2"
		[ "$(cat "$T/out")" = -2 ] || break
		diag "run $try: the heap is too near"
	done
	is "$1: status" "$(cat "$T/status")" 0
}

# said_none MODE WHAT: it said that there are none
said_none()
{
	if [ "$(cat "$T/out")" = -2 ]; then
		skip "$1: $2" 'the heap begins where the data end'
	else
		is "$1: $2" "$(cat "$T/out")" 0
	fi
}

# --- and for each page of page tables: what all processes have lies beside the executable's data
beside_data beside 20
said_none beside 'the log is mapped nowhere else'

# --- pages that a child finds missing or has to copy: the code of libc and ours, the stack,
# the thread, what each process has of its own, a window
run_plain apart faults 20
run apart faults 20
is 'faults: status' "$(cat "$T/status")" 0
sound 'faults'
count 'faults: every call' '$call == "write" && $ret == -1 && $errno == "EBADF"' 20
more=$(($(cat "$T/out") - $(cat "$T/plain.out")))
diag "a child has $more page faults more than without"
ok 'a child has few page faults more than without' test "$more" -le 7

# --- space in the log, of children that are killed between two calls: what they recorded,
# and windows that wait to be copied together
run apart killed 50
is 'killed: status' "$(cat "$T/status")" 0
sound 'killed'
count 'killed: every call' '$call == "write" && $ret == -1 && $errno == "EBADF"' 50
size=$(wc -c <"$(echo "$T"/logs/*)")
diag "a log of $size bytes"
ok 'killed: no window is left behind by each' test "$size" -le $((50 * 2048 + 8 * 4096))

# --- nothing that can be touched lies next to the recorder's memory
run apart guards 100
is 'guards: status' "$(cat "$T/status")" 0
is 'guards: a page that nobody can touch at each end' "$(cat "$T/out")" 0

# --- nothing holds the place beside the executable's data where the recorder needs none: the
# program has it, and what it has there is left alone
beside_data taken 100
sound 'taken'
count 'taken: every call' '$call == "write" && $ret == -1 && $errno == "EBADF"' 100
said_none taken 'pages of the program that are not as it left them'

# --- what the program has unmapped stays unmapped
run_plain apart hole 512
run apart hole 512
undisturbed 'hole: stores to it'
is 'hole: each is a fault' "$(cat "$T/out")" 512
done_testing
