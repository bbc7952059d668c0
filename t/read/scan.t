#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# reader gives the same calls whether it merges them by time or not: on logs of
# programs that end, fork, run threads and handlers in every way, and on the small
# ones that fuzzing starts from.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

scan=$top_builddir/t/read/scan
built "$scan"

# compare DESCRIPTION LOG...
compare()
{
	scan_what=$1
	shift
	"$scan" "$@" >"$T/scanned" 2>&1
	is "$scan_what: the same calls both ways" "$?" 0 || diag_file "$T/scanned"
}

# runs NAME [ARGUMENT...]: logs of a program of t/recorder
runs()
{
	run "$@"
	compare "$*" "$logs"/*.iotrace
	ok "$*: there are calls" grep -q ' [1-9][0-9]* same$' "$T/scanned"
}

# no-blocks has lost its beginning
compare 'corpus' "$top_srcdir"/t/fuzz/corpus/[!egn]* "$top_srcdir"/t/fuzz/corpus/nested
build ending
for how in return exit _exit abort segv kill thread-exit thread-kill stuck; do
	runs ending $how 3000
done
build fork
runs fork threads 20
runs fork vfork 10
runs fork spawn 10
build threads
runs threads count 24 3000
runs threads churn 100 5
build handlers
for how in storm nested; do
	runs handlers $how 5000
	ok "handlers $how: sums are what calls in order come to" "$top_srcdir/t/lib/stat-sums" "$logs"
done
runs handlers jump 1000
done_testing
