/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * residuals.c - a solver on several ranks, of which the first says after each iteration how
 * far it is.
 *
 * build: iompicc openmpi
 * as: orders
 * ranks: 4
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#define N	   256
#define ITERATIONS 6000

static double x[N];

static double iterate(int rank)
{
	double change = 0;

	for (int i = 1; i < N; i++) {
		double to = (x[i] + x[i - 1] + rank) / 2;

		change += fabs(to - x[i]);
		x[i] = to;
	}
	return change;
}

static void tell(FILE *f, int iteration, double residual)
{
	fprintf(f, "%d %.9g\n", iteration, residual);
#ifndef FIXED
	fflush(f); /* FINDING flushed residuals.txt */
#endif
}

int main(int argc, char **argv)
{
	FILE *f = NULL;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		f = fopen("residuals.txt", "w");
	for (int i = 0; i < ITERATIONS; i++) {
		double change = iterate(rank), residual = change;

		if (i % 100 == 0)
			MPI_Reduce(&change, &residual, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
		if (rank == 0)
			tell(f, i, residual);
	}
	if (f)
		fclose(f);
	MPI_Finalize();
	return 0;
}
