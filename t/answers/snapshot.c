/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * snapshot.c - ranks compute the parts of a density, of which snapshots go to one file.
 *
 * build: iompicc openmpi
 * ranks: 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define PART	  (128 << 10) /* numbers: 1 MiB */
#define SNAPSHOTS 8

static int rank, ranks;
static double *part;

static void advance(void)
{
	for (int i = 1; i < PART; i++)
		part[i] = part[i] * 0.5 + part[i - 1] * 0.25 + rank;
}

#ifdef FIXED
static MPI_File file;

static void begin(void)
{
	MPI_File_open(MPI_COMM_WORLD, "density.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
}

static void snapshot(int number)
{
	MPI_Offset at = ((MPI_Offset)number * ranks + rank) * PART * (MPI_Offset)sizeof(*part);

	MPI_File_write_at_all(file, at, part, PART, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

static void end(void)
{
	MPI_File_close(&file);
}
#else
static FILE *file;
static double *whole;

static void begin(void)
{
	if (rank)
		return;
	file = fopen("density.dat", "w");
	whole = malloc((size_t)ranks * PART * sizeof(*whole));
	if (!file || !whole)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void snapshot(int number)
{
	(void)number;
	MPI_Gather(part, PART, MPI_DOUBLE, whole, PART, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	if (rank == 0)
		fwrite(whole, sizeof(*whole), (size_t)ranks * PART, file); /* FINDING gathered|serial-io density.dat */
	MPI_Barrier(MPI_COMM_WORLD);
}

static void end(void)
{
	if (rank == 0)
		fclose(file);
	free(whole);
}
#endif

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	part = calloc(PART, sizeof(*part));
	begin();
	for (int i = 0; i < SNAPSHOTS; i++) {
		advance();
		snapshot(i);
	}
	end();
	free(part);
	MPI_Finalize();
	return 0;
}
