/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * domains.c - each rank writes the cells of its domain.
 *
 * build: iompicc static
 * with: slow-disk.c
 * ranks: 4
 */
#include <mpi.h>
#include <stdlib.h>

#include "slow-disk.h"

#define CELLS (4 << 20) /* bytes, of all ranks */
#define STEPS 3

static void put(MPI_File f, MPI_Offset at, const char *cells, int n)
{
	if (MPI_File_write_at(f, at, cells, n, MPI_CHAR, MPI_STATUS_IGNORE)) /* FINDING imbalance domains.dat */
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	int rank, ranks, n, before;
	char *cells;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#ifdef FIXED
	n = CELLS / ranks;
	before = rank * n;
#else
	/* the domain of the last one is as large as all others together, three times */
	n = rank == ranks - 1 ? CELLS / 4 * 3 : CELLS / 4 / (ranks - 1);
	before = rank * (CELLS / 4 / (ranks - 1));
#endif
	cells = calloc((size_t)n, 1);
	if (MPI_File_open(MPI_COMM_WORLD, "domains.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
	slow_disk_to = 1000;
	slow_disk_takes = 64;
	for (int step = 0; step < STEPS; step++)
		put(f, (MPI_Offset)step * CELLS + before, cells, n); /* FINDING imbalance domains.dat */
	MPI_File_close(&f);
	free(cells);
	MPI_Finalize();
	return 0;
}
