/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files.c - MPI's open files, by their handles.  The entry of a file is made by
 * the thread that opened it and taken away before it is closed, so that a handle
 * that MPI gives out again at once finds no old one.
 */
#include <string.h>

#include "iompi.h"
#include "table.h"

static struct iot_mpi_table files = { .size = sizeof(struct iot_mpi_file) };

struct iot_mpi_file *iot_mpi_file_find(MPI_File fh)
{
	struct iot_mpi_file *f = NULL;

	if ((uintptr_t)fh > IOT_MPI_CLAIMED)
		f = iot_mpi_table_find(&files, (uintptr_t)fh);
	/* one that was opened before a fork has no handle in this process's log */
	return f && f->generation == iot_each.generation ? f : NULL;
}

/* Names may say which file system's part of MPI is to be used: "ufs:data". */
const char *iot_mpi_file_name(const char *name)
{
	static const char *const systems[] = { "ufs", "nfs", "xfs", "lustre", "gpfs", "pvfs2", "panfs",
					       "daos", "unify", "quobyte", "testfs", "ime" };
	const char *colon = strchr(name, ':');

	for (uint32_t i = 0; colon && i < sizeof(systems) / sizeof(*systems); i++)
		if (strlen(systems[i]) == (size_t)(colon - name) && !memcmp(systems[i], name, (size_t)(colon - name)))
			return colon + 1;
	return name;
}

void iot_mpi_file_opened(struct iot_call *c, const struct iot_mpi *m, MPI_File fh, const char *name)
{
	struct iot_mpi_file *f;

	if (c->generation != iot_each.generation || c->t->state != IOT_IDLE)
		return;
	f = iot_mpi_table_claim(&files, (uintptr_t)fh);
	if (!f)
		return;
	f->split.number = 0;
	f->generation = c->generation;
	f->handle = iot_handle_of_path(c->t, name, &f->flags);
	f->comm_size = m->comm_size;
	f->comm_rank = m->comm_rank;
	f->amode = m->amode;
	strcpy(f->view, "disp=0 etype=MPI_BYTE filetype=MPI_BYTE");
	iot_mpi_table_publish(f, (uintptr_t)fh);
}

void iot_mpi_file_closed(struct iot_mpi_file *f)
{
	iot_mpi_table_publish(f, 0);
}
