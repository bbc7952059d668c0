#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# IOTRACE_CALLS=mpi: what else orders accesses is in the log, each call once and as the
# program says it: persistent operations and their starts, messages that are looked for,
# neighbourhood collectives, large counts (again.c); windows (win.c); processes that come
# later (spawn.c).

# shellcheck source=t/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
# shellcheck source=t/lib/mpi.sh
. "${0%/*}/../lib/mpi.sh"
cd "$T" || exit 99

# calls RANK LOGS...: what is in the logs
calls()
{
	rank=$1
	shift
	"$IOTRACE_CAT" --format=json --rank="$rank" -e mpi "$@" 2>err |
		awk -f "$top_srcdir/t/lib/json.awk" -f "$top_srcdir/t/lib/mpi-calls.awk" >got
}

for form in $(mpi_forms); do
	for program in again win; do
		tap_about="$form, $program: "
		ok 'the program is built' mpi_build "$form" "$program" "$top_srcdir/t/mpi/$program.c" || continue
		rm -f said.*
		IOTRACE_CALLS=mpi
		export IOTRACE_CALLS
		ok 'it runs' mpi_run "$form" 2 "$program"
		unset IOTRACE_CALLS
		for rank in 0 1; do
			calls $rank "$program.logs"
			same "rank $rank: as it says" got "said.$rank"
		done
	done
done

# of Open MPI's ways between processes, jobs that came one after the other have TCP alone
OMPI_MCA_btl=self,vader,tcp
for form in $(mpi_forms); do
	tap_about="$form, spawn: "
	mpi=${form#run-}
	[ "$form" != static ] || mpi=mpich
	"$(mpi_cc "$mpi")" -o spawn "$top_srcdir/t/mpi/spawn.c" || exit 99
	# Debian 12's MPICH ends in an error of its own
	if [ "$mpi" = mpich ] && ! timeout 600 "$(mpi_tool "$mpi" mpirun)" -np 1 ./spawn >/dev/null 2>&1; then
		diag "$form: untraced, this MPI starts no processes"
		continue
	fi
	ok 'the program is built' mpi_build "$form" spawn "$top_srcdir/t/mpi/spawn.c" || continue
	IOTRACE_CALLS=mpi
	export IOTRACE_CALLS
	ok 'it runs' mpi_run "$form" 1 spawn
	unset IOTRACE_CALLS
	calls 0 spawn.logs/*".$(cat pid)."*
	same 'as it says' got said.0
done

for form in $(mpi_forms); do
	tap_about="$form, Fortran: "
	COMPILER=iompif90 IOTRACE_CALLS=mpi
	export COMPILER IOTRACE_CALLS
	ok 'the program is built' mpi_build "$form" order "$top_srcdir/t/mpi/order.f90" || continue
	ok 'it runs' mpi_run "$form" 2 order
	unset IOTRACE_CALLS COMPILER
	for rank in 0 1; do
		other=$((1 - rank))
		calls $rank order.logs
		cat >want <<X
MPI_Recv_init comm=world source=$other tag=5 size=32
MPI_Send_init comm=world dest=$other tag=5 size=16
MPI_Startall
mpi_start comm=world peer=$other tag=5 size=32 op=1 init=MPI_Recv_init
mpi_start comm=world peer=$other tag=5 size=16 op=2 init=MPI_Send_init
MPI_Waitall
mpi_complete comm=world peer=$other tag=5 size=32 op=1 issued=MPI_Recv_init ret=16
mpi_complete comm=world peer=$other tag=5 size=16 op=2 issued=MPI_Send_init ret=16
MPI_Win_create comm=world win=world:1 size=32
MPI_Win_fence win=world:1
MPI_Put win=world:1 target_rank=$other target_disp=3 size=8
MPI_Win_fence win=world:1 assertion=NOSUCCEED
MPI_Win_free win=world:1
MPI_Isend comm=world dest=$other tag=6 size=12 op=3
MPI_Mprobe comm=world source=$other tag=6 ret=12
MPI_Mrecv comm=world source=$other tag=6 size=32 ret=12
MPI_Wait comm=world peer=$other tag=6 size=12 op=3 issued=MPI_Isend ret=12
MPI_Win_create comm=world win=world:2 size=32
MPI_Win_lock win=world:2 lock=shared target_rank=$other
MPI_Get win=world:2 target_rank=$other target_disp=2 size=16
MPI_Win_unlock win=world:2 target_rank=$other
MPI_Win_free win=world:2
MPI_Cart_create comm=world newcomm=0,1#1
MPI_Neighbor_alltoall comm=0,1#1 size=16
X
		same "rank $rank: each call once" got want
	done
done
done_testing
