#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random programs do the same in every traced form as they do untraced, and their logs
# are sound: a fixed row of seeds, as many as a quarter of a minute is enough for.  make check-hostile
# goes on from there.  TEST_LONG=1: ten minutes.
. "${0%/*}/../lib/tap.sh"

# a number of programs, not a time: the machine may be busy; the oracle has one that it is
# quick with, without timers and settings of its own, which it leaves out
if [ "${TEST_LONG:-0}" = 1 ]; then
	programs=1500
	oracle=20
else
	programs=28
	oracle=6,6
fi
# built once, for what follows, too
mkdir "$T/bin"
perl "$top_srcdir/t/hostile/check-hostile.pl" --seconds=100000 --programs=$programs --seed=1 --oracle=$oracle --bin="$T/bin" >"$T/out" 2>&1
status=$?
is 'no program noticed' "$status" 0 || diag_file "$T/out" 200
like 'they were run' "$T/out" "^[0-9]+ s: $programs seeds, "
# a program that differs from run to run shows nothing of the recorder
unlike 'each is the same each time it runs untraced' "$T/out" 'differ untraced' || diag_file "$T/out"
unlike 'the oracle has looked at some' "$T/out" ', 0 by the oracle too;'
unlike 'and ends in time' "$T/out" 'take too long' || diag_file "$T/out"
diag "$(tail -n 1 "$T/out")"

# what found something, with all that was left out once; as a rule with few operations
# again SEED
again()
{
	seed=$1
	perl "$top_srcdir/t/hostile/check-hostile.pl" --seconds=100000 --programs=1 --seed="$seed" --oracle=0 --bin="$T/bin" >"$T/out" 2>&1
	is "seed $seed is as it should be" $? 0 || diag_file "$T/out" 100
	unlike "seed $seed is the same each time it runs untraced" "$T/out" 'differ untraced'
}

# what is executed has the settings that the oracle wants
perl "$top_srcdir/t/hostile/check-hostile.pl" --one=33 --keep=31 --forms=static --bin="$T/bin" >"$T/out" 2>&1
is 'seed 33 for the oracle is as it should be' $? 0 || diag_file "$T/out" 100
like 'and has a program executed' "$T/out" '^31: ftw: exec'
# a coroutine beside an alternate stack that the program does not know of
again 7140003
# a name that libc does not read to its end
again 7300379
# limits that can't be raised, with the log's descriptor beneath
again 7150001
again 7150077
# a child's call of the same name comes before the program's
again 7300378
done_testing
