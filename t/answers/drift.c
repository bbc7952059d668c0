/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drift.c - ranks step a field, and keep each step while they compute the next one.
 *
 * build: iompicc openmpi
 * as: soundings
 * ranks: 2
 */
#include <mpi.h>
#include <stdlib.h>

#define STEPS	24
#define NUMBERS (16 << 10) /* of a rank: 128 KiB */

static MPI_File file;
static int rank, ranks;

static void compute(double *to, const double *from)
{
	for (int again = 0; again < 200; again++)
		for (int i = 1; i < NUMBERS; i++)
			to[i] = from[i] * 0.5 + to[i - 1] * 0.5 + again;
}

static MPI_Request begin(int step, const double *from)
{
	MPI_Offset at = (MPI_Offset)(step * ranks + rank) * NUMBERS * (MPI_Offset)sizeof(*from);
	MPI_Request request;

	if (MPI_File_iwrite_at(file, at, from, NUMBERS, MPI_DOUBLE, &request)) /* FINDING no-overlap drift.dat */
		MPI_Abort(MPI_COMM_WORLD, 1);
	return request;
}

int main(int argc, char **argv)
{
	double *now, *next, *other;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	now = calloc(NUMBERS, sizeof(*now));
	next = calloc(NUMBERS, sizeof(*next));
	if (MPI_File_open(MPI_COMM_WORLD, "drift.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file))
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int step = 0; step < STEPS; step++) {
		request = begin(step, now); /* FINDING no-overlap drift.dat */
#ifndef FIXED
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
		compute(next, now);
#ifdef FIXED
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
		other = now;
		now = next;
		next = other;
	}
	MPI_File_close(&file);
	free(now);
	free(next);
	MPI_Finalize();
	return 0;
}
