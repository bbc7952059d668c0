/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loch.c - ranks store the waves of a loch together, step by step.
 *
 * build: iompicc mpich
 * as: fjord
 * ranks: 3
 */
#include <mpi.h>
#include <stdlib.h>

#define N 4096

static MPI_File out;

static void put(int step, const double *d, int rank, int ranks)
{
	MPI_Offset at = ((MPI_Offset)step * ranks + rank) * N * (MPI_Offset)sizeof(*d);

	MPI_File_write_at_all(out, at, d, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
#ifndef FIXED
	MPI_File_sync(out); /* FINDING sync loch.out */
#endif
}

int main(int argc, char **argv)
{
	int rank, ranks;
	double *d = calloc(N, sizeof(*d));

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_File_open(MPI_COMM_WORLD, "loch.out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out);
	for (int i = 0; i < 60; i++) {
		for (int j = 0; j < N; j++)
			d[j] += i * rank;
		put(i, d, rank, ranks); /* FINDING sync loch.out */
	}
	MPI_File_close(&out);
	MPI_Finalize();
	return 0;
}
