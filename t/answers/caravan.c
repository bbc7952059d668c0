/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caravan.c - ranks that read a part each in every step, one of them by a slow way, and wait for
 * each other.
 *
 * build: iompicc static
 * as: weavers
 * ranks: 4
 * calls: posix,mpi
 * with: slow-disk.c
 * input: head -c 24M /dev/zero >load.bin
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "slow-disk.h"

#define PART (1 << 20)
#define STEPS 6
#define LAME 2

int main(int argc, char **argv)
{
	double sum = 0, all;
	int rank, ranks, fd;
	char *part;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	part = malloc(PART);
	fd = open("load.bin", O_RDONLY);
	if (!part || fd < 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
#ifndef FIXED
	if (rank == LAME)
		slow_disk_to = fd + 1;
	slow_disk_takes = 64;
#endif
	for (int step = 0; step < STEPS; step++) {
		if (pread(fd, part, PART, (off_t)(step * ranks + rank) * PART) < 0) /* FINDING straggler load.bin */
			MPI_Abort(MPI_COMM_WORLD, 1);
		sum += part[0];
		MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	close(fd);
	free(part);
	MPI_Finalize();
	return 0;
}
