#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How long texts are that are written and read by functions whose arguments do not say it.
# shellcheck disable=SC2016 # awk's fields
. "${0%/*}/../lib/tap.sh"

src=$top_srcdir/t/recorder/lengths.c
ok 'builds, static' "$IOCC" -static -fno-builtin -o "$T/static" "$src"
ok 'builds, dynamic' "$IOCC" -fno-builtin -o "$T/dynamic" "$src"
# shellcheck disable=SC2086 # CC may have options
ok 'builds, without us' $CC -fno-builtin -o "$T/plain" "$src"

texts() # FORM COMMAND...
{
	form=$1
	shift
	mkdir "$T/$form.in" "$T/$form.logs"
	(cd "$T/$form.in" && IOTRACE_DIR=$T/$form.logs "$@" >out 2>"$T/$form.said")
	is "$form: runs" $? 0
	"$IOTRACE_CAT" --format=raw "$T/$form.logs" >"$T/raw" 2>"$T/$form.err"
	ok "$form: nothing to complain of" test ! -s "$T/$form.err" || diag_file "$T/$form.err"
	by_column '$call ~ /^(fputs|puts|fgets|getline|getdelim)/ && $depth == 0 {
		print $call, ($size == "" ? "-" : $size), ($ret >= 0 ? $ret : "-") $args
	}' "$T/raw" >"$T/$form.logged"
	same "$form: each call has its size and result" "$T/$form.logged" "$T/$form.said"
}

mkdir "$T/plain.in"
(cd "$T/plain.in" && "$T/plain" >out 2>/dev/null)
texts static "$T/static"
texts dynamic "$T/dynamic"
texts preloaded "$top_builddir/tools/iotrace-run" "$T/plain"
for form in static dynamic preloaded; do
	ok "$form: writes what it writes without us" diff -r "$T/plain.in" "$T/$form.in"
done

# what the functions have written to a file is what is in it
"$IOTRACE_STAT" --by=file --format=csv "$T/static.logs" >"$T/csv" 2>"$T/err"
"$AWK" -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	$column["path"] ~ /\/out$/ { print $column["lib_written"] }' "$T/csv" >"$T/written"
is 'iotrace-stat counts the bytes of texts' "$(cat "$T/written")" "$(wc -c <"$T/static.in/out")"
done_testing
