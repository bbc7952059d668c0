/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diagnose.c - each rank writes what is needed to find out later how its part went.
 *
 * build: iompicc openmpi
 * as: bubbles
 * ranks: 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 50
#define PART  (16 << 10)

static int rank, ranks;
static char part[PART];

static void advance(int step)
{
	memset(part, 'a' + (rank + step) % 26, PART);
}

#ifdef FIXED
static MPI_File file;

static void diagnose(int step)
{
	MPI_Offset at = ((MPI_Offset)step * ranks + rank) * PART;

	MPI_File_write_at_all(file, at, part, PART, MPI_CHAR, MPI_STATUS_IGNORE);
}
#else
static void diagnose(int step)
{
	char path[40];
	FILE *f;

	snprintf(path, sizeof(path), "step%03d.rank%04d", step, rank);
	f = fopen(path, "w"); /* FINDING file-per-process|many-files step~.rank~ - in */
	if (!f)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fwrite(part, 1, PART, f);
	fclose(f);
}
#endif

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#ifdef FIXED
	MPI_File_open(MPI_COMM_WORLD, "steps", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
#endif
	for (int step = 0; step < STEPS; step++) {
		advance(step);
		diagnose(step); /* FINDING file-per-process|many-files step~.rank~ - in */
	}
#ifdef FIXED
	MPI_File_close(&file);
#endif
	MPI_Finalize();
	return 0;
}
