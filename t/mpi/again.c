/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * again.c - operations that are started again and again, messages that are looked for
 * before they are received, neighbours, large counts; 2 ranks.  It says what it calls.
 */
#include "say.h"

#if MPI_VERSION < 4
#include <mpi-ext.h>
#define AGAIN(name) MPIX_##name
#else
#define AGAIN(name) MPI_##name
#endif

static int me, other, data[64], back[64], ops;

static void messages(void)
{
	MPI_Request r[2];

	MPI_Recv_init(back, 8, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[0]);
	say("MPI_Recv_init comm=world source=-1 tag=5 size=32");
	MPI_Send_init(data, 4, MPI_INT, other, 5, MPI_COMM_WORLD, &r[1]);
	say("MPI_Send_init comm=world dest=%d tag=5 size=16", other);
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, r);
		say("MPI_Startall");
		say("mpi_start comm=world peer=-1 tag=5 size=32 op=%d init=MPI_Recv_init", ++ops);
		say("mpi_start comm=world peer=%d tag=5 size=16 op=%d init=MPI_Send_init", other, ++ops);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		say("MPI_Waitall");
		say("mpi_complete comm=world peer=%d tag=5 size=32 op=%d issued=MPI_Recv_init ret=16", other, ops - 1);
		say("mpi_complete comm=world peer=%d tag=5 size=16 op=%d issued=MPI_Send_init ret=16", other, ops);
	}
	MPI_Start(&r[0]);
	say("MPI_Start comm=world peer=-1 tag=5 size=32 op=%d init=MPI_Recv_init", ++ops);
	MPI_Send(data, 3, MPI_INT, other, 5, MPI_COMM_WORLD);
	say("MPI_Send comm=world dest=%d tag=5 size=12", other);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	say("MPI_Wait comm=world peer=%d tag=5 size=32 op=%d issued=MPI_Recv_init ret=12", other, ops);
	/* what is not started is not waited for, and free without a word */
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static void send(int tag, int n)
{
	MPI_Send(data, n, MPI_INT, other, tag, MPI_COMM_WORLD);
	say("MPI_Send comm=world dest=%d tag=%d size=%d", other, tag, 4 * n);
}

static void looks(void)
{
	MPI_Message message;
	MPI_Request r;
	MPI_Status s;
	int flag = 0;

	send(21, 1);
	send(22, 2);
	send(23, 3);
	send(24, 4);
	while (!flag)
		MPI_Iprobe(MPI_ANY_SOURCE, 21, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	say("MPI_Iprobe comm=world source=%d tag=21 ret=4", other);
	MPI_Recv(back, 9, MPI_INT, other, 21, MPI_COMM_WORLD, &s);
	say("MPI_Recv comm=world source=%d tag=21 size=36 ret=4", other);
	MPI_Mprobe(other, 22, MPI_COMM_WORLD, &message, &s);
	say("MPI_Mprobe comm=world source=%d tag=22 ret=8", other);
	MPI_Mrecv(back, 9, MPI_INT, &message, &s);
	say("MPI_Mrecv comm=world source=%d tag=22 size=36 ret=8", other);
	for (flag = 0; !flag;)
		MPI_Improbe(MPI_ANY_SOURCE, 23, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
	say("MPI_Improbe comm=world source=%d tag=23 ret=12", other);
	MPI_Imrecv(back, 9, MPI_INT, &message, &r);
	say("MPI_Imrecv comm=world source=%d tag=23 size=36 op=%d", other, ++ops);
	MPI_Wait(&r, &s);
	say("MPI_Wait comm=world peer=%d tag=23 size=36 op=%d issued=MPI_Imrecv ret=12", other, ops);
	MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &s);
	say("MPI_Mprobe comm=world source=-2 tag=-1 ret=0");
	MPI_Mrecv(back, 9, MPI_INT, &message, &s);
	say("MPI_Mrecv source=-2 tag=-1 size=36 ret=0");
	MPI_Recv(back, 9, MPI_INT, other, 24, MPI_COMM_WORLD, &s);
	say("MPI_Recv comm=world source=%d tag=24 size=36 ret=16", other);
}

static void neighbours(void)
{
	int two = 2, no = 0, counts[4] = { 1, 5, 1, 5 }, at[4] = { 0, 8, 16, 24 }, there[2];
	MPI_Datatype types[4] = { MPI_INT, MPI_CHAR }, others[4] = { MPI_CHAR, MPI_INT };
	MPI_Aint where[4] = { 0, 32, 64, 96 };
	MPI_Comm grid, graph;
	MPI_Request r;

	/* 0 has a neighbour above alone, 1 below */
	MPI_Cart_create(MPI_COMM_WORLD, 1, &two, &no, 0, &grid);
	say("MPI_Cart_create comm=world newcomm=0,1#1");
	MPI_Neighbor_allgather(data, 3, MPI_INT, back, 3, MPI_INT, grid);
	say("MPI_Neighbor_allgather comm=0,1#1 size=12");
	MPI_Neighbor_alltoall(data, 3, MPI_INT, back, 3, MPI_INT, grid);
	say("MPI_Neighbor_alltoall comm=0,1#1 size=12");
	counts[0] = counts[1] = 5;
	MPI_Neighbor_alltoallv(data, counts, at, MPI_INT, back, counts, at, MPI_INT, grid);
	say("MPI_Neighbor_alltoallv comm=0,1#1 size=20");
	MPI_Ineighbor_alltoallw(data, counts, where, types, back, counts, where, others, grid, &r);
	say("MPI_Ineighbor_alltoallw comm=0,1#1 size=%d op=%d", me ? 20 : 5, ++ops);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	say("MPI_Wait comm=0,1#1 size=%d op=%d issued=MPI_Ineighbor_alltoallw ret=%d", me ? 20 : 5, ops, me ? 20 : 5);
	there[0] = 0;
	there[1] = 1;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, there, MPI_UNWEIGHTED, 2, there, MPI_UNWEIGHTED,
				       MPI_INFO_NULL, 0, &graph);
	say("MPI_Dist_graph_create_adjacent comm=world newcomm=0,1#2");
	MPI_Neighbor_alltoall(data, 3, MPI_INT, back, 3, MPI_INT, graph);
	say("MPI_Neighbor_alltoall comm=0,1#2 size=24");
	MPI_Barrier(grid);
	say("MPI_Barrier comm=0,1#1");
}

