#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the recorder takes: at most 256 KiB a thread and 1.4 MiB a process besides,
# counted as address space, and nothing for threads that are gone.
# shellcheck disable=SC2016,SC2119 # awk's fields
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build memory -Wall

# sizes HOW THREADS: with the recorder in $with, without in $without, in KiB
sizes()
{
	run_plain memory "$1" "$2"
	without=$(cat "$T/plain.out")
	run memory "$1" "$2"
	with=$(cat "$T/out")
	is "$1 $2: the program is unharmed" "$(cat "$T/status")" 0
	sound "$1 $2"
	count "$1 $2: every call" '$call == "pread"' $((3 * $2 + 3))
	is "$1 $2: nothing was lost" "$(lost)" 0
	diag "$1 $2: $without KiB without and $with KiB with the recorder"
}

sizes alive 1
one=$((with - without))
ok "a process takes $one KiB, of which 256 may be its threads' each" test "$one" -le $((1434 + 2 * 256))
sizes alive 1100
each=$(((with - without - one) / 1099))
ok "1,100 threads at once: each takes $each KiB" test "$each" -le 256
# a window of 4 KiB each, and a few that nobody has had yet
disk=$(($(stat -c %b "$logs"/*.iotrace) / 2))
ok "and the log takes $disk KiB of the disk" test "$disk" -le $((1100 * 5))

sizes churn 100
few=$((with - without))
few_log=$(cat "$logs"/*.iotrace | wc -c)
sizes churn 10000
# one that has been joined may still be there for a moment: then there are two
ok "10,000 threads one after another take no more than 100: $((with - without)) KiB" \
	test $((with - without)) -le $((few + 256))
# its records lie in a block of their own, which begins at a multiple of 4 KiB;
# those of pthread_create and pthread_join are main's
more=$((($(cat "$logs"/*.iotrace | wc -c) - few_log) / 9900))
ok "and $more bytes of log each" test "$more" -le 4608
done_testing
