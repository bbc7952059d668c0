/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes.c - how many bytes a process gives to others or, where it only gets some, gets.
 * MPI looks at no more of the arguments than it needs: nor do we.
 */
#include "iompi.h"

static uint64_t bytes(MPI_Count count, MPI_Datatype type)
{
	MPI_Count size;

	if (count <= 0 || type == MPI_DATATYPE_NULL || iot_pmpi_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0)
		return 0;
	return (uint64_t)count * (uint64_t)size;
}

/* How many processes there are to give something to. */
static int others(const struct iot_mpi *m)
{
	return m->on->remote ? m->on->remote : m->on->size;
}

static bool known(const struct iot_mpi *m)
{
	return m->valid && m->on;
}

void iot_mpi_message(struct iot_mpi *m, int peer, MPI_Count count, MPI_Datatype type)
{
	if (peer != MPI_PROC_NULL)
		iot_mpi_asked(m, count, type);
}

/* Between groups, the root's is not the group of whom it counts. */
void iot_mpi_rooted(struct iot_mpi *m, int root, MPI_Count count, MPI_Datatype type)
{
	if (known(m) && root != MPI_PROC_NULL)
		m->size = bytes(count, type);
}

void iot_mpi_local(struct iot_mpi *m, MPI_Count count, MPI_Datatype type)
{
	if (known(m))
		m->size = bytes(count, type) * (uint64_t)m->on->size;
}

void iot_mpi_local_v(struct iot_mpi *m, const int *counts, MPI_Datatype type)
{
	for (int i = 0; known(m) && i < m->on->size; i++)
		m->size += bytes(counts[i], type);
}

void iot_mpi_part(struct iot_mpi *m, int root, const void *buf, MPI_Count count, MPI_Datatype type, MPI_Count other_count,
		  MPI_Datatype other)
{
	if (!known(m) || root == MPI_PROC_NULL || root == MPI_ROOT)
		return;
	m->size = buf == MPI_IN_PLACE ? bytes(other_count, other) : bytes(count, type);
}

void iot_mpi_part_v(struct iot_mpi *m, int root, const void *buf, MPI_Count count, MPI_Datatype type,
		    const int *other_counts, MPI_Datatype other)
{
	if (!known(m) || root == MPI_PROC_NULL || root == MPI_ROOT)
		return;
	m->size = buf == MPI_IN_PLACE ? bytes(other_counts[m->on->rank], other) : bytes(count, type);
}

void iot_mpi_all(struct iot_mpi *m, const void *buf, MPI_Count count, MPI_Datatype type, MPI_Count other_count,
		 MPI_Datatype other)
{
	if (known(m))
		m->size = (uint64_t)others(m) * (buf == MPI_IN_PLACE ? bytes(other_count, other) : bytes(count, type));
}

void iot_mpi_all_v(struct iot_mpi *m, const void *buf, const int *counts, MPI_Datatype type, const int *other_counts,
		   MPI_Datatype other)
{
	for (int i = 0; known(m) && i < others(m); i++)
		m->size += buf == MPI_IN_PLACE ? bytes(other_counts[i], other) : bytes(counts[i], type);
}

void iot_mpi_all_w(struct iot_mpi *m, const void *buf, const int *counts, const MPI_Datatype *types,
		   const int *other_counts, const MPI_Datatype *others_types)
{
	for (int i = 0; known(m) && i < others(m); i++)
		m->size += buf == MPI_IN_PLACE ? bytes(other_counts[i], others_types[i]) : bytes(counts[i], types[i]);
}
