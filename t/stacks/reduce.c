/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce.c - calls from below libmpi: an operation of the program's, an attribute's end. */
#include <mpi.h>
#include <stdlib.h>

#include "site.h"

static void operation(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)in;
	(void)inout;
	(void)n;
	(void)type;
	site("operation");
}

static int deleted(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm;
	(void)key;
	(void)value;
	(void)extra;
	return site("deleted") ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int main(int argc, char **argv)
{
	int a = 1, b = 2, key;
	MPI_Op op;
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	begin();
	MPI_Op_create(operation, 1, &op);
	MPI_Reduce_local(&a, &b, 1, MPI_INT, op);
	MPI_Allreduce(&a, &b, 1, MPI_INT, op, MPI_COMM_SELF);
	MPI_Comm_dup(MPI_COMM_SELF, &comm);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, NULL);
	MPI_Comm_set_attr(comm, key, &a);
	MPI_Comm_free(&comm);
	MPI_Op_free(&op);
	MPI_Finalize();
	return 0;
}
