/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waves.c - each rank has some columns of a field, and all write the field into one file.
 *
 * build: iompicc static
 * with: slow-disk.c
 * as: heat
 * ranks: 4
 */
#include <mpi.h>
#include <stdlib.h>

#include "slow-disk.h"

#define ROWS	1200
#define COLUMNS 64 /* of a rank */

static double *field;

static void compute(int rank)
{
	field = malloc(ROWS * COLUMNS * sizeof(*field));
	for (int i = 0; i < ROWS * COLUMNS; i++)
		field[i] = rank + i * 1e-3;
}

static MPI_File create(const char *path)
{
	MPI_File f;

	if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
	return f;
}

static void store(int rank, int ranks)
{
	MPI_File f = create("waves.dat");
#ifdef FIXED
	int sizes[2] = {ROWS, COLUMNS * ranks}, sub[2] = {ROWS, COLUMNS}, at[2] = {0, COLUMNS * rank};
	MPI_Datatype mine;

	MPI_Type_create_subarray(2, sizes, sub, at, MPI_ORDER_C, MPI_DOUBLE, &mine);
	MPI_Type_commit(&mine);
	MPI_File_set_view(f, 0, MPI_DOUBLE, mine, "native", MPI_INFO_NULL);
	MPI_File_write_all(f, field, ROWS * COLUMNS, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_Type_free(&mine);
#else
	for (int row = 0; row < ROWS; row++) {
		MPI_Offset at = ((MPI_Offset)row * ranks + rank) * COLUMNS * (MPI_Offset)sizeof(*field);

		MPI_File_write_at(f, at, field + row * COLUMNS, COLUMNS, MPI_DOUBLE, MPI_STATUS_IGNORE); /* FINDING independent waves.dat */
	}
#endif
	MPI_File_close(&f);
}

int main(int argc, char **argv)
{
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	compute(rank);
	slow_disk_to = 1000;
	slow_disk_turns = 500000;
	store(rank, ranks);
	free(field);
	MPI_Finalize();
	return 0;
}
