/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yarrow.c - a meadow, of which one rank makes the map; then each rank reads its part of it, mows that and
 * writes it.  What one does for all at first is no imbalance.
 *
 * build: iompicc openmpi
 * ranks: 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define PART (1 << 19)

static int rank, ranks;

static void draw(double *part)
{
	FILE *map = fopen("meadow.map", "w");

	for (int n = 0; map && n < ranks; n++) {
		for (int i = 0; i < PART; i++)
			part[i] = i % 100 + n;
		if (fwrite(part, sizeof *part, PART, map) != PART)
			MPI_Abort(MPI_COMM_WORLD, 1);
	}
	if (!map || fclose(map))
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void mow(double *part)
{
	for (int i = 0; i < PART; i++)
		part[i] = part[i] > 5 ? 5 : part[i];
}

int main(int argc, char **argv)
{
	double *part = malloc(PART * sizeof *part);
	MPI_Offset at;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (!rank)
		draw(part);
	MPI_Barrier(MPI_COMM_WORLD);
	at = rank * (MPI_Offset)(PART * sizeof *part);
	MPI_File_open(MPI_COMM_WORLD, "meadow.map", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
	MPI_File_read_at(f, at, part, PART, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_close(&f);
	mow(part);
	MPI_File_open(MPI_COMM_WORLD, "meadow.mown", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
	MPI_File_write_at(f, at, part, PART, MPI_DOUBLE, MPI_STATUS_IGNORE);
	MPI_File_close(&f);
	return MPI_Finalize();
}
