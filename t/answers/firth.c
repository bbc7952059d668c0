/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * firth.c - rank 0 makes a mesh, and each rank reads the zones that it has: they follow each other,
 * and are read zone by zone.
 *
 * build: iompicc openmpi
 * ranks: 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ZONE 64 /* doubles */
#define ZONES 6000

static void make(const char *name)
{
	double *mesh = malloc(sizeof(*mesh) * ZONE * ZONES);
	FILE *f = fopen(name, "w");

	if (!mesh || !f)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < ZONE * ZONES; i++)
		mesh[i] = i;
	if (fwrite(mesh, sizeof(*mesh), ZONE * ZONES, f) != ZONE * ZONES || fclose(f))
		MPI_Abort(MPI_COMM_WORLD, 1);
	free(mesh);
}

int main(int argc, char **argv)
{
	int rank, ranks, n;
	MPI_File file;
	double *mine;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (rank == 0)
		make("firth.bin");
	MPI_Barrier(MPI_COMM_WORLD);
	n = ZONES / ranks;
	mine = malloc(sizeof(*mine) * ZONE * (size_t)n);
	MPI_File_open(MPI_COMM_WORLD, "firth.bin", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
#ifdef FIXED
	MPI_File_read_at_all(file, (MPI_Offset)sizeof(*mine) * ZONE * n * rank, mine, ZONE * n, MPI_DOUBLE, MPI_STATUS_IGNORE);
#else
	for (int i = 0; i < n; i++)
		MPI_File_read_at_all(file, (MPI_Offset)sizeof(*mine) * ZONE * (n * rank + i), mine + ZONE * i, ZONE, /* FINDING small-reads|scattered firth.bin */
				     MPI_DOUBLE, MPI_STATUS_IGNORE);
#endif
	MPI_File_close(&file);
	free(mine);
	MPI_Finalize();
	return 0;
}
