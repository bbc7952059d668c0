#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What MPI does for itself: records say so, tools can leave them out, and the calls by
# which it looks for news are counted, without records.  The program's own are recorded.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

# how many lines match
n()
{
	grep -c -E -e "$1" "$2"
}

for form in $(mpi_forms); do
	[ "$form" != static ] || continue
	tap_about="$form: "
	ok 'the program is built' mpi_build "$form" own "$top_srcdir/t/mpi/own.c" -lpthread || continue

	ok 'it runs' mpi_run "$form" 2 own
	for log in own.logs/own.*; do
		"$IOTRACE_CAT" --format=json --no-mpi-own "$log" >json 2>err
		is 'the program looked for news' \
			"$(n '"poll"' json) $(n '"epoll_wait"' json) $(n '"call":"read".*eventfd' json)" '7 5 3'
		is 'and wrote' "$(n '"call":"(open|write|close)".*/own\.[01]"' json)" 3
		like 'called MPI' json '"call":"MPI_Init_thread"'
		unlike 'nothing is marked' json 'mpi_own'
		"$IOTRACE_CAT" --format=json "$log" >json 2>err
		is 'MPI did more' "$(($(n '"mpi_own":true' json) > 50))" 1
		unlike 'all of what it looked for is counted' json '"mpi_own":true.*"call":"(poll|epoll_wait)"|"call":"(poll|epoll_wait)".*"mpi_own":true'
		"$IOTRACE_CAT" "$log" >text
		like 'and said' text '^MPI looked for news in [1-9][0-9]* more calls, [0-9.]+ s$'
		"$IOTRACE_CAT" -f "$log" >followed
		is 'to who follows, too' "$(tail -n 1 followed)" "$(tail -n 1 text)"
		for format in csv raw; do
			"$IOTRACE_CAT" --format="$format" "$log" >rows
			is "$format has the mark" "$(awk '/(^#columns!|,|!)mpi_own$/ { n = 1 } n && /[,!]1$/ { own++ } END { print own + 0 }' rows)" \
				"$(n '"mpi_own":true' json)"
		done
		like 'threads of its own are marked' json '"mpi_own":true.*"call":"thread_start"|"call":"thread_start".*"mpi_own":true'
		"$IOTRACE_STAT" --format=json "$log" >stat
		like 'sums say it' stat '"mpi_polls":\[.*"call":"epoll_wait","calls":[1-9]'
		"$IOTRACE_STAT" --format=csv --by=call --no-mpi-own "$log" >stat.csv
		like 'sums leave it out' stat.csv '^epoll_wait,.*'
		is 'and count the rest' "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } $1 == "epoll_wait" { print $c["calls"] }' stat.csv)" 5
		packs 'counts are packed' || continue
		ok 'it is packed' "$IOTRACE_PACK" -o packed.iotrace "$log"
		"$IOTRACE_STAT" --format=json packed.iotrace >packed; rm packed.iotrace
		is 'counts are packed' "$(sed -n 's/.*"mpi_polls":\(.*\)\].*/\1/p' packed)" "$(sed -n 's/.*"mpi_polls":\(.*\)\].*/\1/p' stat)"
	done

	IOTRACE_MPI_POLL=1
	export IOTRACE_MPI_POLL
	ok 'it runs, and all is recorded' mpi_run "$form" 2 own
	unset IOTRACE_MPI_POLL
	"$IOTRACE_CAT" --format=json own.logs >json 2>err
	like 'MPI looked for news' json '"mpi_own":true.*"call":"epoll_wait"|"call":"epoll_wait".*"mpi_own":true'
	"$IOTRACE_CAT" own.logs >text
	unlike 'nothing is counted only' text '^MPI looked for news'
done
done_testing
