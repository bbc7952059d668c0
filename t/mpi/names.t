#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each name in t/coverage/mpi.txt that an MPI has gets a wrapper, under PMPI_ too, and
# is in the log of a program that calls it; a static program's log has the system
# calls that strace sees.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99
# shellcheck disable=SC2154 # tap.sh sets it
sed '/^#/d' "$top_srcdir/t/coverage/mpi.txt" | sort >names

for form in $(mpi_forms); do
	tap_about="$form: "
	mpi=${form#run-}
	list=dynamic
	# shellcheck disable=SC2154
	[ "$form" != static ] || { mpi=mpich; list=wrap; }
	sed 's/.*P*\(MPI_[A-Za-z_]*\).*/\1/; /MPI_/!d' "$top_builddir/mpi/$mpi.names" | sort -u >there
	comm -12 names there >want
	sed -n 's/.*[^A-Z_]\(P*MPI_[A-Za-z_]*\).*/\1/p; s/^--wrap=//p' "$top_builddir/mpi/$mpi.$list.list" | sort -u >wrapped
	comm -23 want wrapped >lack
	is 'all names have wrappers' "$(tr '\n' ' ' <lack)" ''
	sed 's/^/P/' want | comm -23 - wrapped >lack
	is 'and those with P' "$(tr '\n' ' ' <lack)" ''
	ok 'a program that calls them is built' mpi_build "$form" "n-$form" "$top_srcdir/t/mpi/names.c"
	ok 'it runs' mpi_run "$form" 2 "n-$form"
	is 'and finds nothing wrong' "$(cat "n-$form.out")" ''
	"$IOTRACE_CAT" --format=json -e mpiio "n-$form.logs" >json
	sed 's/.*"call":"\([^"]*\)".*/\1/' json | sort -u >got
	# the other way to begin and to end
	printf '%s\n' MPI_Abort MPI_Init >elsewhere
	[ "$mpi" != mpich ] || echo MPI_Testall >>elsewhere
	comm -23 want got | comm -23 - elsewhere >lack
	is 'the log has each' "$(tr '\n' ' ' <lack)" ''
	unlike 'transfers are of 64 bytes' json '"call":"MPI_File_(read|write)(_at|_all|_at_all|_shared|_ordered)(_c)?",.*"size":64,.*"ret":([1-57-9]|6[^4])'
	like 'errors have names' json '"call":"MPI_File_open".*"errno":"MPI_ERR_NO_SUCH_FILE"'
done

tap_about='static, under strace: '
if [ -x n-static ]; then
	mkdir oracle
	# no System V shared memory, which is none of our calls
	IOTRACE_MPI_POLL=1 UCX_MEM_EVENTS=n UCX_TLS=self,tcp NM=${NM:-nm} "$top_srcdir/t/lib/oracle" --dir="$T/oracle" --report=report -- ./n-static init >out 2>&1
	is 'the log says what strace says' $? 0 || { diag_file out; diag_file report; }
fi
done_testing
