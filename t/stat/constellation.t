#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --by=constellation: who shares which bytes of a file with whom, what orders them, and what is
# needed of a file system therefore; programs that differ in what orders them alone.
# (shared.t compares random logs with constellations.pl.)
. "${0%/*}/../lib/tap.sh"

ok 'it compiles with iocc' "$IOCC" -g -o "$T/shares" "$top_srcdir/t/stat/constellation.c" -lpthread
ok 'also a static one' "$IOCC" -static -g -o "$T/static" "$top_srcdir/t/stat/constellation.c" -lpthread

# shares WHAT [with|without]: what iotrace-stat says of it is in $T/csv, $T/text
shares()
{
	rm -rf "$T/logs" "$T/data"
	mkdir "$T/logs"
	head -c 4096 /dev/zero >"$T/data"
	ok "$* runs" env IOTRACE_DIR="$T/logs" "$T/$program" "$T/data" "$@"
	"$IOTRACE_STAT" --by=constellation --format=csv -P '/data$' "$T/logs" >"$T/csv" 2>"$T/err"
	"$IOTRACE_STAT" --by=constellation -P '/data$' "$T/logs" >"$T/text" 2>>"$T/err"
	none 'nothing on stderr' "$T/err"
}

# says COLUMN... : the columns of the file's line that are not 0
says()
{
	awk -F, -v wanted="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { n = split(wanted, w, " "); for (i = 1; i <= n; i++) out = out (i > 1 ? " " : "") w[i] "=" $at[w[i]]; print out }' "$T/csv"
}
orders='by_nothing by_fork by_wait by_thread by_lock by_close_open by_sync by_thread_end'

# is_ordered WHAT HOW: bytes that are ordered so, all that there are
is_ordered()
{
	# shellcheck disable=SC2086 # words
	is "$1" "$(says $orders | tr ' ' '\n' | grep -v '=0$' | tr '\n' ' ')" "$2"
}

for program in shares static; do
	tap_about="$program: "
	for class in 'one writes once' 'one writes repeatedly' 'one reads once' 'one reads repeatedly'; do
		shares "$class"
		is "$class" "$(says constellation)" "constellation=$class"
	done
	shares 'one writes and reads'
	is 'one reads and writes' "$(says constellation consistency)" 'constellation=one reads and writes consistency=none'
	shares metadata
	is 'metadata only' "$(says constellation metadata_reads metadata_changes)" \
		'constellation=metadata only metadata_reads=1 metadata_changes=1'

	shares close with
	is 'a consumer that opens behind the close' "$(says constellation consistency depends processes)" \
		'constellation=several read and write consistency=session depends=4096 processes=2'
	is_ordered 'is ordered by that' 'by_close_open=4096 '
	shares close without
	is 'one that had it open' "$(says consistency depends)" 'consistency=posix depends=4096'
	is_ordered 'is ordered by nothing' 'by_nothing=4096 '
	like 'both call sites are named' "$T/text" \
		'nothing orders: 4096 bytes from 0, written by pwrite in reads_after .*/constellation.c:[0-9]*), thread [0-9]*, then read by read in reads_after .*/constellation.c:[0-9]*), thread'

	shares sync with
	is 'a reader behind fsync' "$(says consistency syncs)" 'consistency=commit syncs=1'
	is_ordered 'is ordered by that' 'by_sync=4096 '
	shares sync without
	is 'one without' "$(says consistency)" 'consistency=posix'

	shares halves
	is 'writers of disjoint halves' "$(says constellation consistency overwritten writers)" \
		'constellation=several write consistency=none overwritten=0 writers=2'
	is_ordered 'need no order' ''
	shares lock with
	is 'writers of the same bytes with a lock' "$(says consistency overwritten locks)" \
		'consistency=posix overwritten=4096 locks=2'
	is_ordered 'are ordered by it' 'by_lock=4096 '
	shares lock without
	is_ordered 'without, by nothing' 'by_nothing=4096 '
	like 'which is said' "$T/text" 'written by pwrite in two_write .*, then written by pwrite in two_write'
	shares flock with
	is_ordered 'a lock that close() gives back' 'by_lock=4096 '

	shares append
	is 'two append' "$(says constellation consistency written overwritten handed_over)" \
		'constellation=several write consistency=posix written=600 overwritten=0 handed_over=5'

	shares fork with
	is 'a child reads what its parent wrote, and the other way round' "$(says depends processes)" 'depends=8192 processes=2'
	is_ordered 'fork and wait order that' 'by_fork=4096 by_wait=4096 '
	shares fork without
	# how the parent's read is ordered, since the child has ended, is not seen without wait()
	like 'a write behind fork is not ordered' "$T/text" 'nothing orders: 4096 bytes from 0, read by pread in forked .*then written by pwrite in forked'
	shares thread with
	is_ordered 'threads: pthread_create, and that one has ended' 'by_thread=4096 by_thread_end=4096 '
	is 'threads of one process need nothing of the file system' "$(says consistency processes threads)" 'consistency=none processes=1 threads=2'
	shares thread without
	like 'a write behind pthread_create is not ordered' "$T/text" 'nothing orders: 4096 bytes from 0, read by pread in thread .*then written by pwrite in threads'
	shares many
	is 'very many runs become few' "$(says depends consistency written written_again left_out)" \
		'depends=100000 consistency=session written=100000 written_again=0 left_out=0'
	like 'which is said' "$T/text" 'taken for one with a neighbour, since they are many: [1-9]'
	shares mapped
	is 'what is mapped is not known' "$(says at_least mapped)" 'at_least=1 mapped=1'
	like 'which is said' "$T/text" 'or more: not all accesses are known'
done

tap_about=
# by_names WHAT: the same, of all names
by_names()
{
	rm -rf "$T/logs" && mkdir "$T/logs"
	ok "$1 runs" env IOTRACE_DIR="$T/logs" "$T/shares" "$T/data" "$1"
	"$IOTRACE_STAT" --by=constellation --format=csv "$T/logs" | grep -E '^path|/data' >"$T/csv"
}
by_names inodes
is 'an inode that is used again is another file' "$(grep -c '/data[.]' "$T/csv") $(says writers overwritten)" \
	'40 writers=1 overwritten=0'
by_names names
is 'two names are one file' "$(grep -c '/data' "$T/csv") $(says readers writers depends)" '1 readers=1 writers=1 depends=4096'
"$IOTRACE_STAT" --by=constellation --format=json "$T/logs" >"$T/json" 2>"$T/err"
like 'JSON has them' "$T/json" '"constellations":\['
"$IOTRACE_STAT" --by=constellations "$T/logs" >"$T/out" 2>"$T/err"
like 'what is misspelt is said' "$T/err" 'region, site, time, constellation, seek, layout and all'
done_testing
