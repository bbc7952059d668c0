#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The attributes of rows: each is explained, and no row lacks what the analysis has to know.
. "${0%/*}/../lib/tap.sh"

set -- "$top_builddir/table/calls.def" "$top_srcdir/table/mpi.def" "$top_srcdir/table/mpi-comm.def"

# --- a slip is no attribute that nobody reads ---------------------------------
sed -n '/^[a-z]\{1,\}	/{
	/^\(watch\|extern\|version\|chk\|inline\)/d
	s/.*\[\(.*\)\].*/\1/p
}' "$@" | tr ' ' '\n' | sed 's/=.*//; /^$/d' | sort -u >"$T/used"
ok 'rows have attributes' grep -q -x does "$T/used"
# the words before the explanation
sed -n '/^Attributes/,$s/^#\{0,1\}	\([a-z].*\)/\1/p' "$top_srcdir/table/README" |
	cat - "$top_srcdir"/table/mpi*.def | tr -s '\t ,:;.#' '\n' | sed 's/=.*//' | sort -u >"$T/words"
comm -23 "$T/used" "$T/words" >"$T/out"
none 'README or the head of its table explains each' "$T/out"

# --- call-effects.awk ---------------------------------------------------------
effects() { "${AWK:-awk}" -f "$top_srcdir/table/call-effects.awk" "$@"; }

effects "$@" >"$T/all" || exit 99
is 'a call has one effect' "$(sed -n 's/^\([A-Z]*([A-Za-z0-9_]*\),.*/\1/p' "$T/all" | sort | uniq -d)" ''
printf 'posix\tbytes slurp(fd fd, buf buf, size count)\t[sys=slurp does=read]\n' >"$T/new.def"
is 'a row is all that a call needs that moves data' "$(effects "$T/new.def")" 'EFFECT(slurp, READ, RESULT, false, false)'
printf 'posix\tbytes slurp(fd fd, buf buf, size count)\t[sys=slurp]\n' >"$T/new.def"
effects "$T/new.def" >"$T/out" 2>"$T/err"
is 'a row whose result could be bytes has to say what it does' "$? $(cat "$T/err")" \
	"1 call-effects.awk: $T/new.def:1: slurp needs does=WHAT, or does=other if it moves no data"
printf 'posix\tbytes a(fd fd)\t[does=read]\nposix\tbytes b(fd fd)\t[as=a does=write]\n' >"$T/new.def"
effects "$T/new.def" >"$T/out" 2>"$T/err"
is 'rows of one name agree' "$? $(cat "$T/err")" "1 call-effects.awk: $T/new.def:2: a has two of EFFECT"
done_testing
