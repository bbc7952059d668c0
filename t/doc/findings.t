#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What iotrace-stat's man page says of findings, with their thresholds, is what analysis/rules.def says.
. "${0%/*}/../lib/tap.sh"

page=$top_srcdir/doc/iotrace-stat.1
findings=$top_builddir/t/doc/findings
built "$findings"

ok 'the table is printed' sh -c "'$findings' >'$T/table' 2>'$T/err'"
none 'with nothing amiss' "$T/err"
ok 'it has findings' grep -q '^\.B small\\-reads$' "$T/table"
sed '1,/^\.\\" t\/doc\/findings.t compares/d; /^\.\\" as far as here/,$d' "$page" >"$T/page"
same 'the page has the same' "$T/page" "$T/table"
# and so has completion
sed -n 's/.*\.id = "\([a-z-]*\)".*/\1/p' "$top_srcdir/analysis/rules.def" | sort >"$T/ids"
sed -n "s/^	local rules='\(.*\)'/\1/p" "$top_srcdir/tools/completion/iotrace" | tr ' ' '\n' >"$T/completed"
same 'completion has the same' "$T/completed" "$T/ids"
# each has a file, and each file is one of them
sed -n 's/^[A-Z]*(\([a-z_]*\),.*/\1/p' "$top_srcdir/analysis/rules.def" | sort >"$T/rules"
for file in "$top_srcdir"/analysis/rules/*.c; do
	file=${file##*/}
	echo "${file%.c}"
done | sort >"$T/files"
same 'each is a file' "$T/files" "$T/rules"
done_testing
