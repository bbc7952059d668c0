/* SPDX-License-Identifier: BSD-3-Clause */
/* basic.c - each rank writes its part of a file and reads it back. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char part[64], back[64];
	MPI_Status status;
	MPI_File fh;
	int rank, n;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	memset(part, 'a' + rank, sizeof(part));
	MPI_File_open(MPI_COMM_WORLD, "basic.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
	MPI_File_write_at(fh, rank * 64, part, 64, MPI_CHAR, &status);
	MPI_Get_count(&status, MPI_CHAR, &n);
	MPI_File_read_at(fh, rank * 64, back, 16, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&fh);
	if (n != 64 || memcmp(part, back, 64))
		printf("rank %d: wrote %d bytes and read others\n", rank, n);
	MPI_Finalize();
	return 0;
}
