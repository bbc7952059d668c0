/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * terraces.c - each rank writes a large block a step, collectively, and one rank is told to write
 * them all.
 *
 * build: iompicc mpich
 * ranks: 4
 * calls: posix,mpi
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK (8 << 20)
#define STEPS 10

int main(int argc, char **argv)
{
	int rank, ranks;
	MPI_Info hints;
	MPI_File file;
	char *block;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	block = malloc(BLOCK);
	if (!block)
		MPI_Abort(MPI_COMM_WORLD, 1);
	memset(block, rank, BLOCK);
	MPI_Info_create(&hints);
#ifdef FIXED
	MPI_Info_set(hints, "romio_cb_write", "disable");
#else
	MPI_Info_set(hints, "romio_cb_write", "enable");
#endif
	MPI_File_open(MPI_COMM_WORLD, "terraces.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, hints, &file);
	for (int step = 0; step < STEPS; step++)
		MPI_File_write_at_all(file, (MPI_Offset)(step * ranks + rank) * BLOCK, block, BLOCK, MPI_BYTE, /* FINDING exchanged terraces.bin */
				      MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	MPI_Info_free(&hints);
	free(block);
	MPI_Finalize();
	return 0;
}
