/* SPDX-License-Identifier: BSD-3-Clause */
/* late.c - ranks write small strided pieces together, for which rank 1 comes late, and then apart:
   by calls that return when that is done, and by such as return before. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

#define PIECES 64
#define PIECE  8

int main(int argc, char **argv)
{
	char buf[PIECES * PIECE];
	MPI_Datatype strided;
	MPI_Info hints;
	MPI_File fh;
	int rank, size, i;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	memset(buf, 'a' + rank, sizeof(buf));
	MPI_Info_create(&hints);
	MPI_Info_set(hints, "cb_nodes", "1");
	MPI_Info_set(hints, "romio_cb_write", "enable");
	MPI_Type_vector(PIECES, PIECE, PIECE * size, MPI_CHAR, &strided);
	MPI_Type_commit(&strided);
	MPI_File_open(MPI_COMM_WORLD, "together.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, hints, &fh);
	MPI_File_set_view(fh, PIECE * rank, MPI_CHAR, strided, "native", hints);
	for (i = 0; i < 3; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 1)
			usleep(200000);
		MPI_File_write_all(fh, buf, sizeof(buf), MPI_CHAR, MPI_STATUS_IGNORE);
	}
	MPI_File_close(&fh);
	MPI_File_open(MPI_COMM_SELF, rank ? "one.data" : "zero.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
	for (i = 0; i <= rank; i++)
		MPI_File_write_at(fh, (rank * 4 + i) * PIECE, buf, PIECE, MPI_CHAR, MPI_STATUS_IGNORE);
	for (i = 0; i < 2; i++) {
		MPI_Request request;

		MPI_File_iwrite_at(fh, (64 + i) * PIECE, buf, PIECE, MPI_CHAR, &request);
		usleep(20000);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_File_close(&fh);
	MPI_Type_free(&strided);
	MPI_Info_free(&hints);
	MPI_Finalize();
	return 0;
}
