/* SPDX-License-Identifier: BSD-3-Clause */
/* open.c - MPI_File_open and MPI_File_close. */
#include "iompi.h"

#include "desc_MPI_File_close.h"
#include "desc_MPI_File_open.h"

/* as the readers know them: table/kinds-named.def */
_Static_assert(MPI_MODE_CREATE == 1 && MPI_MODE_RDONLY == 2 && MPI_MODE_WRONLY == 4 &&
		       MPI_MODE_RDWR == 8 && MPI_MODE_DELETE_ON_CLOSE == 16 &&
		       MPI_MODE_UNIQUE_OPEN == 32 && MPI_MODE_EXCL == 64 &&
		       MPI_MODE_APPEND == 128 && MPI_MODE_SEQUENTIAL == 256,
	       "this MPI numbers access modes differently");
_Static_assert(MPI_SEEK_SET == 600 && MPI_SEEK_CUR == 602 && MPI_SEEK_END == 604,
	       "this MPI numbers the ways to seek differently");

#pragma GCC visibility push(hidden)
typedef int open_fn(iot_comm, const char *, int, iot_info, MPI_File *);
int iot_hand_MPI_File_open(open_fn *real, void *frame, iot_comm comm, const char *filename,
			   int amode, iot_info info, MPI_File *fh);
typedef int close_fn(MPI_File *);
int iot_hand_MPI_File_close(close_fn *real, void *frame, MPI_File *fh);
#pragma GCC visibility pop

int iot_hand_MPI_File_open(open_fn *real, void *frame, iot_comm comm, const char *name, int amode,
			   iot_info info, MPI_File *fh)
{
	struct iot_call call IOT_CLEANUP;
	char hints[IOT_MPI_INFO];
	struct iot_mpi m;
	const char *filename;
	int ret;

	if (!iot_mpi_begin(&call, &m, &IOT_DESC_NAME(MPI_File_open), frame))
		return real(comm, name, amode, info, fh);
	ret = real(comm, name, amode, info, fh);
	iot_mpi_back(&m, ret);
	filename = iot_mpi_given(&m, name);
	if (filename)
		filename = iot_mpi_file_name(filename);
	if (m.valid && comm != MPI_COMM_NULL) {
		iot_pmpi_Comm_size(comm, &m.comm_size);
		iot_pmpi_Comm_rank(comm, &m.comm_rank);
	}
	iot_mpi_hints(&m, hints, info);
	m.amode = amode;
	if (ret == MPI_SUCCESS)
		iot_mpi_file_opened(&call, &m, *fh, filename);
	{
		const uint64_t words[] = IOT_WORDS_MPI_File_open;

		iot_mpi_leave(&call, &m, words);
	}
	return ret;
}

int iot_hand_MPI_File_close(close_fn *real, void *frame, MPI_File *fh)
{
	struct iot_call call IOT_CLEANUP;
	MPI_File file;
	struct iot_mpi m;
	int ret;

	/* MPI may yet turn it down */
	if (!iot_families || !iot_mpi_fetch(&file, fh, sizeof(file)))
		file = MPI_FILE_NULL;
	if (!iot_mpi_enter(&call, &m, &IOT_DESC_NAME(MPI_File_close), file, frame))
		return real(fh);
	if (m.file)
		iot_mpi_file_closed(m.file);
	ret = real(fh);
	iot_mpi_back(&m, ret);
	{
		const uint64_t words[] = IOT_WORDS_MPI_File_close;

		iot_mpi_leave(&call, &m, words);
	}
	return ret;
}
