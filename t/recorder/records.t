#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What short records leave out is what readers put in: offsets, sizes, results,
# paths and flags of calls in every order, as the program itself tells them.  TEST_LONG=1:
# more of them.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/recorder.sh"

build pattern

seeds=$(either '1 2 3 4' 1)
[ "${TEST_LONG:-0}" != 1 ] || seeds='1 2 3 4 5 6'
for seed in $seeds; do
	case $seed in
	1)	IOTRACE_BUFFER=4096 ;;
	2)	IOTRACE_BUFFER=8192 ;;
	3)	IOTRACE_BUFFER=1048576 ;;
	*)	IOTRACE_BUFFER=65536 ;;
	esac
	export IOTRACE_BUFFER
	run pattern "$seed" 20000
	unset IOTRACE_BUFFER
	is "seed $seed: runs" "$(cat "$T/status")" 0
	"$IOTRACE_CAT" --format=json "$logs"/*.iotrace >"$T/json" 2>"$T/err"
	ok "seed $seed: nothing to complain of" test ! -s "$T/err" || diag_file "$T/err"
	perl "$rec_src/pattern.pl" "$T/in" "$T/json" >"$T/got"
	ok "seed $seed: every call is as the program says" cmp "$T/out" "$T/got" || {
		diff "$T/out" "$T/got" | head -20 >"$T/diff"
		diag_file "$T/diff"
	}
done
done_testing
