#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# When memory runs out, the reader library says so and returns: at any of its requests.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

starved=$top_builddir/t/read/starved
built "$starved"

# starve DESCRIPTION LOG...
starve()
{
	starve_what=$1
	shift
	"$starved" "$@" >"$T/out" 2>&1
	is "$starve_what: each lack of memory is told" "$?" 0 || diag_file "$T/out"
}

for file in "$top_srcdir"/t/fuzz/corpus/[!eg]*; do
	starve "corpus: ${file##*/}" "$file"
done
build ending
run ending kill 3000
starve 'a process that was killed' "$logs"/*.iotrace
like 'there are requests' "$T/out" '^read: [0-9]{3,} requests, [0-9]{3,} calls'
build fork
run fork threads 3
starve 'many logs' "$logs"
done_testing
