/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm.c - communicators: the family mpi.
 *
 * MPI's handles mean nothing to another process.  The log calls a communicator by its
 * processes, as ranks in MPI_COMM_WORLD, and by how many of the same processes there
 * were before: "0-3,8#2", "0,1|2,3#1" between two groups, "world", "self".  All of its
 * processes make it, and those of these processes in the same order, so that all have
 * the same name for it.
 */
#include <string.h>

#include "arena.h"
#include "bytes.h"
#include "iompi.h"
#include "table.h"
#include "text.h"

struct entry {
	uintptr_t key;			/* MPI_Comm; in the second table hash of the processes */
	uint32_t generation;
	uint32_t n;			/* communicators of these processes so far */
	struct iot_mpi_comm *comm;
};

static struct iot_mpi_table comms = { .size = sizeof(struct entry) };
static struct iot_mpi_table groups = { .size = sizeof(struct entry) };
#define MOST_TEXT 3900u			/* of the names of processes: a text can be interned */

static void put_ranks(struct iot_text *x, const int *rank, int n)
{
	for (int i = 0, next; i < n; i = next) {
		int step = rank[i] != MPI_UNDEFINED;

		for (next = i + 1; next < n && rank[next] == rank[next - 1] + step; next++)
			;
		iot_puts(x, i ? "," : "");
		if (!step) {
			iot_puts(x, "?*");
			iot_putu(x, (uint64_t)(next - i));
			continue;
		}
		iot_putu(x, (uint64_t)rank[i]);
		if (next > i + 1) {
			iot_puts(x, next > i + 2 ? "-" : ",");
			iot_putu(x, (uint64_t)rank[next - 1]);
		}
	}
}

/* The processes of a group.  Those of other worlds have no rank in ours. */
static void put_group(struct iot_text *x, MPI_Group group, MPI_Group world)
{
	int n = 0, *ranks = NULL;

	if (iot_pmpi_Group_size(group, &n) == MPI_SUCCESS && n > 0)
		ranks = iot_map(2 * sizeof(int) * (size_t)n);
	for (int i = 0; ranks && i < n; i++)
		ranks[i] = i;
	if (ranks && iot_pmpi_Group_translate_ranks(group, n, ranks, world, ranks + n) == MPI_SUCCESS)
		put_ranks(x, ranks + n, n);
	if (ranks)
		iot_unmap(ranks, 2 * sizeof(int) * (size_t)n);
}

static void put_and_free(struct iot_text *x, MPI_Group group, MPI_Group world)
{
	put_group(x, group, world);
	iot_pmpi_Group_free(&group);
}

/* So many communicators have these processes, with the one that comes now. */
static uint32_t count(const char *processes)
{
	uint64_t hash = iot_hash(processes, (uint32_t)strlen(processes)) | 2;
	struct entry *e = iot_mpi_table_find(&groups, hash);

	if (!e) {
		e = iot_mpi_table_claim(&groups, hash);
		if (!e)
			return 0;
		e->n = 0;
		iot_mpi_table_publish(e, hash);
	}
	return __atomic_add_fetch(&e->n, 1, __ATOMIC_RELAXED);
}

static unsigned first_rank(const char *s)
{
	unsigned n = 0;

	for (; *s >= '0' && *s <= '9'; s++)
		n = n * 10 + (unsigned)(*s - '0');
	return n;
}

/* Both sides call the communicator between two groups the same: the lower rank's first. */
static void order_groups(struct iot_text *x)
{
	char *bar = strchr(x->buf, '|'), *swap = x->buf + x->len + 1;
	size_t first = (size_t)(bar - x->buf), second = x->len - first - 1;

	if (first_rank(x->buf) <= first_rank(bar + 1) || x->len >= MOST_TEXT / 2)
		return;
	memcpy(swap, bar + 1, second);
	swap[second] = '|';
	memcpy(swap + second + 1, x->buf, first);
	memmove(x->buf, swap, x->len);
}

/* MPI_COMM_WORLD need not be there: then there are no ranks to tell. */
static bool get_world(MPI_Group *world)
{
	return iot_mpi_is_there() && iot_pmpi_Comm_group(MPI_COMM_WORLD, world) == MPI_SUCCESS;
}

const char *iot_mpi_group_name(struct iot_mpi *m, MPI_Group group)
{
	struct iot_text x = { .buf = m->type_text, .cap = MOST_TEXT };
	MPI_Group world;

	/* Open MPI takes none for one, and a question about it for an error */
	if (!m->valid || group == MPI_GROUP_NULL || !get_world(&world))
		return NULL;
	put_group(&x, group, world);
	iot_pmpi_Group_free(&world);
	x.buf[x.len] = 0;
	return m->type_text;
}

