/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wells.c - each rank follows some wells, whose depths are in one file.
 *
 * build: iompicc static
 * as: queries
 * ranks: 4
 * input: head -c 8M /dev/zero >wells.dat
 */
#include <mpi.h>
#include <stdlib.h>

#define ALL (8 << 20)

static void get(MPI_File f, MPI_Offset at, char *to, int n)
{
	if (MPI_File_read_at(f, at, to, n, MPI_CHAR, MPI_STATUS_IGNORE)) /* FINDING read-by-all wells.dat */
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	int rank, ranks, part;
	char *depths;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	part = ALL / ranks;
	depths = malloc(ALL);
	if (MPI_File_open(MPI_COMM_WORLD, "wells.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
#ifdef FIXED
	get(f, (MPI_Offset)rank * part, depths, part);
#else
	get(f, 0, depths, ALL); /* FINDING read-by-all wells.dat */
	depths[0] = depths[rank * part];
#endif
	MPI_File_close(&f);
	rank = depths[0];
	free(depths);
	MPI_Finalize();
	return rank;
}
