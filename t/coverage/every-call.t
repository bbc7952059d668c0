#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every call of the table is made by a test program, so that the oracle has seen
# it: a new line in table/calls.def needs a line in t/progs.
# Not optimised, since headers replace some calls by others.
# shellcheck disable=SC2016 # awk programs
. "${0%/*}/../lib/tap.sh"

mkdir "$T/logs" "$T/in"
: >"$T/seen"
for src in "$top_srcdir"/t/progs/*.c "$top_srcdir"/t/progs/*.cc "$top_srcdir"/t/progs/*.f90; do
	name=${src##*/}
	compiler=$IOCC threads=''
	[ "${name%.cc}" = "$name" ] || compiler=$IOCXX
	if [ "${name%.f90}" != "$name" ]; then
		[ -n "${FC-}" ] || continue
		# without, its runtime is told that there are no threads
		compiler=$IOF90 threads=-fopenmp
	fi
	name=${name%.*}
	# gfortran leaves a module's interface where it runs
	# shellcheck disable=SC2086 # none, or one
	if ! (cd "$T" && "$compiler" -static -g -O0 $threads -o "$name" "$src" -lpthread) 2>"$T/err"; then
		fail "$name compiles"
		diag_file "$T/err"
		continue
	fi
	(cd "$T/in" && IOTRACE_MEMORY=1 IOTRACE_DIR=$T/logs exec "$T/$name" >/dev/null 2>&1 </dev/null) 2>/dev/null
	"$IOTRACE_CAT" --format=json "$T"/logs/*.iotrace >"$T/json" || fail "$name: the log can be read"
	sed -n 's/.*"call":"\([^"]*\)".*/\1/p' "$T/json" >>"$T/seen"
	rm -f "$T"/logs/*
done
sort -u -o "$T/seen" "$T/seen"

# rows by the names that logs have
sed -n 's/^[a-z][a-z]*[[:space:]][[:space:]]*[a-zA-Z]* \([A-Za-z0-9_]*\)([^[]*)\(.*\)$/\1 \2/p' "$top_builddir/table/calls.def" |
	awk '{ name = $1; if (match($0, /[[ ]as=[A-Za-z0-9_]+/)) name = substr($0, RSTART + 4, RLENGTH - 4); print name }' |
	sort -u >"$T/rows"
# no Fortran compiler, no statements
[ -n "${FC-}" ] || sed -i '/^[A-Z]*$/d' "$T/rows"
sed -n 's/^\([A-Za-z0-9_]\{1,\}\)[[:space:]]\{1,\}[^[:space:]].*/\1/p' "$top_srcdir/t/coverage/not-called.txt" |
	sort >"$T/left"
ok 'the table has calls' test -s "$T/rows"
comm -23 "$T/rows" "$T/seen" | comm -23 - "$T/left" >"$T/out"
ok 'every call of the table is made by a test program' test ! -s "$T/out" || diag_file "$T/out" 200
comm -12 "$T/seen" "$T/left" >"$T/out"
ok 'what not-called.txt lists is not made' test ! -s "$T/out" || diag_file "$T/out"
comm -13 "$T/rows" "$T/left" >"$T/out"
ok 'what not-called.txt lists is in the table' test ! -s "$T/out" || diag_file "$T/out"
done_testing
