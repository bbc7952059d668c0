/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * restart.c - the ranks of a job go on from the state that an earlier one has left.
 *
 * build: iompicc static
 * as: gyre
 * ranks: 4
 * calls: posix,stdio,mpi
 * input: head -c 32M /dev/zero >state.chk
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define PIECES 8
#define PIECE  (512 << 10) /* numbers of all ranks: 4 MiB */

static int rank, ranks;

#ifdef FIXED
static void load(double *mine, int n)
{
	MPI_File f;

	if (MPI_File_open(MPI_COMM_WORLD, "state.chk", MPI_MODE_RDONLY, MPI_INFO_NULL, &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_File_read_at_all(f, (MPI_Offset)rank * n * (MPI_Offset)sizeof(*mine), mine, n, MPI_DOUBLE,
			     MPI_STATUS_IGNORE);
	MPI_File_close(&f);
}
#else
static void load(double *mine, int n)
{
	FILE *f = rank ? NULL : fopen("state.chk", "r");
	double *all = rank ? NULL : malloc(PIECE * sizeof(*all));
	int part = n / PIECES;

	for (int i = 0; i < PIECES; i++) {
		if (rank == 0 && fread(all, sizeof(*all), PIECE, f) != PIECE) /* FINDING serial-io state.chk */
			MPI_Abort(MPI_COMM_WORLD, 1);
		MPI_Scatter(all, part, MPI_DOUBLE, mine + i * part, part, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	}
	if (f)
		fclose(f);
	free(all);
}
#endif

int main(int argc, char **argv)
{
	double *mine, sum = 0;
	int n;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	n = PIECES * PIECE / ranks;
	mine = malloc((size_t)n * sizeof(*mine));
	load(mine, n); /* FINDING serial-io state.chk */
	for (int i = 0; i < n; i++)
		sum += mine[i];
	free(mine);
	MPI_Finalize();
	return sum > 1;
}
