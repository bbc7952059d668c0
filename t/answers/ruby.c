/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ruby.c - ranks store the steps of a growing crystal together; before each they reserve room for it,
 * by a call that reads and writes again all that is there.
 *
 * build: iompicc static
 * as: pool
 * ranks: 3
 */
#include <mpi.h>
#include <stdlib.h>

#define STEPS 40
#define N 65536

static int rank, ranks;
static double x[N];

static void longer(MPI_File f, int steps)
{
	MPI_Offset size = (MPI_Offset)steps * ranks * N * sizeof(double);

	MPI_File_preallocate(f, size); /* FINDING grown crystal.dat */
}

static void store(MPI_File f, int step)
{
#ifndef FIXED
	longer(f, step + 1); /* FINDING grown crystal.dat */
#endif
	MPI_Offset at = ((MPI_Offset)step * ranks + rank) * N * sizeof(double);

	MPI_File_write_at_all(f, at, x, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_File_open(MPI_COMM_WORLD, "crystal.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
#ifdef FIXED
	MPI_File_set_size(f, (MPI_Offset)STEPS * ranks * N * sizeof(double));
	(void)longer;
#endif
	for (int step = 0; step < STEPS; step++) {
		for (int i = 0; i < N; i++)
			x[i] = step + i * .5;
		store(f, step); /* FINDING grown crystal.dat */
	}
	MPI_File_close(&f);
	MPI_Finalize();
	return 0;
}
