#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each call has a number, and its parent's: of several logs with threads, handlers,
# processes that were killed and calls that did not come back.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

ids=$top_builddir/t/read/ids
built "$ids"

# numbers DESCRIPTION LOG...
numbers()
{
	ids_what=$1
	shift
	ok "$ids_what: numbers of calls and parents" "$ids" "$@"
	ok "$ids_what: and of calls that are followed" "$ids" -f "$@"
}

mkdir "$T/all"
for file in "$top_srcdir"/t/fuzz/corpus/[!eg]*; do
	[ "${file##*/}" = no-blocks ] || ok "corpus: ${file##*/}" "$ids" "$file"
done
build ending
for how in return kill thread-kill stuck; do
	run ending $how 300
	numbers "ending $how" "$logs"/*.iotrace
	cp "$logs"/*.iotrace "$T/all"
done
build handlers
for how in nested jump; do
	run handlers $how 500
	numbers "handlers $how" "$logs"/*.iotrace
	cp "$logs"/*.iotrace "$T/all"
done
build fork
run fork threads 20
cp "$logs"/*.iotrace "$T/all"
numbers 'many logs' "$T/all"
"$ids" "$T/all" >"$T/out"
like 'there are parents' "$T/out" ' [1-9][0-9]+ parents'
done_testing
