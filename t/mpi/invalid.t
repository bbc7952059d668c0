#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each call of MPI in the tables with arguments that are none, one after the other
# (t/mpi/invalid.awk): the same error, as many calls of the program's error handlers, and
# the same end as without a recorder; when errors end the program, before MPI_Init and after
# MPI_Finalize, too.  TEST_LONG=1: all of them each time.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99
IOTRACE_CALLS=mpi,mpiio
export IOTRACE_CALLS
mkdir logs

# tries PROGRAM WHEN STEP: what comes of it, and what MPI says without addresses and processes
tries()
{
	mkdir in && cd in || exit 99
	IOTRACE_DIR=$T/logs timeout 600 "../$1" "$2" "$3" >../out 2>../err </dev/null
	echo "status $?" >>../out
	cd .. && rm -rf in logs/*
}

for mpi in $IOT_MPIS; do
	tap_about="$mpi: "
	mkdir "$mpi"
	LC_ALL=C "${AWK:-awk}" -f "$top_srcdir/t/mpi/invalid.awk" "$top_builddir/mpi/$mpi.names" "$top_srcdir/table/mpi.def" \
		"$top_srcdir/table/mpi-comm.def" >"$mpi/cases.h"
	ok 'there are cases' test "$(wc -l <"$mpi/cases.h")" -gt 1000
	ok 'they compile' "$(mpi_cc "$mpi")" -w "-I$mpi" -o "plain-$mpi" "$top_srcdir/t/mpi/invalid.c" || continue
	ok 'they compile with iompicc' mpi_build "$mpi" "traced-$mpi" -w "-I$mpi" "$top_srcdir/t/mpi/invalid.c" || continue
	for when in counted fatal before after; do
		# Open MPI takes its time over errors
		case $mpi-$when in
		openmpi-counted) step=307 ;;
		openmpi-*) step=499 ;;
		*-counted) step=23 ;;
		*) step=293 ;;
		esac
		[ "${TEST_LONG:-0}" = 0 ] || step=1
		tries "plain-$mpi" $when $step
		mv out want
		tries "traced-$mpi" $when $step
		ok "$when: there is an end to all" test "$(grep -c ' end ' want)" -gt 2
		same "$when: the same comes of each" out want
	done
done
done_testing
