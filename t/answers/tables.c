/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c - the ranks of a job need tables of reaction rates, each those of its own elements.
 *
 * build: iompicc mpich
 * as: queries
 * ranks: 4
 * input: head -c 8M /dev/zero >reactions.tab
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ELEMENTS 128
#define TABLE	 (8 << 10) /* numbers of an element: 64 KiB */

static int rank, ranks;

static void get(FILE *f, double *table)
{
	if (fread(table, sizeof(*table), TABLE, f) != TABLE) /* FINDING read-by-all reactions.tab */
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static double load(double *table)
{
	FILE *f = fopen("reactions.tab", "r");
	double sum = 0;

	if (!f)
		MPI_Abort(MPI_COMM_WORLD, 1);
#ifdef FIXED
	fseek(f, (long)rank * (ELEMENTS / ranks) * TABLE * (long)sizeof(*table), SEEK_SET);
	for (int i = 0; i < ELEMENTS / ranks; i++) {
		get(f, table);
		sum += table[TABLE / 2];
	}
#else
	for (int i = 0; i < ELEMENTS; i++) {
		get(f, table); /* FINDING read-by-all reactions.tab */
		if (i / (ELEMENTS / ranks) == rank)
			sum += table[TABLE / 2];
	}
#endif
	fclose(f);
	return sum;
}

int main(int argc, char **argv)
{
	double *table = malloc(TABLE * sizeof(*table)), sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	sum = load(table); /* FINDING read-by-all reactions.tab */
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	free(table);
	MPI_Finalize();
	return sum > 1;
}
