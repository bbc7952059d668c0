#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A set is read again, from a time on, for some processes, calls and files: what comes is
# what was there when all was read, with the same numbers and parents; and blocks that
# can't have any of it are not read.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

again=$top_builddir/t/read/again
built "$again"

# of WHAT: what part of the bytes of all was read for it, in percent
of()
{
	awk -F '[: ]+' -v what="$1" '
		/^all: / { all = $4 }
		index($0, what ":") == 1 { sub(/.*calls, /, ""); part = $1 }
		END { print all ? int(100 * part / all) : "none" }' "$T/out"
}
# parts DESCRIPTION LOG...
parts()
{
	parts_what=$1
	shift
	"$again" "$@" >"$T/out" 2>&1
	is "$parts_what: parts are what they were" "$?" 0 || diag_file "$T/out"
	like "$parts_what: notes of two analyses" "$T/out" '^notes: ([0-9]+) [0-9]+ of \1$'
}

for file in "$top_srcdir"/t/fuzz/corpus/[!eg]*; do
	case ${file##*/} in
	packed-*) packs "corpus: ${file##*/}" || continue ;;
	esac
	[ "${file##*/}" = no-blocks ] || parts "corpus: ${file##*/}" "$file"
done
build handlers
for how in nested jump; do
	run handlers $how 2000
	parts "handlers $how" "$logs"/*.iotrace
done
build threads
# small blocks: of each thread one more may be read than has calls of that time
export IOTRACE_BUFFER=16384
run threads count 4 20000
unset IOTRACE_BUFFER
parts 'threads' "$logs"/*.iotrace
ok 'the last tenth: few blocks are read' test "$(of 'from 9 on')" -lt 30
ok 'the first half: the others are not read' test "$(of 'from 0 to 5.0')" -lt 80
build fork
run fork threads 20
parts 'fork' "$logs"/*.iotrace
ok 'processes: the others are not read' test "$(of 'processes')" -lt 90

# blocks without a chosen call: known once all was read, or from iotrace-pack
build rare
run rare 200000
parts 'a rare call' "$logs"/*.iotrace
ok 'a rare call: few blocks are read' test "$(of rare)" -lt 10
if packs 'a rare call, packed'; then
	"$IOTRACE_PACK" --output="$T/rare.packed" "$logs"/*.iotrace
	parts 'a rare call, packed' "$T/rare.packed"
	ok 'a rare call, packed: few blocks are read' test "$(of rare)" -lt 10
fi

# blocks that name no chosen file: likewise
build phases-of-files
run phases-of-files 100 2000
parts 'one file of many' "$logs"/*.iotrace
ok 'one file of many: few blocks are read' test "$(of 'one file again')" -lt 25
if packs 'one file of many, packed'; then
	"$IOTRACE_PACK" --output="$T/one.packed" "$logs"/*.iotrace
	parts 'one file of many, packed' "$T/one.packed"
	ok 'one file of many, packed: few blocks are read' test "$(of 'one file')" -lt 25
fi

# asked for at once
reads()
{
	strace -f -e trace=pread64 -o "$T/reads" "$top_builddir/tools/iotrace-cat" "$@" >"$T/out" 2>&1
	awk -F '= ' '{ n += $NF } END { print n + 0 }' "$T/reads"
}
if ! packs 'packed logs are read in part'; then
	:
elif strace -e trace=none true 2>/dev/null; then
	all=$(reads "$T/rare.packed")
	rare=$(reads -e fsync "$T/rare.packed")
	like 'iotrace-cat -e finds it' "$T/out" '^[[:space:]]*fsync[(]3'
	ok "iotrace-cat -e: $rare of $all bytes of the packed log are read" test "$rare" -lt $((all / 3))
	all=$(reads "$T/one.packed")
	"$top_builddir/tools/iotrace-cat" -P '/file-99$' "$logs"/*.iotrace >"$T/want"
	one=$(reads -P '/file-99$' "$T/one.packed")
	same 'iotrace-cat -P finds all calls that name it' "$T/want" "$T/out"
	# how large its parts are depends on the machine: the index and what it names are read in any case
	none=$(reads -P '/no-such-file$' "$T/one.packed")
	ok "iotrace-cat -P: $one of $all bytes of the packed log are read, of which $none always" \
		test $((one - none)) -lt $(((all - none) / 2))
else
	skip 'iotrace-cat -e: what is read' 'strace does not run'
fi
done_testing
