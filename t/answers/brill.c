/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * brill.c - catches of fish, a file a day: each rank reads its quarter of each day in one piece, which is large.  No
 * collective call would move it faster.
 *
 * build: iompicc openmpi
 * ranks: 4
 * input: for i in $(seq 0 29); do head -c 2400000 /dev/zero | tr '\0' a >day$i; done
 */
#include <mpi.h>
#include <stdio.h>

#define DAYS 30
#define PART 600000

static char part[PART];

int main(int argc, char **argv)
{
	unsigned long sum = 0, all;
	char name[32];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < DAYS; i++) {
		MPI_File day;

		snprintf(name, sizeof name, "day%d", i);
		if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &day))
			MPI_Abort(MPI_COMM_WORLD, 1);
		MPI_File_read_at(day, (MPI_Offset)rank * PART, part, PART, MPI_BYTE, MPI_STATUS_IGNORE);
		MPI_File_close(&day);
		for (int k = 0; k < PART; k++)
			sum += (unsigned char)part[k];
	}
	MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("%lu kg\n", all);
	MPI_Finalize();
	return 0;
}
