#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What `make check-long` runs, and `make check` only a part of: tests that leave out what
# takes long for what it tells (TEST_LONG=1 has all of it), and 24
# threads that make 10 million calls each, counted to the last one: with all of them
# in the log, if the disk has room for it, and with most of them only counted, because
# of IOTRACE_LIMIT.
. "${0%/*}/lib/tap.sh"
. "${0%/*}/lib/recorder.sh"

threads=24
each=10000000

# sums: the calls of the log in $calls, those that were lost in $n_lost, and how many
# threads made as many preads as they should in $whole
sums()
{
	"$top_builddir/tools/iotrace-stat" --no-progress --by=call --format=json "$logs" >"$T/sums" 2>/dev/null
	calls=$(sed -n 's/.*"total":{"calls":\([0-9]*\).*/\1/p' "$T/sums")
	n_lost=$(sed -n 's/.*"lost":\([0-9]*\)[,}].*/\1/p' "$T/sums")
	whole=$("$top_builddir/tools/iotrace-stat" --no-progress --by=thread --format=csv -e pread "$logs" 2>/dev/null |
		awk -F, -v each="$1" '$5 == each { n++ } END { print n + 0 }')
	diag "$(du -sk "$logs" | cut -f 1) KiB of log, $calls calls in it, $n_lost lost"
}

build threads -Wall
export IOTRACE_STACK=0
run threads count $threads 1000
sums 1000
is 'a small run: every call of every thread' "$whole, $n_lost" "$threads, 0"
# what else the program does, it does in a large one as well
total=$((calls + threads * (each - 1000)))

room=$(df -Pk "$T" | awk 'NR == 2 { print $4 }')
if [ "$room" -gt $((8 << 20)) ]; then
	run threads count $threads $each
	sums $each
	is 'all recorded: the program is unharmed' "$(cat "$T/status")" 0
	is "all recorded: $each calls of each thread" "$whole, $n_lost" "$threads, 0"
	is 'all recorded: and no other' "$calls" $total
else
	skip 'all recorded' "needs 8 GB in $T: set TMPDIR"
fi
export IOTRACE_LIMIT=1000000k
run threads count $threads $each
unset IOTRACE_LIMIT
sums $each
is 'IOTRACE_LIMIT: the program is unharmed' "$(cat "$T/status")" 0
is 'IOTRACE_LIMIT: the log is as large as it may be' "$(($(cat "$logs"/* | wc -c) / 1000000))" 1023
is 'IOTRACE_LIMIT: what is not in the log is counted' $((calls + n_lost)) $total

for t in answers/answers answers/saves cat/follow dispatch/dispatch doc/rules dynamic/calls dynamic/ends dynamic/records dynamic/survive dynamic/threads faults/lru \
	hostile/programs iocc/absent iocc/build iocc/configured iocc/incomplete iocc/link iocc/link-needed iocc/wrap kill/kills model/model mpi/bindings mpi/merge mpi/wrong \
	oracle/dynamic pack/logs pointers/pointers recorder/numbers recorder/records recorder/regex \
	recorder/secure recorder/survive recorder/threads report/browser stacks/oracle step/step tasks/tasks; do
	ok "t/$t.t with nothing left out" env TEST_LONG=1 POINTERS_ALL=1 top_builddir="$top_builddir" sh "$top_srcdir/t/$t.t"
done
done_testing
