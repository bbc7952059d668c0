/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mosaic.c - ranks write the tiles of a mosaic in the order of ranks, row by row.
 *
 * build: iompicc openmpi
 * as: journal
 * ranks: 4
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 120
#define TILE 1024

int main(int argc, char **argv)
{
	int rank, ranks;
	MPI_File f;
	char *tiles;
	MPI_Datatype rows;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	tiles = calloc(ROWS, TILE);
	memset(tiles, 'a' + rank, (size_t)ROWS * TILE);
	if (MPI_File_open(MPI_COMM_WORLD, "mosaic.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
#ifdef FIXED
	MPI_Type_vector(ROWS, TILE, TILE * ranks, MPI_CHAR, &rows);
	MPI_Type_commit(&rows);
	MPI_File_set_view(f, (MPI_Offset)rank * TILE, MPI_CHAR, rows, "native", MPI_INFO_NULL);
	MPI_File_write_all(f, tiles, ROWS * TILE, MPI_CHAR, MPI_STATUS_IGNORE);
	MPI_Type_free(&rows);
#else
	(void)rows;
	for (int i = 0; i < ROWS; i++)
		MPI_File_write_ordered(f, tiles + i * TILE, TILE, MPI_CHAR, MPI_STATUS_IGNORE); /* FINDING shared-pointer mosaic.dat */
#endif
	MPI_File_close(&f);
	free(tiles);
	MPI_Finalize();
	return 0;
}
