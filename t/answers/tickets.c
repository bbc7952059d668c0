/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tickets.c - ranks take tickets from a file.
 *
 * build: iompicc static
 * as: journal
 * with: slow-disk.c
 * ranks: 4
 * input: head -c 160000 /dev/zero >tickets.bin
 */
#include <mpi.h>

#include "slow-disk.h"

#define TICKETS 2000
#define TICKET	80

static MPI_File f;
static char ticket[TICKETS * TICKET];

static int take(char *to)
{
	MPI_Status status;
	int n;

	MPI_File_read_shared(f, to, TICKET, MPI_CHAR, &status); /* FINDING shared-pointer tickets.bin */
	MPI_Get_count(&status, MPI_CHAR, &n);
	return n == TICKET;
}

int main(int argc, char **argv)
{
	int rank, ranks, taken = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (MPI_File_open(MPI_COMM_WORLD, "tickets.bin", MPI_MODE_RDONLY, MPI_INFO_NULL, &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
	slow_disk_to = 1000;
	slow_disk_turns = 100000;
#ifdef FIXED
	(void)take;
	taken = TICKETS / ranks;
	MPI_File_read_at_all(f, (MPI_Offset)rank * taken * TICKET, ticket, taken * TICKET, MPI_CHAR, MPI_STATUS_IGNORE);
#else
	while (take(ticket)) /* FINDING shared-pointer tickets.bin */
		taken++;
#endif
	MPI_File_close(&f);
	MPI_Finalize();
	return taken > TICKETS;
}
