/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gyre.c - ranks step an ocean, and rank 0 puts what all have into a checkpoint.
 *
 * build: iompicc static
 * with: slow-disk.c
 * ranks: 4
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "slow-disk.h"

#define CELLS (256 << 10) /* of a rank: 1 MiB */
#define STEPS 6

static int rank, ranks, fd = -1;

static void put(const float *cell, size_t n, off_t at)
{
	if (pwrite(fd, cell, n * sizeof(*cell), at) != (ssize_t)(n * sizeof(*cell))) /* FINDING serial-io gyre.chk */
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void checkpoint(const float *mine, float *all, int step)
{
	off_t at = (off_t)step * ranks * CELLS * (off_t)sizeof(*mine);

#ifdef FIXED
	(void)all;
	put(mine, CELLS, at + (off_t)rank * CELLS * (off_t)sizeof(*mine));
#else
	MPI_Gather(mine, CELLS, MPI_FLOAT, all, CELLS, MPI_FLOAT, 0, MPI_COMM_WORLD);
	if (rank == 0)
		put(all, (size_t)ranks * CELLS, at); /* FINDING serial-io gyre.chk */
#endif
}

int main(int argc, char **argv)
{
	float *mine, *all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	mine = calloc(CELLS, sizeof(*mine));
	all = calloc((size_t)CELLS * (size_t)ranks, sizeof(*all));
#ifdef FIXED
	fd = open("gyre.chk", O_WRONLY | O_CREAT, 0666);
#else
	if (rank == 0)
		fd = open("gyre.chk", O_WRONLY | O_CREAT | O_TRUNC, 0666);
#endif
	slow_disk_to = 1000;
	slow_disk_takes = 32;
	for (int step = 0; step < STEPS; step++) {
		for (int i = 0; i < CELLS; i++)
			mine[i] += (float)(rank + step);
		checkpoint(mine, all, step);
	}
	if (fd >= 0)
		close(fd);
	free(mine);
	free(all);
	MPI_Finalize();
	return 0;
}
