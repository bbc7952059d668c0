/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c - MPI_File_set_view, from which the file's later records have their view. */
#include <string.h>

#include "iompi.h"
#include "text.h"

#include "desc_MPI_File_set_view.h"

#pragma GCC visibility push(hidden)
typedef int real_fn(MPI_File, MPI_Offset, iot_type, iot_type, const char *, iot_info);
int iot_hand_MPI_File_set_view(real_fn *real, void *frame, MPI_File fh, MPI_Offset disp,
			       iot_type etype, iot_type filetype, const char *datarep,
			       iot_info info);
#pragma GCC visibility pop

static void note_view(struct iot_mpi_file *f, MPI_Offset disp, const char *etype,
		      const char *filetype)
{
	char view[IOT_MPI_TEXT];
	struct iot_text x = {.buf = view, .cap = sizeof(view) - 1};

	iot_puts(&x, "disp=");
	iot_putu(&x, (uint64_t)disp);
	iot_puts(&x, " etype=");
	iot_puts(&x, etype);
	iot_puts(&x, " filetype=");
	iot_puts(&x, filetype);
	memcpy(f->view, view, x.len);
	f->view[x.len] = 0;
}

int iot_hand_MPI_File_set_view(real_fn *real, void *frame, MPI_File fh, MPI_Offset disp,
			       iot_type etype, iot_type filetype, const char *datarep,
			       iot_info info)
{
	struct iot_call call IOT_CLEANUP;
	char hints[IOT_MPI_INFO], etype_text[IOT_MPI_TEXT];
	struct iot_mpi m;
	int ret;

	if (!iot_mpi_enter(&call, &m, &IOT_DESC_NAME(MPI_File_set_view), fh, frame))
		return real(fh, disp, etype, filetype, datarep, info);
	ret = real(fh, disp, etype, filetype, datarep, info);
	iot_mpi_back(&m, ret);
	iot_mpi_typed(&m, filetype);
	iot_mpi_hints(&m, hints, info);
	if (m.valid) {
		iot_mpi_type_text(etype_text, sizeof(etype_text), etype);
		m.etype = etype_text;
	}
	if (ret == MPI_SUCCESS && m.file)
		note_view(m.file, disp, m.etype, m.type);
	{
		const uint64_t words[] = IOT_WORDS_MPI_File_set_view;

		iot_mpi_leave(&call, &m, words);
	}
	return ret;
}
