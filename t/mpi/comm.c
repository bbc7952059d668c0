/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm.c - messages, collectives and communicators: says itself, a line a call, what it
 * calls, with communicator, size, rank, whom with, tag and bytes.  4 ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int me, data[64], back[64];
static FILE *out;

/* who: with whom, or the root; - where there is none, or no tag, or no bytes */
static void say(const char *call, const char *comm, int size, int rank, const char *rest)
{
	fprintf(out, "%s %s %d/%d %s\n", call, comm, rank, size, rest);
}

static void messages(void)
{
	char rest[100];
	int other = me ^ 1;
	MPI_Request r[2];
	MPI_Status s[2];
	MPI_Request one;

	if (me % 2 == 0) {
		MPI_Send(data, 10, MPI_INT, other, 7, MPI_COMM_WORLD);
		snprintf(rest, sizeof(rest), "%d 7 40", other);
		say("MPI_Send", "world", 4, me, rest);
		MPI_Ssend(data, 3, MPI_DOUBLE, other, 8, MPI_COMM_WORLD);
		snprintf(rest, sizeof(rest), "%d 8 24", other);
		say("MPI_Ssend", "world", 4, me, rest);
	} else {
		MPI_Recv(back, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		snprintf(rest, sizeof(rest), "%d 7 40", other);
		say("MPI_Recv", "world", 4, me, rest);
		MPI_Probe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &s[0]);
		snprintf(rest, sizeof(rest), "%d 8 24", other);
		say("MPI_Probe", "world", 4, me, rest);
		MPI_Recv(back, 64, MPI_INT, other, 8, MPI_COMM_WORLD, &s[0]);
		say("MPI_Recv", "world", 4, me, rest);
	}
	MPI_Send(data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
	say("MPI_Send", "world", 4, me, "-2 1 0");
	MPI_Sendrecv(data, 5, MPI_CHAR, other, 3, back, 9, MPI_CHAR, other, 3, MPI_COMM_WORLD, &s[0]);
	snprintf(rest, sizeof(rest), "%d 3 5", other);
	say("MPI_Sendrecv", "world", 4, me, rest);
	MPI_Irecv(back, 64, MPI_CHAR, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &r[0]);
	say("MPI_Irecv", "world", 4, me, "-1 11 64");
	MPI_Isend(data, 6, MPI_CHAR, other, 11, MPI_COMM_WORLD, &r[1]);
	snprintf(rest, sizeof(rest), "%d 11 6", other);
	say("MPI_Isend", "world", 4, me, rest);
	MPI_Waitall(2, r, s);
	say("complete", "world", 4, me, rest);
	say("complete", "world", 4, me, rest);
	fprintf(out, "MPI_Waitall\n");
	MPI_Irecv(back, 8, MPI_CHAR, other, 12, MPI_COMM_WORLD, &one);
	snprintf(rest, sizeof(rest), "%d 12 8", other);
	say("MPI_Irecv", "world", 4, me, rest);
	MPI_Send(data, 2, MPI_CHAR, other, 12, MPI_COMM_WORLD);
	snprintf(rest, sizeof(rest), "%d 12 2", other);
	say("MPI_Send", "world", 4, me, rest);
	MPI_Wait(&one, MPI_STATUS_IGNORE);
	say("MPI_Wait", "world", 4, me, rest);
}

/* On any communicator. */
static void collectives(MPI_Comm comm, const char *name, int size, int rank)
{
	int counts[4] = { 1, 2, 3, 4 }, at[4] = { 0, 1, 3, 6 };
	char rest[100];
	MPI_Request r;

	MPI_Barrier(comm);
	say("MPI_Barrier", name, size, rank, "- - -");
	MPI_Bcast(back, 4, MPI_INT, 1, comm);
	say("MPI_Bcast", name, size, rank, "1 - 16");
	MPI_Allreduce(data, back, 2, MPI_DOUBLE, MPI_SUM, comm);
	say("MPI_Allreduce", name, size, rank, "- - 16");
	MPI_Gather(rank ? data : MPI_IN_PLACE, 3, MPI_INT, back, 3, MPI_INT, 0, comm);
	say("MPI_Gather", name, size, rank, "0 - 12");
	MPI_Gatherv(data, counts[rank], MPI_INT, back, counts, at, MPI_INT, 0, comm);
	snprintf(rest, sizeof(rest), "0 - %d", 4 * counts[rank]);
	say("MPI_Gatherv", name, size, rank, rest);
	MPI_Scatterv(data, counts, at, MPI_INT, back, counts[rank], MPI_INT, 0, comm);
	say("MPI_Scatterv", name, size, rank, rest);
	MPI_Alltoall(data, 2, MPI_INT, back, 2, MPI_INT, comm);
	snprintf(rest, sizeof(rest), "- - %d", 8 * size);
	say("MPI_Alltoall", name, size, rank, rest);
	MPI_Reduce(data, back, 1, MPI_INT, MPI_MAX, 0, comm);
	say("MPI_Reduce", name, size, rank, "0 - 4");
	MPI_Ibarrier(comm, &r);
	say("MPI_Ibarrier", name, size, rank, "- - -");
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	say("MPI_Wait", name, size, rank, "- - 0");
}

int main(int argc, char **argv)
{
	char name[20];
	MPI_Comm half, twin, again;
	MPI_File fh;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	snprintf(name, sizeof(name), "said.%d", me);
	out = fopen(name, "w");
	messages();
	collectives(MPI_COMM_WORLD, "world", 4, me);
	/* MPI's own messages are none of the program's */
	MPI_File_open(MPI_COMM_WORLD, "comm.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
		      MPI_INFO_NULL, &fh);
	MPI_File_write_at_all(fh, 4 * me, &me, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&fh);
	MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &half);
	fprintf(out, "MPI_Comm_split world %s\n", me % 2 ? "1,3#1" : "0,2#1");
	MPI_Comm_rank(half, &rank);
	collectives(half, me % 2 ? "1,3#1" : "0,2#1", 2, rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	fprintf(out, "MPI_Comm_dup world 0-3#1\n");
	MPI_Comm_free(&half);
	fprintf(out, "MPI_Comm_free %s\n", me % 2 ? "1,3#1" : "0,2#1");
	MPI_Comm_dup(twin, &again);
	fprintf(out, "MPI_Comm_dup 0-3#1 0-3#2\n");
	MPI_Barrier(again);
	say("MPI_Barrier", "0-3#2", 4, me, "- - -");
	MPI_Comm_free(&twin);
	fprintf(out, "MPI_Comm_free 0-3#1\n");
	fclose(out);
	MPI_Finalize();
	return 0;
}
