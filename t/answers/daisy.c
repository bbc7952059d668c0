/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * daisy.c - ranks count daisies, and store the sums of each meadow for good.
 *
 * build: iompicc openmpi
 * as: commits
 * ranks: 3
 */
#include <mpi.h>
#include <string.h>

#define MEADOWS 300
#define SUMS	512

static void check(int error)
{
	if (error)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	double sums[SUMS];
	int rank, ranks;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	memset(sums, 0, sizeof(sums));
	check(MPI_File_open(MPI_COMM_WORLD, "daisies.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
	for (int meadow = 0; meadow < MEADOWS; meadow++) {
		sums[0] = meadow;
		check(MPI_File_write_at_all(f, ((MPI_Offset)meadow * ranks + rank) * (MPI_Offset)sizeof(sums), sums, SUMS,
					    MPI_DOUBLE, MPI_STATUS_IGNORE));
#ifndef FIXED
		check(MPI_File_sync(f)); /* FINDING sync daisies.dat */
#endif
	}
	check(MPI_File_sync(f));
	check(MPI_File_close(&f));
	MPI_Finalize();
	return 0;
}
