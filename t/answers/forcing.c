/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forcing.c - rank 0 reads what drives a model, which all ranks need, and each keeps its own
 * part of the results.
 *
 * build: iompicc openmpi
 * ranks: 4
 * input: head -c 32M /dev/zero >forcing.dat
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define RECORDS 16
#define RECORD	(256 << 10) /* numbers: 2 MiB */

static void read_record(FILE *from, double *record)
{
	if (fread(record, sizeof(*record), RECORD, from) != RECORD) /* INFORMATION serial-reads forcing.dat */
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	double *record = malloc(RECORD * sizeof(*record)), sum = 0;
	FILE *from = NULL;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0 && !(from = fopen("forcing.dat", "r")))
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < RECORDS; i++) {
		if (rank == 0)
			read_record(from, record);
		MPI_Bcast(record, RECORD, MPI_DOUBLE, 0, MPI_COMM_WORLD);
		sum += record[rank];
	}
	if (from)
		fclose(from);
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	free(record);
	MPI_Finalize();
	return sum > 1;
}