/* The name, in x, of comm or of one that has the same processes. */
static void put_name(struct iot_text *x, MPI_Comm comm, bool inter, bool another)
{
	MPI_Group world, group;
	uint32_t nth;

	if (!another && (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF)) {
		iot_puts(x, comm == MPI_COMM_WORLD ? "world" : "self");
		return;
	}
	if (!get_world(&world))
		return;
	if (iot_pmpi_Comm_group(comm, &group) == MPI_SUCCESS)
		put_and_free(x, group, world);
	if (inter && iot_pmpi_Comm_remote_group(comm, &group) == MPI_SUCCESS) {
		iot_puts(x, "|");
		put_and_free(x, group, world);
	}
	iot_pmpi_Group_free(&world);
	x->buf[x->len] = 0;
	if (inter && x->len < x->cap)
		order_groups(x);
	nth = count(x->buf);
	iot_puts(x, "#");
	iot_putu(x, nth);
}

/* What is known of a communicator that MPI has found to be one, or of one that has the
   same processes. */
static struct iot_mpi_comm *learn(MPI_Comm comm, bool another)
{
	char buf[IOT_MPI_TEXT];
	struct iot_text x = { .buf = buf, .cap = MOST_TEXT };
	struct iot_mpi_comm *c;
	int inter = 0, remote = 0;

	if (iot_pmpi_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
		return NULL;
	put_name(&x, comm, inter, another);
	c = iot_map(sizeof(*c) + x.len + 1);
	if (!c)
		return NULL;
	memcpy(c->text, buf, x.len);
	c->text[x.len] = 0;
	c->name.text = c->text;
	iot_pmpi_Comm_size(comm, &c->size);
	iot_pmpi_Comm_rank(comm, &c->rank);
	if (inter)
		iot_pmpi_Comm_remote_size(comm, &remote);
	c->remote = remote;
	c->near = -1;
	return c;
}

static void keep(MPI_Comm comm, struct iot_mpi_comm *c)
{
	uintptr_t key = iot_mpi_key((uintptr_t)comm);
	struct entry *e = iot_mpi_table_find(&comms, key);

	if (!e)
		e = iot_mpi_table_claim(&comms, key);
	if (!e)
		return;
	e->comm = c;
	e->generation = iot_each.generation;
	iot_mpi_table_publish(e, key);
}

static struct iot_mpi_comm *find(MPI_Comm comm, bool fresh)
{
	struct entry *e = iot_mpi_table_find(&comms, iot_mpi_key((uintptr_t)comm));
	struct iot_mpi_comm *c;

	if (e && !fresh && e->generation == iot_each.generation)
		return e->comm;
	c = learn(comm, false);
	if (c)
		keep(comm, c);
	return c;
}

void iot_mpi_set_comm(struct iot_mpi *m, struct iot_mpi_comm *c)
{
	m->on = c;
	if (!c)
		return;
	m->comm = &c->name;
	m->comm_size = c->size;
	m->comm_rank = c->rank;
}

void iot_mpi_on_comm(struct iot_mpi *m, MPI_Comm comm)
{
	if (m->valid && comm != MPI_COMM_NULL)
		iot_mpi_set_comm(m, find(comm, false));
}

/* comm will be there when the request is complete, with the processes of the one that
   the call is on.  It has its name now, when all of them have made as many. */
void iot_mpi_comm_comes(struct iot_mpi *m, MPI_Comm on, const MPI_Comm *comm)
{
	if (m->error || !m->on)
		return;
	m->came = learn(on, true);
	m->coming = comm;
	if (m->came)
		m->made = &m->came->name;
}

void iot_mpi_comm_came(const struct iot_mpi_op *op)
{
	if (op->came && *op->coming != MPI_COMM_NULL)
		keep(*op->coming, op->came);
}

void iot_mpi_comm_made(struct iot_mpi *m, const MPI_Comm *comm)
{
	struct iot_mpi_comm *c = NULL;

	if (!m->error && *comm != MPI_COMM_NULL)
		c = find(*comm, true);
	if (c)
		m->made = &c->name;
}

/* Before MPI frees it, which may turn it down: it is only asked for what we know. */
void iot_mpi_comm_goes(struct iot_mpi *m, const MPI_Comm *comm)
{
	struct entry *e = NULL;
	MPI_Comm was;

	if (iot_mpi_fetch(&was, comm, sizeof(was)))
		e = iot_mpi_table_find(&comms, iot_mpi_key((uintptr_t)was));
	if (!e || e->generation != iot_each.generation)
		return;
	iot_mpi_set_comm(m, e->comm);
	if (was != MPI_COMM_WORLD && was != MPI_COMM_SELF)
		iot_mpi_table_publish(e, 0);
}
