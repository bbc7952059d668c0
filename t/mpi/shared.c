/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared.c - ranks that need what others wrote: rank 0 writes a file that it keeps open, and all
 * read it behind a barrier, or rank 1 behind a message; and a collective file.
 */
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

#define SIZE 1000
static char buf[SIZE];

static int posix(int rank, int message)
{
	int fd = open(message ? "message" : "barrier", O_RDWR | O_CREAT, 0600), bad = 0;

	if (!message)
		MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		bad |= pwrite(fd, buf, SIZE, 0) != SIZE;
	if (!message)
		MPI_Barrier(MPI_COMM_WORLD);
	else if (rank == 0)
		MPI_Send(buf, 1, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
	else if (rank == 1)
		MPI_Recv(buf, 1, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (!message || rank == 1)
		bad |= pread(fd, buf, SIZE, 0) != SIZE;
	MPI_Barrier(MPI_COMM_WORLD);
	close(fd);
	return bad;
}

static void collective(int rank, int size)
{
	MPI_File f;

	MPI_File_open(MPI_COMM_WORLD, "collective", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
		      &f);
	MPI_File_write_at(f, (MPI_Offset)rank * SIZE, buf, SIZE, MPI_CHAR, MPI_STATUS_IGNORE);
	MPI_File_sync(f);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_sync(f);
	MPI_File_read_at(f, (MPI_Offset)((rank + 1) % size) * SIZE, buf, SIZE, MPI_CHAR,
			 MPI_STATUS_IGNORE);
	MPI_File_close(&f);
}

int main(int argc, char **argv)
{
	int rank, size, bad;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	bad = posix(rank, 0);
	bad |= posix(rank, 1);
	collective(rank, size);
	MPI_Finalize();
	return bad;
}
