/* SPDX-License-Identifier: BSD-3-Clause */
/* bindings.cc - the calls of bindings.txt, in that order, from C++. */
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, buf[16], idx, done = 0;
	MPI_Request one, two[2];
	MPI_Datatype filetype;
	MPI_Status status, statuses[2];
	MPI_Offset length;
	MPI_File fh;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int &i : buf)
		i = rank;
	MPI_File_open(MPI_COMM_WORLD, "bindings.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
	MPI_Type_vector(4, 4, 8, MPI_INT, &filetype);
	MPI_Type_commit(&filetype);
	MPI_File_write_at(fh, 64 * rank, buf, 16, MPI_INT, &status);
	MPI_File_write_at_all(fh, 64 * rank, buf, 16, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek(fh, 64 * rank, MPI_SEEK_SET);
	MPI_File_write(fh, buf, 16, MPI_INT, &status);
	MPI_File_sync(fh);
	MPI_File_read_at(fh, 64 * rank, buf, 16, MPI_INT, &status);
	MPI_File_iwrite_at(fh, 64 * rank, buf, 16, MPI_INT, &one);
	MPI_Wait(&one, &status);
	MPI_File_iread_at(fh, 64 * rank, buf, 16, MPI_INT, &two[0]);
	MPI_File_iread_at(fh, 64 * rank, buf, 16, MPI_INT, &two[1]);
	MPI_Waitall(2, two, statuses);
	MPI_File_iread_at(fh, 64 * rank, buf, 16, MPI_INT, &one);
	while (!done)
		MPI_Test(&one, &done, MPI_STATUS_IGNORE);
	MPI_File_iread_at(fh, 64 * rank, buf, 16, MPI_INT, &two[0]);
	two[1] = MPI_REQUEST_NULL;
	MPI_Waitany(2, two, &idx, MPI_STATUS_IGNORE);
	MPI_File_write_at_all_begin(fh, 64 * rank, buf, 16, MPI_INT);
	MPI_File_write_at_all_end(fh, buf, &status);
	MPI_File_write_ordered(fh, buf, 16, MPI_INT, &status);
	MPI_File_write_shared(fh, buf, 16, MPI_INT, &status);
	MPI_File_set_view(fh, 16 * rank, MPI_INT, filetype, "native", MPI_INFO_NULL);
	MPI_File_read_all(fh, buf, 16, MPI_INT, &status);
	MPI_File_get_size(fh, &length);
	MPI_File_close(&fh);
	MPI_Type_free(&filetype);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		MPI_File_delete("bindings.data", MPI_INFO_NULL);
	MPI_Finalize();
	return 0;
}
