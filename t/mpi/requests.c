/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c - operations that end in other ways than by succeeding: freed, beside a
   request that fails, and with errors, as fail.c has it.  Prints what MPI says. */
#include <mpi.h>
#include <stdio.h>

static char buf[64], back[8];

static int class_of(int ret)
{
	int class;

	MPI_Error_class(ret, &class);
	return class;
}

static void say(const char *what, int ret)
{
	printf("%s: %s\n", what, ret == MPI_SUCCESS ? "success" : class_of(ret) == MPI_ERR_IN_STATUS ? "in status" :
			   class_of(ret) == MPI_ERR_IO ? "MPI_ERR_IO" : class_of(ret) == MPI_ERR_TRUNCATE ? "truncated" : "else");
}

static MPI_Request begin(MPI_File fh, MPI_Offset offset)
{
	MPI_Request r;

	MPI_File_iwrite_at(fh, offset, buf, 8, MPI_CHAR, &r);
	return r;
}

static void beside_another(MPI_File fh)
{
	MPI_Status statuses[3];
	MPI_Request r[3];

	r[0] = begin(fh, 100);
	MPI_Irecv(back, 8, MPI_CHAR, 0, 0, MPI_COMM_SELF, &r[1]);
	r[2] = begin(fh, 200);
	MPI_Send(buf, 8, MPI_CHAR, 0, 0, MPI_COMM_SELF);
	say("waitall", MPI_Waitall(3, r, statuses));
	for (int i = 0; i < 3; i++)
		say("status", statuses[i].MPI_ERROR);
}

int main(int argc, char **argv)
{
	MPI_Status statuses[2];
	MPI_Request r[2];
	MPI_File fh;

	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_File_open(MPI_COMM_SELF, "requests.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
	r[0] = begin(fh, 0);
	say("free", MPI_Request_free(&r[0]));
	beside_another(fh);
	r[0] = begin(fh, 300);
	say("wait", MPI_Wait(&r[0], statuses));
	r[0] = begin(fh, 400);
	r[1] = begin(fh, 500);
	say("waitall", MPI_Waitall(2, r, statuses));
	MPI_File_close(&fh);
	MPI_Finalize();
	return 0;
}
