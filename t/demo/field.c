/* SPDX-License-Identifier: BSD-3-Clause */
/* field.c - two processes write alternate rows of a field into one file. */
#include <mpi.h>

int main(int argc, char **argv)
{
	enum { ROWS = 4, COLUMNS = 256 };
	int rank, size, field[ROWS * COLUMNS] = { 0 };
	MPI_Datatype rows;
	MPI_Request request;
	MPI_File file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Type_vector(ROWS, COLUMNS, COLUMNS * size, MPI_INT, &rows);
	MPI_Type_commit(&rows);
	MPI_File_open(MPI_COMM_WORLD, "field.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_set_view(file, rank * COLUMNS * 4, MPI_INT, rows, "native", MPI_INFO_NULL);
	MPI_File_write_all(file, field, ROWS * COLUMNS, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_iread_at(file, 0, field, COLUMNS, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
