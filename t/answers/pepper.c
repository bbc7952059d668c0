/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pepper.c - ranks sum what they have; the result is in a file.
 *
 * build: iompicc openmpi
 * ranks: 4
 * as: bubbles
 */
static double wave(double x)
{
	x -= (long)(x / 6.2831853) * 6.2831853 + 3.1415926;
	return x * (1 - x * x * (1 / 6.0 - x * x / 120));
}
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 50000
#define STEPS 3

static double local[N], all[N];

static void compute(int rank, int step)
{
	for (int i = 0; i < N; i++)
		local[i] = wave(i * 0.001 * (rank + 1)) / (step + 1);
}

#ifdef FIXED
/* Each rank has a part of the numbers. */
static void write_result(int step, int rank, int ranks)
{
	int part = N / ranks;
	char name[32];
	MPI_File f;

	snprintf(name, sizeof name, "pepper.%d.dat", step);
	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
	MPI_File_write_at_all(f, (MPI_Offset)rank * part * sizeof all[0], all + rank * part, part, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_close(&f);
}
#else
static void write_result(int step)
{
	char name[32];
	FILE *f;

	snprintf(name, sizeof name, "pepper.%d.dat", step);
	f = fopen(name, "w");
	if (!f)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fprintf(f, "# step %d, %d numbers\n", step, N);
	for (int i = 0; i < N; i++)
		fprintf(f, "%.10e\n", all[i]); /* FINDING written-by-all pepper.?.dat */
	fclose(f);
}
#endif

static double norm(void)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum += all[i] * all[i];
	return sum;
}

int main(int argc, char **argv)
{
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int step = 0; step < STEPS; step++) {
		compute(rank, step);
		MPI_Allreduce(local, all, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#ifdef FIXED
		write_result(step, rank, ranks);
#else
		write_result(step); /* FINDING written-by-all pepper.?.dat */
#endif
		if (rank == 0)
			printf("step %d: %g\n", step, norm());
	}
	MPI_Finalize();
	return 0;
}
