/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fjord.c - ranks compute a tide together and store each step.
 *
 * build: iompicc mpich
 * as: visits
 * ranks: 3
 */
#include <mpi.h>
#include <stdlib.h>

#define STEPS 60
#define PART  (64 << 10) /* numbers */

static MPI_File open_tide(void)
{
	MPI_File f;

	if (MPI_File_open(MPI_COMM_WORLD, "tide.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, /* FINDING reopened tide.dat */
			  &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
	return f;
}

static void store(MPI_File f, int step, int rank, int ranks, const double *part)
{
	MPI_Offset at = ((MPI_Offset)step * ranks + rank) * PART * (MPI_Offset)sizeof(*part);

	MPI_File_write_at_all(f, at, part, PART, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	double *part = calloc(PART, sizeof(*part));
	int rank, ranks;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#ifdef FIXED
	f = open_tide();
#endif
	for (int step = 0; step < STEPS; step++) {
		part[step] = rank;
#ifdef FIXED
		store(f, step, rank, ranks, part);
#else
		f = open_tide(); /* FINDING reopened tide.dat */
		store(f, step, rank, ranks, part);
		MPI_File_close(&f);
#endif
	}
#ifdef FIXED
	MPI_File_close(&f);
#endif
	free(part);
	MPI_Finalize();
	return 0;
}
