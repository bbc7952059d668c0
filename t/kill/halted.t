#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One process of a log stands still where it reserves space for a block, and may be killed there:
# the blocks that others write meanwhile lie below the end that the log's header tells.
. "${0%/*}/../lib/tap.sh"

ok 'the program is built' "$IOCC" -static -g -O2 -I"$top_srcdir/t/kill" "$top_srcdir/t/kill/two.c" -o "$T/two" ||
	done_testing
mkdir "$T/logs"
(cd "$T" && IOTRACE_DIR="$T/logs" IOTRACE_BUFFER=16384 IOTRACE_STACK=0 "$top_builddir/t/kill/halted" "$T/two" "$T/logs") \
	>"$T/out" 2>&1
status=$?
[ $status -ne 77 ] || skip_all 'ptrace is not permitted'
is 'the other process writes at each stop' $status 0
diag_file "$T/out"
"$IOTRACE_CAT" --calls=pread "$T/logs" >"$T/cat" 2>"$T/said"
is 'the log can be read' $? 0
none 'and is sound' "$T/said"
stops=$(sed -n 's/^# \(.*\) stops$/\1/p' "$T/out")
is 'all calls are there' "$(grep -c 'pread' "$T/cat")" $(((stops + 2) * 700))
done_testing
