#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 256 ranks on this machine under IOTRACE_MERGE, however few processors it has: all of
# them in the job's log with every call that they made, and nothing left over.  `make
# check-long` runs it; t/mpi/merge.t does the same with 12 ranks.
#
#	t/check-ranks.sh [RANKS]
# shellcheck disable=SC2016 # awk's fields
# shellcheck source=t/lib/tap.sh
. "${0%/*}/lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/lib/mpi.sh"
cd "$T" || exit 99
ranks=${1:-256}
UCX_TLS=self,posix
export UCX_TLS

for form in $IOT_MPIS; do
	tap_about="$form, $ranks ranks: "
	ok 'iompicc builds it' mpi_build "$form" m "$top_srcdir/t/mpi/merge.c" || continue
	mkdir m.logs
	IOTRACE_MERGE=1 IOTRACE_DIR=$T/m.logs timeout 1800 "$(mpi_tool "$form" mpirun)" -np "$ranks" ./m >m.out 2>m.err </dev/null
	is 'the job ends well' $? 0 || diag_file m.err
	is 'nothing is said' "$(cat m.err)" ''
	is 'there is the log of the job' "$(find m.logs -name 'm.job.*.iotrace' | wc -l | tr -d ' ')" 1
	is 'and nothing else' "$(find m.logs -type f | wc -l | tr -d ' ')" 1
	diag "$(du -k m.logs/* | cut -f 1) KiB"
	"$IOTRACE_STAT" --no-progress --format=csv --by=rank -e write -P '/merge-own' m.logs >sums 2>stat.err
	is 'iotrace-stat reads it' "$? $(cat stat.err)" '0 '
	is 'each rank wrote once more often than the one before' \
		"$(awk -F, 'NR > 1 && $4 == $3 + 1 && $10 == 7 * $4 { n++ } END { print n, NR - 1 }' sums)" "$ranks $ranks"
	is 'all read the common file' "$("$IOTRACE_CAT" --no-progress --format=raw -e pread m.logs 2>/dev/null |
		by_column '!/^#/ && $offset == 100 * $rank && $ret == 4 { n[$rank] = 1 } END { for (r in n) sum++; print sum }')" "$ranks"
	is 'all finalized MPI' "$("$IOTRACE_STAT" --no-progress --format=csv --by=call -e MPI_Finalize m.logs 2>/dev/null |
		awk -F, '$1 == "MPI_Finalize" { print $3 }')" "$ranks"
	rm -rf m.logs
done
done_testing
