/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.c - calls everything in t/coverage/mpi.txt that this MPI has, but for
 * MPI_Abort, MPI_Init (argument "init") or MPI_Init_thread.  The results are
 * looked at where they must be right.  MPICH 4.0 gets no MPI_Testall: it aborts
 * when it finds an operation on a file that is not complete, traced or not.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 16

static MPI_File fh;
static int rank, data[N], back[N];
static MPI_Status status;
static MPI_Request request;

static void must(int ret, const char *what, int line)
{
	if (ret == MPI_SUCCESS)
		return;
	fprintf(stderr, "names: line %d: %s failed\n", line, what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}
#define OK(call) must(call, #call, __LINE__)

static void wait_one(void)
{
	OK(MPI_Wait(&request, &status));
}

/* Calls of one direction.  buf: what is written or read; c: nothing, or _c */
#define CALLS(name, c, buf)                                                                 \
	do {                                                                                \
		OK(MPI_File_##name##_at##c(fh, 64 * rank, buf, N, MPI_INT, &status));       \
		OK(MPI_File_##name##_at_all##c(fh, 64 * rank, buf, N, MPI_INT, &status));   \
		OK(MPI_File_seek(fh, 64 * rank, MPI_SEEK_SET));                             \
		OK(MPI_File_##name##c(fh, buf, N, MPI_INT, MPI_STATUS_IGNORE));             \
		OK(MPI_File_seek(fh, 64 * rank, MPI_SEEK_SET));                             \
		OK(MPI_File_##name##_all##c(fh, buf, N, MPI_INT, &status));                 \
		OK(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));                              \
		OK(MPI_File_##name##_shared##c(fh, buf, N, MPI_INT, &status));              \
		OK(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));                              \
		OK(MPI_File_##name##_ordered##c(fh, buf, N, MPI_INT, &status));             \
		OK(MPI_File_i##name##_at##c(fh, 64 * rank, buf, N, MPI_INT, &request));     \
		wait_one();                                                                 \
		OK(MPI_File_i##name##_at_all##c(fh, 64 * rank, buf, N, MPI_INT, &request)); \
		wait_one();                                                                 \
		OK(MPI_File_seek(fh, 64 * rank, MPI_SEEK_SET));                             \
		OK(MPI_File_i##name##c(fh, buf, N, MPI_INT, &request));                     \
		wait_one();                                                                 \
		OK(MPI_File_seek(fh, 64 * rank, MPI_SEEK_SET));                             \
		OK(MPI_File_i##name##_all##c(fh, buf, N, MPI_INT, &request));               \
		wait_one();                                                                 \
		OK(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));                              \
		OK(MPI_File_i##name##_shared##c(fh, buf, N, MPI_INT, &request));            \
		wait_one();                                                                 \
		OK(MPI_File_##name##_at_all_begin##c(fh, 64 * rank, buf, N, MPI_INT));      \
		OK(MPI_File_##name##_at_all_end(fh, buf, &status));                         \
		OK(MPI_File_seek(fh, 64 * rank, MPI_SEEK_SET));                             \
		OK(MPI_File_##name##_all_begin##c(fh, buf, N, MPI_INT));                    \
		OK(MPI_File_##name##_all_end(fh, buf, MPI_STATUS_IGNORE));                  \
		OK(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));                              \
		OK(MPI_File_##name##_ordered_begin##c(fh, buf, N, MPI_INT));                \
		OK(MPI_File_##name##_ordered_end(fh, buf, &status));                        \
	} while (0)

static void reads_and_writes(void)
{
	CALLS(write, , data);
	MPI_Barrier(MPI_COMM_WORLD);
	CALLS(read, , back);
#if MPI_VERSION >= 4
	CALLS(write, _c, data);
	MPI_Barrier(MPI_COMM_WORLD);
	CALLS(read, _c, back);
#endif
	OK(MPI_File_write_at_all(fh, 1024 + 64 * rank, data, N, MPI_INT, &status));
	OK(MPI_File_read_at_all(fh, 1024 + 64 * rank, back, N, MPI_INT, &status));
	if (memcmp(data, back, sizeof(data)))
		fprintf(stderr, "names: rank %d read what was not written\n", rank);
}

static void completions(void)
{
	MPI_Request requests[40];
	int n = 0, flag = 0, index, indices[40];

	for (int i = 0; i < 40; i++)
		OK(MPI_File_iread_at(fh, 64 * rank, back, 1, MPI_INT, &requests[i]));
	OK(MPI_Waitall(40, requests, MPI_STATUSES_IGNORE));
#ifdef OPEN_MPI
	for (int i = 0; i < 4; i++)
		OK(MPI_File_iread_at(fh, 64 * rank, back, 1, MPI_INT, &requests[i]));
	while (!flag)
		OK(MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE));
#endif
	OK(MPI_File_iread_at(fh, 64 * rank, back, 1, MPI_INT, &requests[0]));
	requests[1] = MPI_REQUEST_NULL;
	OK(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
	OK(MPI_File_iread_at(fh, 64 * rank, back, 1, MPI_INT, &requests[1]));
	for (flag = 0; !flag;)
		OK(MPI_Testany(2, requests, &index, &flag, &status));
	OK(MPI_File_iread_at(fh, 64 * rank, back, 1, MPI_INT, &requests[0]));
	OK(MPI_Waitsome(2, requests, &n, indices, MPI_STATUSES_IGNORE));
	OK(MPI_File_iread_at(fh, 64 * rank, back, 1, MPI_INT, &requests[0]));
	for (n = 0; n <= 0;)
		OK(MPI_Testsome(2, requests, &n, indices, MPI_STATUSES_IGNORE));
	OK(MPI_File_iread_at(fh, 64 * rank, back, 1, MPI_INT, &request));
	for (flag = 0; !flag;)
		OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
}

static void on_error(MPI_File *file, int *code, ...)
{
	(void)file, (void)code;
}

static void questions(void)
{
	char datarep[MPI_MAX_DATAREP_STRING];
	MPI_Offset at;
	MPI_Aint extent;
	MPI_Datatype etype, filetype;
	MPI_Errhandler handler;
	MPI_Group group;
	MPI_Info info;
	int n;

	OK(MPI_File_get_size(fh, &at));
	OK(MPI_File_set_size(fh, 4000));
	OK(MPI_File_preallocate(fh, 5000));
	OK(MPI_File_get_amode(fh, &n));
	OK(MPI_File_get_group(fh, &group));
	OK(MPI_Group_free(&group));
	OK(MPI_File_get_info(fh, &info));
	OK(MPI_File_set_info(fh, info));
	OK(MPI_Info_free(&info));
	/* OMPIO has none, and does not always say so */
	MPI_File_set_atomicity(fh, 1);
	OK(MPI_File_get_atomicity(fh, &n));
	MPI_File_set_atomicity(fh, 0);
	OK(MPI_File_sync(fh));
	OK(MPI_File_get_type_extent(fh, MPI_INT, &extent));
	OK(MPI_File_get_position(fh, &at));
	OK(MPI_File_get_position_shared(fh, &at));
	OK(MPI_File_get_byte_offset(fh, at, &at));
	OK(MPI_File_set_view(fh, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
	OK(MPI_File_get_view(fh, &at, &etype, &filetype, datarep));
	OK(MPI_File_create_errhandler(on_error, &handler));
	OK(MPI_File_set_errhandler(fh, handler));
	OK(MPI_Errhandler_free(&handler));
	OK(MPI_File_get_errhandler(fh, &handler));
	OK(MPI_Errhandler_free(&handler));
	MPI_File_call_errhandler(fh, MPI_ERR_IO);
	OK(MPI_File_set_errhandler(fh, MPI_ERRORS_RETURN));
	/* only "native" is there in most, but the call is */
	MPI_Register_datarep("names", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL);
#if MPI_VERSION >= 4
	MPI_Count wide;

	OK(MPI_File_get_type_extent_c(fh, MPI_INT, &wide));
	MPI_Register_datarep_c("names_c", MPI_CONVERSION_FN_NULL_C, MPI_CONVERSION_FN_NULL_C, NULL, NULL);
#endif
}

int main(int argc, char **argv)
{
	MPI_File none;
	int provided;

	if (argc > 1 && !strcmp(argv[1], "init"))
		OK(MPI_Init(&argc, &argv));
	else
		OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < N; i++)
		data[i] = 1000 * rank + i;
	if (MPI_File_open(MPI_COMM_SELF, "/none/such", MPI_MODE_RDONLY, MPI_INFO_NULL, &none) == MPI_SUCCESS)
		return 1;
	OK(MPI_File_open(MPI_COMM_WORLD, "names.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh));
	reads_and_writes();
	completions();
	questions();
	OK(MPI_File_close(&fh));
	MPI_Barrier(MPI_COMM_WORLD);
	if (!rank)
		OK(MPI_File_delete("names.data", MPI_INFO_NULL));
	MPI_Finalize();
	return 0;
}
