/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds.c - ranks keep what they have after each round.
 *
 * build: iompicc openmpi
 * as: domains
 * ranks: 4
 * calls: posix,mpi
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PART   (256 << 10) /* bytes, of a rank */
#define ROUNDS 8

static int rank, ranks;

static void keep(int fd, int part, const char *from, size_t n)
{
	if (pwrite(fd, from, n, (off_t)part * PART) != (ssize_t)n) /* FINDING imbalance rounds.dat */
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	char *mine = calloc(PART, 1), *all;
	int fd = open("rounds.dat", O_WRONLY | O_CREAT, 0666);

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	all = calloc((size_t)ranks, PART);
	for (int round = 0; round < ROUNDS; round++) {
#ifdef FIXED
		keep(fd, round * ranks + rank, mine, PART);
#else
		MPI_Gather(mine, PART, MPI_CHAR, all, PART, MPI_CHAR, round % ranks, MPI_COMM_WORLD);
		if (rank == round % ranks)
			keep(fd, round * ranks, all, (size_t)ranks * PART); /* FINDING imbalance rounds.dat */
#endif
		MPI_Barrier(MPI_COMM_WORLD);
	}
	close(fd);
	free(mine);
	free(all);
	MPI_Finalize();
	return 0;
}
