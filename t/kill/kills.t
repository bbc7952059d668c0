#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kill -9 at 1,000 random moments, TEST_LONG=1: 20,000: every log can be read, has
# every call that had returned, and none with other values.
. "${0%/*}/../lib/tap.sh"

kills=$top_builddir/t/kill/kills
ok 'the program is built' "$IOCC" -static -g -O2 -I"$top_srcdir/t/kill" "$top_srcdir/t/kill/killed.c" \
	-o "$T/killed" || done_testing
number=250
[ -z "${TEST_LONG:-}" ] || number=5000
# small windows are written often; walking stacks takes its time
for how in 'IOTRACE_BUFFER=16384' 'IOTRACE_BUFFER=16384 IOTRACE_STACK=0' 'IOTRACE_STACK=0' \
	'IOTRACE_BUFFER=65536'; do
	rm -rf "$T/in"
	mkdir -p "$T/in/logs"
	# shellcheck disable=SC2086 # settings
	(cd "$T/in" && env IOTRACE_DIR="$T/in/logs" $how "$kills" "$T/killed" $number "${SEED:-$$}" >"$T/out" 2>&1)
	is "$how: $number kills" $? 0 || diag "SEED=${SEED:-$$}"
	cat "$T/out"
done
done_testing
