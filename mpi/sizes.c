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

static MPI_Count nth(struct iot_mpi_counts c, int i)
{
	return c.large ? ((const MPI_Count *)c.at)[i] : ((const int *)c.at)[i];
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

void iot_mpi_local_v(struct iot_mpi *m, struct iot_mpi_counts counts, MPI_Datatype type)
{
	for (int i = 0; known(m) && i < m->on->size; i++)
		m->size += bytes(nth(counts, i), type);
}

void iot_mpi_part(struct iot_mpi *m, int root, const void *buf, MPI_Count count, MPI_Datatype type, MPI_Count other_count,
		  MPI_Datatype other)
{
	if (!known(m) || root == MPI_PROC_NULL || root == MPI_ROOT)
		return;
	m->size = buf == MPI_IN_PLACE ? bytes(other_count, other) : bytes(count, type);
}

void iot_mpi_part_v(struct iot_mpi *m, int root, const void *buf, MPI_Count count, MPI_Datatype type,
		    struct iot_mpi_counts other_counts, MPI_Datatype other)
{
	if (!known(m) || root == MPI_PROC_NULL || root == MPI_ROOT)
		return;
	m->size = buf == MPI_IN_PLACE ? bytes(nth(other_counts, m->on->rank), other) : bytes(count, type);
}

void iot_mpi_all(struct iot_mpi *m, const void *buf, MPI_Count count, MPI_Datatype type, MPI_Count other_count,
		 MPI_Datatype other)
{
	if (known(m))
		m->size = (uint64_t)others(m) * (buf == MPI_IN_PLACE ? bytes(other_count, other) : bytes(count, type));
}

void iot_mpi_all_v(struct iot_mpi *m, const void *buf, struct iot_mpi_counts counts, MPI_Datatype type, struct iot_mpi_counts other_counts,
		   MPI_Datatype other)
{
	for (int i = 0; known(m) && i < others(m); i++)
		m->size += buf == MPI_IN_PLACE ? bytes(nth(other_counts, i), other) : bytes(nth(counts, i), type);
}

void iot_mpi_all_w(struct iot_mpi *m, const void *buf, struct iot_mpi_counts counts, const MPI_Datatype *types,
		   struct iot_mpi_counts other_counts, const MPI_Datatype *others_types)
{
	for (int i = 0; known(m) && i < others(m); i++)
		m->size += buf == MPI_IN_PLACE ? bytes(nth(other_counts, i), others_types[i]) : bytes(nth(counts, i), types[i]);
}

/* Those of a grid: two each way, but at its edges. */
static void look_around(struct iot_mpi_comm *on, MPI_Comm comm)
{
	int n, to[2];

	if (iot_pmpi_Cartdim_get(comm, &n) != MPI_SUCCESS)
		return;
	on->near = 2 * n;
	for (int i = 0; i < n && i < 32; i++) {
		if (iot_pmpi_Cart_shift(comm, i, 1, &to[0], &to[1]) != MPI_SUCCESS)
			continue;
		for (int side = 0; side < 2; side++)
			if (to[side] == MPI_PROC_NULL)
				on->edge |= 1ULL << (2 * i + side);
	}
}

/* How many neighbours there are to give something to, on a communicator that has some. */
static int neighbours(struct iot_mpi *m, MPI_Comm comm)
{
	int kind, in, weighted;

	if (!known(m))
		return 0;
	if (m->on->near >= 0)
		return m->on->near;
	m->on->near = 0;
	if (iot_pmpi_Topo_test(comm, &kind) != MPI_SUCCESS)
		return 0;
	if (kind == MPI_CART)
		look_around(m->on, comm);
	else if (kind == MPI_GRAPH)
		iot_pmpi_Graph_neighbors_count(comm, m->on->rank, &m->on->near);
	else if (kind == MPI_DIST_GRAPH)
		iot_pmpi_Dist_graph_neighbors_count(comm, &in, &m->on->near, &weighted);
	return m->on->near;
}

static bool is_there(const struct iot_mpi *m, int i)
{
	return i >= 64 || !(m->on->edge >> i & 1);
}

void iot_mpi_near(struct iot_mpi *m, MPI_Comm comm, MPI_Count count, MPI_Datatype type)
{
	int n = neighbours(m, comm), all = 0;

	for (int i = 0; i < n; i++)
		all += is_there(m, i);
	m->size = all ? (uint64_t)all * bytes(count, type) : 0;
}

void iot_mpi_near_v(struct iot_mpi *m, MPI_Comm comm, struct iot_mpi_counts counts, MPI_Datatype type)
{
	int n = neighbours(m, comm);

	for (int i = 0; i < n; i++)
		if (is_there(m, i))
			m->size += bytes(nth(counts, i), type);
}

void iot_mpi_near_w(struct iot_mpi *m, MPI_Comm comm, struct iot_mpi_counts counts, const MPI_Datatype *types)
{
	int n = neighbours(m, comm);

	for (int i = 0; i < n; i++)
		if (is_there(m, i))
			m->size += bytes(nth(counts, i), types[i]);
}
