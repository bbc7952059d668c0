/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plume.c - smoke over a grid that four ranks share by columns: each writes its part of each
 * row by a call of its own.
 *
 * build: iompicc mpich
 * ranks: 4
 * as: heat
 */
#include <err.h>
#include <mpi.h>
#include <stdlib.h>

#define ROWS	2000
#define WIDTH	64 /* doubles of a row that a rank has */
#define STEPS	2

static int rank, ranks;

/* put - some numbers, anywhere */
static void put(MPI_File f, long at, const double *p, int n)
{
	if (MPI_File_write_at(f, at * (long)sizeof(*p), p, n, MPI_DOUBLE, MPI_STATUS_IGNORE))
		errx(1, "smoke.dat");
}

static void checkpoint(MPI_File f, int step, const double *grid)
{
	long base = (long)step * ROWS * ranks * WIDTH;

#ifdef FIXED
	int sizes[] = { ROWS, ranks * WIDTH }, mine[] = { ROWS, WIDTH }, from[] = { 0, rank * WIDTH };
	MPI_Datatype part;

	MPI_Type_create_subarray(2, sizes, mine, from, MPI_ORDER_C, MPI_DOUBLE, &part);
	MPI_Type_commit(&part);
	MPI_File_set_view(f, base * (long)sizeof(*grid), MPI_DOUBLE, part, "native", MPI_INFO_NULL);
	MPI_File_write_all(f, grid, ROWS * WIDTH, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_Type_free(&part);
	(void)put;
#else
	for (int row = 0; row < ROWS; row++)
		put(f, base + (long)row * ranks * WIDTH + rank * WIDTH, grid + row * WIDTH, WIDTH); /* FINDING independent smoke.dat */
#endif
}

int main(int argc, char **argv)
{
	double *grid;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	grid = calloc(ROWS * WIDTH, sizeof(*grid));
	if (MPI_File_open(MPI_COMM_WORLD, "smoke.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f))
		errx(1, "smoke.dat");
	for (int step = 0; step < STEPS; step++) {
		for (int i = 0; i < ROWS * WIDTH; i++)
			grid[i] = step + i;
		checkpoint(f, step, grid);
	}
	MPI_File_close(&f);
	MPI_Finalize();
	return 0;
}
