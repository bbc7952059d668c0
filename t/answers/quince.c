/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quince.c - ranks measure fruits and enter each one's row in a table, atomically.
 *
 * build: iompicc static
 * ranks: 3
 * as: queries
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 3000

struct fruit {
	int id, rank;
	double weight, sugar[6];
};

static int rank, ranks;

static void measure(struct fruit *f, int id)
{
	memset(f, 0, sizeof *f);
	f->id = id;
	f->rank = rank;
	f->weight = 100 + id * 7919 % 50;
	for (int i = 0; i < 6; i++)
		f->sugar[i] = f->weight / (i + 1);
}

static void enter(MPI_File table, struct fruit *f)
{
	MPI_Offset at = (MPI_Offset)f->id * sizeof *f;

	MPI_File_write_at(table, at, f, sizeof *f, MPI_BYTE, MPI_STATUS_IGNORE); /* FINDING atomic|independent quince.tab */
}

int main(int argc, char **argv)
{
	MPI_File table;
	double sum = 0, all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_File_open(MPI_COMM_WORLD, "quince.tab", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &table);
#ifdef FIXED
	struct fruit *mine = malloc(ROWS * sizeof *mine);

	for (int i = 0; i < ROWS; i++) {
		measure(&mine[i], rank * ROWS + i);
		sum += mine[i].weight;
	}
	MPI_File_write_at_all(table, (MPI_Offset)rank * ROWS * sizeof *mine, mine, ROWS * sizeof *mine, MPI_BYTE, MPI_STATUS_IGNORE);
	free(mine);
#else
	MPI_File_set_atomicity(table, 1); /* FINDING atomic|independent quince.tab */
	for (int i = 0; i < ROWS; i++) {
		struct fruit f;

		measure(&f, rank * ROWS + i);
		sum += f.weight;
		enter(table, &f); /* FINDING atomic|independent quince.tab */
	}
#endif
	MPI_File_close(&table);
	MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return all == 0;
}
