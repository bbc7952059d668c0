/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bees.c - each rank has a hive; what all have is stored now and then.
 *
 * build: iompicc openmpi
 * as: gyre
 * ranks: 4
 */
#include <mpi.h>
#include <stdlib.h>

#define HIVE  (256 << 10)
#define TIMES 6

static int rank, ranks;

#ifdef FIXED
static void store(const char *hive, int time)
{
	MPI_File f;

	MPI_File_open(MPI_COMM_WORLD, "bees.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f);
	MPI_File_write_at_all(f, ((MPI_Offset)time * ranks + rank) * HIVE, hive, HIVE, MPI_CHAR, MPI_STATUS_IGNORE);
	MPI_File_close(&f);
}
#else
static void store(const char *hive, int time)
{
	static char *all;
	MPI_File f;

	all = realloc(all, (size_t)ranks * HIVE);
	MPI_Gather(hive, HIVE, MPI_CHAR, all, HIVE, MPI_CHAR, 0, MPI_COMM_WORLD);
	if (rank)
		return;
	MPI_File_open(MPI_COMM_SELF, "bees.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f);
	MPI_File_write_at(f, (MPI_Offset)time * ranks * HIVE, all, ranks * HIVE, MPI_CHAR, MPI_STATUS_IGNORE); /* FINDING serial-io bees.dat */
	MPI_File_close(&f);
}
#endif

int main(int argc, char **argv)
{
	char *hive = calloc(HIVE, 1);

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int i = 0; i < TIMES; i++)
		store(hive, i); /* FINDING serial-io bees.dat */
	free(hive);
	MPI_Finalize();
	return 0;
}
