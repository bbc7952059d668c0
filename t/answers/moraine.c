/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moraine.c - stones of four ranks, interleaved row by row, each stored by a call of its own.
 *
 * build: iompicc static
 * ranks: 4
 * as: plume
 */
#include <mpi.h>
#include <stdlib.h>
#define ROWS 4000
#define W 32
static int rank, ranks;
static void store(MPI_File f, MPI_Offset at, const double *p, int n)
{
	MPI_File_write_at(f, at, p, n, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

static void dump(const char *name, const double *a)
{
	MPI_File f;
#ifdef FIXED
	MPI_Datatype t;
#endif

	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
#ifdef FIXED
	MPI_Type_vector(ROWS, W, W * ranks, MPI_DOUBLE, &t);
	MPI_Type_commit(&t);
	MPI_File_set_view(f, rank * W * 8, MPI_DOUBLE, t, "native", MPI_INFO_NULL);
	MPI_File_write_all(f, a, ROWS * W, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_Type_free(&t);
#else
	for (long i = 0; i < ROWS; i++)
		store(f, (i * ranks + rank) * W * 8, a + i * W, W); /* FINDING independent stones.dat */
#endif
	MPI_File_close(&f);
}

int main(int argc, char **argv)
{
	double *a;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	a = calloc(ROWS * W, sizeof(*a));
	dump("stones.dat", a);
	MPI_Finalize();
	return 0;
}
