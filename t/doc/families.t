#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What the man pages and the tables say of families is what table/families.def has.
. "${0%/*}/../lib/tap.sh"

# NAME USUAL of each
sed -n 's/^IOT_FAMILY([A-Z]*, *\([a-z]*\), *\([A-Z]*\),.*/\1 \2/p' "$top_srcdir/table/families.def" >"$T/rows"
cut -d' ' -f1 "$T/rows" >"$T/families"
ok 'there are families' test "$(wc -l <"$T/families")" -gt 8

# listed PAGE BEFORE: the words, one a line, with which the page's line that has the first
# family begins a list behind a line BEFORE
listed()
{
	awk -v before="$2" '
		on && !/^\.(BR?|RB) |^or$/ { exit }
		on {
			sub(/^\.(BR?|RB) /, "")
			gsub(/[(),;.]/, " ")
			if ($1 != "or")
				print $1
		}
		$0 == before { on = 1 }' "$(page "$1")"
}

# lists PAGE BEFORE DESCRIPTION: that list has all of them
lists()
{
	listed "$1" "$2" >"$T/listed"
	same "$3" "$T/listed" "$T/families"
}
lists iotrace.7 'and of families:' 'iotrace(7): IOTRACE_CALLS takes each'
lists iotrace-cat.1 'and of families' 'iotrace-cat(1): --calls takes each'
lists iotrace-json.5 '.B family' 'iotrace-json(5): a call has each'

# what is to be asked for
sed -n 's/ ASKED$//p' "$T/rows" >"$T/asked"
sed -n '/^Default: all but$/{n; s/^\.BR \([a-z, ]*\) \.$/\1/p}' "$top_srcdir/doc/iotrace.7" | tr -s ', ' '\n' >"$T/but"
same 'iotrace(7): all others are recorded by default' "$T/but" "$T/asked"

# the tables of calls
awk '/^[a-z]+\t/ { print $1 }' "$top_builddir/table/calls.def" "$top_srcdir/table/mpi.def" "$top_srcdir/table/mpi-comm.def" |
	grep -vxE 'chk|extern|inline|watch' | sort -u >"$T/used"
sort "$T/families" >"$T/sorted"
same 'each has calls, and calls have no other' "$T/used" "$T/sorted"

# iotrace-calls(7)
sed -n 's/^\.SS \([a-z]*\): .*/\1/p' "$top_builddir/doc/iotrace-calls.7" >"$T/headings"
grep -vx 'mpi\|mpiio' "$T/families" >"$T/libcs"
same 'iotrace-calls(7) has a section for each that is not of MPI' "$T/headings" "$T/libcs"
done_testing
