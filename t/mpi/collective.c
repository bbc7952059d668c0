/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c - each rank writes every so many-th piece of a file, all in one
   collective call, with one process that is to do the work. */
#include <mpi.h>
#include <string.h>

#define PIECES 64
#define PIECE  8

int main(int argc, char **argv)
{
	char buf[PIECES * PIECE];
	MPI_Datatype strided;
	MPI_Info hints;
	MPI_File fh;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	memset(buf, 'a' + rank, sizeof(buf));
	MPI_Info_create(&hints);
	MPI_Info_set(hints, "cb_nodes", "1");
	MPI_Info_set(hints, "romio_cb_write", "enable");
	MPI_Type_vector(PIECES, PIECE, PIECE * size, MPI_CHAR, &strided);
	MPI_Type_commit(&strided);
	MPI_File_open(MPI_COMM_WORLD, "collective.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, hints, &fh);
	MPI_File_set_view(fh, PIECE * rank, MPI_CHAR, strided, "native", hints);
	MPI_File_write_all(fh, buf, sizeof(buf), MPI_CHAR, MPI_STATUS_IGNORE);
	MPI_File_close(&fh);
	MPI_Type_free(&strided);
	MPI_Info_free(&hints);
	MPI_Finalize();
	return 0;
}
