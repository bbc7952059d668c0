#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The way of a record into the log, and out of it again, and how threads come by what
# they record with, in all interleavings: the models in t/model, which spin verifies.
# So that it is seen that they would notice, each mistake that they know of is made in
# turn, and has to be found; and so has the claim that the end of the run is not reached.
# Of the mistakes some are made, TEST_LONG=1: all; and runs that are followed are longer then.
. "${0%/*}/../lib/tap.sh"

command -v spin >/dev/null || skip_all 'spin is not installed'
cp "$top_srcdir"/t/model/*.pml "$T"
cd "$T" || exit 99

model=log witnessed=
: >made

# explore NAME[=VALUE]...: all states of $model with these definitions, into ./out
explore()
{
	# only millions of states are worth it
	case $* in
	FOLLOW*CALLS=5* | CALLERS*) optimise=-O1 ;;
	*) optimise=-O0 ;;
	esac
	for define; do
		shift
		set -- "$@" "-D$define"
	done
	rm -f pan out
	spin "$@" -a $model.pml >out 2>&1 &&
		$CC "$optimise" -w -DSAFETY -DCOLLAPSE -o pan pan.c >>out 2>&1 &&
		./pan -E -n -m100000 >>out 2>&1
}

# holds DESCRIPTION NAME[=VALUE]...
holds()
{
	what=$1
	shift
	explore "$@"
	# a search that was given up says so
	if grep -q ' errors: 0$' out && ! grep -q -i -E 'not completed|too small|out of memory' out; then
		pass "$what"
		diag "$(sed -n 's/^ *\([0-9]* states, stored\).*/\1/p' out)"
	else
		fail "$what"
		diag_file out
	fi
	# once for each model, TEST_LONG=1: for each of its settings
	[ "${TEST_LONG:-0}$model" != "0$witnessed" ] || return
	witnessed=$model
	explore "$@" WITNESS
	like "$what: up to the end" out '^pan:1: assertion violated'
}

# found MUTANT NAME[=VALUE]...
found()
{
	mutant=$1
	shift
	echo "$mutant" >>made
	case ${TEST_LONG:-0}$mutant in
	1* | 0USED_FIRST | 0HOLE_LEFT | 0NOT_BUSY | 0PLAIN_ADD | 0MAGIC_KEPT | 0COPY_EARLY | 0LOOKED_ONCE | 0COPY_TRUSTED | 0FLAGS_FIRST | 0WITHDRAWN) ;;
	*) return ;;
	esac
	explore "$@" MUTANT="$mutant"
	like "found: $mutant" out '^pan:1: assertion violated'
}

holds 'killed' THREADS=1 CALLS=5
for mutant in USED_FIRST EMPTIED_FIRST SEQ_FIRST SLOT_KEPT SLOT_EARLY START_FIRST \
	REUSED_EARLY COPY_WINS BASE_LATE; do
	found $mutant THREADS=1 CALLS=3
done

holds 'killed, writes fail' THREADS=1 CALLS=5 FAILS
found HOLE_LEFT THREADS=1 CALLS=3 FAILS

holds 'a handler, killed' THREADS=1 CALLS=5 HANDLERS=1
holds 'a handler on a handler, killed' THREADS=1 CALLS=4 HANDLERS=2
found NOT_BUSY THREADS=1 CALLS=3 HANDLERS=1

holds 'two threads, killed' THREADS=2 CALLS=4
found PLAIN_ADD THREADS=2 CALLS=3

holds 'a thread in the window of another, killed' THREADS=2 CALLS=3 TAKEN_OVER
found MAGIC_KEPT THREADS=2 CALLS=3 TAKEN_OVER

if [ "${TEST_LONG:-0}" = 1 ]; then calls=5; else calls=4; fi
holds 'followed' FOLLOW THREADS=1 CALLS=$calls
for mutant in HEADER_ONCE HEADER_UNCHECKED RECORDS_UNCHECKED COPY_EARLY; do
	found $mutant FOLLOW THREADS=1 CALLS=$calls
done

model=move
holds 'a stream that moves, followed'
for mutant in LEFT_FIRST COPY_LATE LOOKED_ONCE OLD_BELIEVED; do
	found $mutant
done

model=elsewhere
holds 'a call that another thread ends'
for mutant in COPY_TRUSTED LEFT_UNMARKED OTHERS_BELIEVED FRAME_KEPT; do
	found $mutant
done

model=take
holds 'numbers taken over, killed' OLD=2 TASKS=4 KILLS=2
holds 'numbers taken over, killed, records are copied' OLD=2 TASKS=4 KILLS=2 FLUSH
holds 'numbers taken over, copied together, killed' OLD=2 TASKS=4 KILLS=1 TOGETHER
if [ "${TEST_LONG:-0}" = 1 ]; then
	holds 'numbers taken over by three, killed' OLD=2 TASKS=5 KILLS=1
	holds 'numbers taken over, copied together, two killed' OLD=2 TASKS=4 KILLS=2 TOGETHER
	holds 'numbers taken over, copied together, records are copied' OLD=2 TASKS=4 KILLS=1 TOGETHER FLUSH
fi
for mutant in NOT_ASKED SAID_LAST SLOTS_IGNORED COPY_UNMARKED; do
	found $mutant OLD=2 TASKS=4 KILLS=1
done
found FLAGS_FIRST OLD=2 TASKS=4 KILLS=1 FLUSH
found OWNER_KEPT OLD=2 TASKS=4 KILLS=1 TOGETHER
found NOT_COUNTED OLD=2 TASKS=5
model=fd
holds "the log's descriptor moves, two write" USERS=2 MOVERS=1
holds "the log's descriptor moves, two move it" USERS=1 MOVERS=2
for mutant in CURRENT_UNCHECKED CLOSED_IN_USE NOT_EXCHANGED RETIRED_FIRST MOVED_ONTO READ_FIRST CHECKED_BEFORE; do
	found $mutant USERS=2 MOVERS=2
done

model=ring
holds 'threads share an io_uring' CALLERS=2 CALLS=2
for mutant in WITHDRAWN KEPT_READY TAKEN_FIRST UNREAD_UNKNOWN FOUND_ONCE HEAD_IGNORED GONE_IGNORED; do
	found $mutant CALLERS=2 CALLS=2
done

sed -n 's/^#define \([A-Z_]*\) [1-9][0-9]*[[:blank:]].*\/\*.*/\1/p' ./*.pml | sort >known
sort made >made.sorted
same 'every mistake was made' made.sorted known
done_testing
