/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail.c - preloaded between the program and MPI: its MPI_Wait fails, and so does the
 * second of the requests that MPI_Waitall is given.  (Neither Open MPI 4.1 nor MPICH
 * 4.0 survives an operation on a file that fails after it was begun.)
 */
#include <mpi.h>

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	PMPI_Wait(request, status);
	return MPI_ERR_IO;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
	PMPI_Waitall(count, requests, statuses);
	for (int i = 0; i < count; i++)
		statuses[i].MPI_ERROR = MPI_SUCCESS;
	statuses[1].MPI_ERROR = count == 3 ? MPI_ERR_TRUNCATE : MPI_ERR_IO;
	return MPI_ERR_IN_STATUS;
}
