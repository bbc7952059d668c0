#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random programs do the same in every traced form as they do untraced, and their logs
# are sound: a fixed row of seeds, as many as a minute is enough for.  make check-hostile
# goes on from there.  TEST_LONG=1: ten minutes.
. "${0%/*}/lib/tap.sh"

# a number of programs, not a time: the machine may be busy
if [ "${TEST_LONG:-0}" = 1 ]; then programs=1500; else programs=100; fi
perl "$top_srcdir/t/hostile/check-hostile.pl" --seconds=100000 --programs=$programs --seed=1 --oracle=60 >"$T/out" 2>&1
status=$?
is 'no program noticed' "$status" 0 || diag_file "$T/out" 200
like 'they were run' "$T/out" "^[0-9]+ s: $programs seeds, "
# what differs of itself, as a wait that a signal ends or not, shows nothing of the recorder
differ=$(sed -n 's/.*, \([0-9][0-9]*\) seeds differ untraced.*/\1/p' "$T/out")
ok 'nearly all are the same each time they run untraced' test "${differ:-0}" -le $((programs / 20)) || diag_file "$T/out"
diag "$(tail -n 1 "$T/out")"
done_testing
