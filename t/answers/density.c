/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * density.c - ranks write their blocks of a field together, in collective calls, and read
 * them again.
 *
 * build: iompicc openmpi
 * as: forcing
 * ranks: 4
 */
#include <mpi.h>
#include <stdlib.h>

#define PART  (256 << 10) /* numbers: 2 MiB */
#define STEPS 4

int main(int argc, char **argv)
{
	double *part = malloc(PART * sizeof(*part));
	int rank, ranks, wrong = 0;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int i = 0; i < PART; i++)
		part[i] = rank + i;
	MPI_File_open(MPI_COMM_WORLD, "density.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
	for (int step = 0; step < STEPS; step++)
		MPI_File_write_at_all(f, ((MPI_Offset)step * ranks + rank) * PART * 8, part, PART, MPI_DOUBLE,
				      MPI_STATUS_IGNORE);
	for (int step = 0; step < STEPS; step++) {
		MPI_File_read_at_all(f, ((MPI_Offset)step * ranks + rank) * PART * 8, part, PART, MPI_DOUBLE,
				     MPI_STATUS_IGNORE);
		wrong += part[PART - 1] != rank + PART - 1;
	}
	MPI_File_close(&f);
	free(part);
	MPI_Finalize();
	return wrong;
}
