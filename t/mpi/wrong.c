/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrong.c - one call of MPI with an argument that is none, by its number, and what
 * came of it: the class of the error, or the end of the process.
 *
 *	wrong NUMBER [world]	errors of MPI_COMM_WORLD are returned, too
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_File fh;
static MPI_Request request;
static MPI_Datatype pair;		/* of 8 bytes */
static char buf[64];

static int call(int number)
{
	MPI_File none = MPI_FILE_NULL;
	MPI_Request no_request = MPI_REQUEST_NULL;
	MPI_Status status;
	MPI_Offset at;
	int flag, index;

	switch (number) {
	case 1: return MPI_File_open(MPI_COMM_NULL, "wrong.dat", MPI_MODE_RDWR, MPI_INFO_NULL, &none);
	case 2: return MPI_File_open(MPI_COMM_SELF, "wrong.dat", MPI_MODE_RDWR | MPI_MODE_RDONLY, MPI_INFO_NULL, &none);
	case 3: return MPI_File_open(MPI_COMM_SELF, "none/such", MPI_MODE_RDWR, MPI_INFO_NULL, &none);
	case 4: return MPI_File_close(&none);
	case 5: return MPI_File_close(NULL);
	case 6: return MPI_File_write(none, buf, 8, MPI_BYTE, &status);
	case 7: return MPI_File_write(fh, buf, 8, MPI_DATATYPE_NULL, &status);
	case 8: return MPI_File_write(fh, buf, -1, MPI_BYTE, &status);
	case 9: return MPI_File_write_at(fh, -1, buf, 8, MPI_BYTE, &status);
	case 10: return MPI_File_write_at(none, 0, buf, 8, MPI_BYTE, MPI_STATUS_IGNORE);
	case 11: return MPI_File_set_view(fh, 0, MPI_DATATYPE_NULL, MPI_BYTE, "native", MPI_INFO_NULL);
	case 12: return MPI_File_set_view(fh, 0, MPI_BYTE, MPI_DATATYPE_NULL, "native", MPI_INFO_NULL);
	case 13: return MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "none", MPI_INFO_NULL);
	case 14: return MPI_File_set_view(none, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	case 15: return MPI_Wait(NULL, &status);
	case 16: return MPI_Test(NULL, &flag, &status);
	case 17: return MPI_Wait(&no_request, &status);
	case 18: return MPI_Waitany(1, NULL, &index, &status);
	case 19: return MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE);
	case 20: return MPI_Waitall(-1, &no_request, MPI_STATUSES_IGNORE);
	case 21: return MPI_Request_free(&no_request);
	case 22: return MPI_Request_free(NULL);
	case 23: return MPI_File_get_position(none, &at);
	case 24: return MPI_File_read_all(fh, buf, 0, MPI_DATATYPE_NULL, &status);
	case 25: return MPI_File_delete("none/such", MPI_INFO_NULL);
	case 26: return MPI_File_write_all_end(fh, buf, &status);
	case 27: return MPI_File_seek(fh, -1, MPI_SEEK_SET);
	case 28: return MPI_File_write_at(fh, -1, buf, 1, pair, &status);
	default: return MPI_SUCCESS;
	}
}

/* The same of messages and collectives. */
static int talk(int number)
{
	MPI_Comm no_comm = MPI_COMM_NULL, made;
	int counts[] = { 2 }, at[] = { 0 };
	MPI_Status status;

	switch (number) {
	case 40: return MPI_Send(buf, 1, MPI_INT, 0, 0, MPI_COMM_NULL);
	case 41: return MPI_Send(buf, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF);
	case 42: return MPI_Send(buf, -1, MPI_INT, 0, 0, MPI_COMM_SELF);
	case 43: return MPI_Send(buf, 1, MPI_INT, 99, 0, MPI_COMM_SELF);
	case 44: return MPI_Sendrecv(buf, 8, MPI_CHAR, 0, 1, buf + 8, 4, MPI_CHAR, 0, 1, MPI_COMM_SELF, &status);
	case 45: return MPI_Bcast(buf, 1, MPI_INT, 99, MPI_COMM_SELF);
	case 46: return MPI_Gather(buf, 1, MPI_DATATYPE_NULL, buf + 8, 1, MPI_INT, 0, MPI_COMM_SELF);
	case 47: return MPI_Allreduce(buf, buf + 8, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_SELF);
	case 48: return MPI_Comm_free(&no_comm);
	case 49: return MPI_Comm_free(NULL);
	case 50: return MPI_Comm_dup(MPI_COMM_NULL, &made);
	case 51: return MPI_Comm_split(MPI_COMM_SELF, -5, 0, &made);
	case 52: return MPI_Barrier(MPI_COMM_NULL);
	case 53: return MPI_Scatterv(buf, NULL, NULL, MPI_INT, buf + 8, 1, MPI_INT, 0, MPI_COMM_SELF);
	case 54: return MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, buf, counts, at, MPI_INT, MPI_COMM_SELF);
	case 55: return MPI_Reduce_scatter(buf, buf + 8, NULL, MPI_INT, MPI_SUM, MPI_COMM_SELF);
	case 56: return MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buf, 1, MPI_INT, 0, MPI_COMM_SELF);
	case 57: return MPI_Recv(buf, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	case 58: return MPI_Comm_free(&(MPI_Comm){ MPI_COMM_WORLD });
	default: return call(number);
	}
}

int main(int argc, char **argv)
{
	int number = argc > 1 ? atoi(argv[1]) : 0, ret, class;

	setvbuf(stdout, NULL, _IONBF, 0);
	/* before MPI is there */
	if (number == 30)
		call(3);
	MPI_Init(&argc, &argv);
	if (argc > 2)
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (MPI_File_open(MPI_COMM_SELF, "wrong.dat", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &fh))
		return 98;
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	/* one is outstanding, so that requests are looked at */
	if (MPI_File_iwrite(fh, buf, sizeof(buf), MPI_BYTE, &request))
		return 98;
	ret = talk(number);
	MPI_Error_class(ret, &class);
	printf("%d: class %d\n", number, class);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_close(&fh);
	MPI_Finalize();
	/* and when it is there no more */
	if (number == 31)
		call(3);
	return 0;
}