static void collectives(void)
{
	int counts[2] = { 3, 4 }, at[2] = { 0, 8 };
	MPI_Comm twin;
	MPI_Request r;

	AGAIN(Barrier_init)(MPI_COMM_WORLD, MPI_INFO_NULL, &r);
	say("MPI_Barrier_init comm=world");
	for (int i = 0; i < 2; i++) {
		MPI_Start(&r);
		say("MPI_Start comm=world size=0 op=%d init=MPI_Barrier_init", ++ops);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		say("MPI_Wait comm=world size=0 op=%d issued=MPI_Barrier_init ret=0", ops);
	}
	MPI_Request_free(&r);
	AGAIN(Gatherv_init)(data, counts[me], MPI_INT, back, counts, at, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
	say("MPI_Gatherv_init comm=world root=1 size=%d", 4 * counts[me]);
	MPI_Start(&r);
	say("MPI_Start comm=world size=%d op=%d init=MPI_Gatherv_init", 4 * counts[me], ++ops);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	say("MPI_Wait comm=world size=%d op=%d issued=MPI_Gatherv_init ret=%d", 4 * counts[me], ops, 4 * counts[me]);
	MPI_Request_free(&r);
	MPI_Comm_idup(MPI_COMM_WORLD, &twin, &r);
	say("MPI_Comm_idup comm=world newcomm=0,1#3 op=%d", ++ops);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	say("MPI_Wait comm=world size=0 op=%d issued=MPI_Comm_idup ret=0", ops);
	MPI_Barrier(twin);
	say("MPI_Barrier comm=0,1#3");
	MPI_Comm_free(&twin);
	say("MPI_Comm_free comm=0,1#3");
}

#if MPI_VERSION >= 4
static void large(void)
{
	MPI_Count counts[2] = { 3, 4 };
	MPI_Aint at[2] = { 0, 8 };

	MPI_Allgatherv_c(data, counts[me], MPI_INT, back, counts, at, MPI_INT, MPI_COMM_WORLD);
	say("MPI_Allgatherv comm=world size=%d", 4 * (int)counts[me]);
	MPI_Alltoallv_c(data, counts, at, MPI_INT, back, (MPI_Count[]){ counts[me], counts[me] }, at, MPI_INT,
			MPI_COMM_WORLD);
	say("MPI_Alltoallv comm=world size=28");
	MPI_Reduce_scatter_c(data, back, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	say("MPI_Reduce_scatter comm=world size=28");
}

static void parts(void)
{
	MPI_Request r;
	int flag = 0;

	if (me) {
		MPI_Precv_init(back, 2, 10, MPI_INT, 0, 31, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
		say("MPI_Precv_init comm=world source=0 tag=31 size=80");
		MPI_Start(&r);
		say("MPI_Start comm=world peer=0 tag=31 size=80 op=%d init=MPI_Precv_init", ++ops);
		while (!flag)
			MPI_Parrived(r, 1, &flag);
		say("MPI_Parrived comm=world peer=0 tag=31 partition=1 op=%d init=MPI_Precv_init", ops);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		say("MPI_Wait comm=world peer=0 tag=31 size=80 op=%d issued=MPI_Precv_init ret=80", ops);
	} else {
		MPI_Psend_init(data, 2, 10, MPI_INT, 1, 31, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
		say("MPI_Psend_init comm=world dest=1 tag=31 size=80");
		MPI_Start(&r);
		say("MPI_Start comm=world peer=1 tag=31 size=80 op=%d init=MPI_Psend_init", ++ops);
		for (int i = 1; i >= 0; i--) {
			MPI_Pready(i, r);
			say("MPI_Pready comm=world peer=1 tag=31 partition=%d op=%d init=MPI_Psend_init", i, ops);
		}
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		say("MPI_Wait comm=world peer=1 tag=31 size=80 op=%d issued=MPI_Psend_init ret=80", ops);
	}
	MPI_Request_free(&r);
}
#endif

int main(int argc, char **argv)
{
	me = say_begin(&argc, &argv);
	other = 1 - me;
	messages();
	looks();
	neighbours();
	collectives();
#if MPI_VERSION >= 4
	large();
	parts();
#endif
	fclose(said);
	MPI_Finalize();
	return 0;
}
