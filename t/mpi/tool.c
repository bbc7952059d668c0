/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tool.c - a profiling tool between the program and MPI: some of MPI's names, and
 * calls of those with P.  It says how often it was called.
 */
#include <mpi.h>
#include <stdio.h>

static int n_calls;

#define TOOL(name, parameters, ...)                                                        \
	int name parameters                                                                \
	{                                                                                  \
		n_calls++;                                                                 \
		return P##name(__VA_ARGS__);                                               \
	}

#define READ(name)                                                                         \
	TOOL(name, (MPI_File fh, void *buf, int count, MPI_Datatype type, MPI_Status *status), \
	     fh, buf, count, type, status)

#define WRITE(name)                                                                        \
	TOOL(name, (MPI_File fh, const void *buf, int count, MPI_Datatype type, MPI_Status *status), \
	     fh, buf, count, type, status)

TOOL(MPI_Init, (int *argc, char ***argv), argc, argv)
TOOL(MPI_File_open, (MPI_Comm comm, const char *name, int amode, MPI_Info info, MPI_File *fh),
     comm, name, amode, info, fh)
TOOL(MPI_File_iwrite_at, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
			  MPI_Datatype type, MPI_Request *request), fh, offset, buf, count, type, request)
TOOL(MPI_Wait, (MPI_Request *request, MPI_Status *status), request, status)
TOOL(MPI_File_write_at_all_begin, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
				   MPI_Datatype type), fh, offset, buf, count, type)
WRITE(MPI_File_write)
WRITE(MPI_File_write_shared)
READ(MPI_File_read_all)
TOOL(MPI_File_close, (MPI_File *fh), fh)

/* one that makes more calls than the program's */
int MPI_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype type,
		      MPI_Status *status)
{
	MPI_Offset position, byte;

	n_calls++;
	PMPI_File_get_position(fh, &position);
	PMPI_File_get_byte_offset(fh, position + offset, &byte);
	return PMPI_File_write_at(fh, offset, buf, count, type, status);
}

int MPI_Finalize(void)
{
	printf("%d calls\n", n_calls + 1);
	return PMPI_Finalize();
}
