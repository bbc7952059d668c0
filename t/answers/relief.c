/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relief.c - pairs of ranks put together what they have of a relief, and one of each pair
 * writes it.
 *
 * build: iompicc mpich
 * ranks: 4
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#define PART  (512 << 10)
#define STEPS 4

static void put(int fd, off_t at, const char *from, size_t n)
{
	if (pwrite(fd, from, n, at) != (ssize_t)n)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	int rank, fd = open("relief.dat", O_WRONLY | O_CREAT, 0666);
	char *mine = calloc(PART, 1), *both = calloc(PART, 2);
	MPI_Comm pair;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
	for (int step = 0; step < STEPS; step++) {
		MPI_Gather(mine, PART, MPI_CHAR, both, PART, MPI_CHAR, 0, pair);
		if (rank % 2 == 0)
			put(fd, (off_t)(step * 4 + rank) * PART, both, 2 * PART);
	}
	MPI_Comm_free(&pair);
	close(fd);
	free(mine);
	free(both);
	MPI_Finalize();
	return 0;
}
