#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_CALLS=mpi: messages, collectives, waits and communicators are in the log, each
# once, as the program says: on which communicator, with whom, which tag, how many bytes.
# Not named, they are not there.

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

# calls RANK: as the program says them
calls()
{
	"$IOTRACE_CAT" --format=json --rank="$1" -e mpi logs >json 2>err
	awk "$json_awk"'
	{
		call = value("call")
		comm = value("comm")
		who = value("dest")
		tag = value("tag")
		bytes = value("size")
		if (call == "MPI_Waitall") {
			held = 2
			next
		}
		if (call ~ /^MPI_Comm_/) {
			made = value("newcomm")
			print call, comm (made == "-" ? "" : " " made)
			next
		}
		if (who == "-")
			who = value("source")
		if (who == "-")
			who = value("root")
		if (who == "-")
			who = value("peer")
		if (call ~ /^(MPI_Recv|MPI_Probe|MPI_Wait|mpi_complete)$/)
			bytes = value("ret")
		if (call == "MPI_Sendrecv")
			tag = value("recvtag")
		sub(/^mpi_/, "", call)
		print call, comm, value("comm_rank") "/" value("comm_size"), who, tag, bytes
		if (call == "complete" && !--held)
			print "MPI_Waitall"
	}' json
}

for form in $(mpi_forms); do
	tap_about="$form: "
	ok 'the program is built' mpi_build "$form" comm "$top_srcdir/t/mpi/comm.c" || continue
	ok 'it runs' mpi_run "$form" 4 comm
	"$IOTRACE_CAT" --format=json comm.logs >json 2>err
	unlike 'nothing of it is recorded' json '"family":"mpi"'
	like 'but what is on files' json 'MPI_File_write_at_all'
	IOTRACE_CALLS=mpi
	export IOTRACE_CALLS
	ok 'it runs, recorded' mpi_run "$form" 4 comm
	unset IOTRACE_CALLS
	rm -rf logs
	mv comm.logs logs
	for rank in 0 1 2 3; do
		calls $rank >got
		same "rank $rank: as it says" got said.$rank
	done
	"$IOTRACE_CAT" --format=json -e MPI_Wait,MPI_Irecv logs >json 2>err
	like 'a wait names what it ends' json '"call":"MPI_Wait",.*"op":[0-9]+,"issued":"MPI_Irecv","elapsed":[1-9]'
done

# the same through the bindings of Fortran, and all rows
for form in $(mpi_forms); do
	tap_about="$form, Fortran: "
	COMPILER=iompif90
	export COMPILER
	ok 'the program is built' mpi_build "$form" commf "$top_srcdir/t/mpi/comm.f90" || continue
	IOTRACE_CALLS=mpi
	export IOTRACE_CALLS
	ok 'it runs' mpi_run "$form" 2 commf
	unset IOTRACE_CALLS COMPILER
	for rank in 0 1; do
		other=$((1 - rank))
		rm -rf logs
		cp -r commf.logs logs
		calls $rank >got
		cat >want <<X
MPI_Barrier world $rank/2 - - -
MPI_Sendrecv world $rank/2 $other 5 12
MPI_Irecv world $rank/2 $other 6 8
MPI_Send world $rank/2 $other 6 8
MPI_Wait world $rank/2 $other 6 8
MPI_Allreduce world $rank/2 - - 8
MPI_Bcast world $rank/2 0 - 16
X
		same "rank $rank: each call once" got want
	done
	case $form in
	run-*) continue ;;
	static) mpi=mpich list=wrap ;;
	*) mpi=$form list=dynamic ;;
	esac
	sed -n 's/^mpi[^(]* P*\(MPI_[A-Za-z_]*\)(.*/\1/p' "$top_srcdir/table/mpi-comm.def" |
		sed 'p; s/$/_c/' | sort -u >rows
	sed 's/.*P*\(MPI_[A-Za-z_]*\).*/\1/; /MPI_/!d' "$top_builddir/mpi/$mpi.names" | sort -u | comm -12 - rows >want
	ok 'there are rows' test "$(wc -l <want)" -gt 50
	sed -n 's/.*[^A-Z_]\(P*MPI_[A-Za-z_]*\).*/\1/p; s/^--wrap=//p' "$top_builddir/mpi/$mpi.$list.list" | sort -u >wrapped
	sed 'p; s/^/P/' want | sort | comm -23 - wrapped >lack
	none 'all have wrappers' lack
done
done_testing
