/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * needs.c - what needs MPI's library, for linkers that keep a library if something in the
 * executable needs it, which is decided when all has been read (LLVM's, mold): a program that
 * calls nothing of MPI but what has wrappers needs it through these.  Where only libraries
 * call MPI, iocc defines the name, and this is left out.
 */
#include <mpi.h>

int iot_needs_mpi(MPI_Comm comm, int *size);

int iot_needs_mpi(MPI_Comm comm, int *size)
{
	return PMPI_Comm_size(comm, size);
}
