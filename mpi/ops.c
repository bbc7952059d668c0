/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ops.c - operations that begin in one call and end in another: nonblocking ones,
 * by their requests, and split collectives, by their files.  An operation has a
 * number, which the records of both calls name.
 *
 * Programs wait for requests of other kinds by the million: while no operation on
 * a file is outstanding, that costs them a look at a counter.
 */
#include <string.h>

#include "iompi.h"
#include "table.h"

static struct iot_mpi_table ops = { .size = sizeof(struct iot_mpi_op) };
static uint64_t last_number;
uint32_t iot_mpi_outstanding;

static uint64_t number_next(void)
{
	return __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
}

static void note(struct iot_mpi_op *op, const struct iot_mpi *m, const struct iot_call *c)
{
	op->number = m->op;
	op->start = c->start;
	op->offset = m->offset;
	op->size = m->size;
	op->on = m->on;
	op->peer = m->peer;
	op->tag = m->tag;
	op->receives = m->receives;
	op->coming = m->coming;
	op->came = m->came;
	op->lasting = 0;
	op->by = c->desc;
	op->generation = c->generation;
	op->handle = c->handle;
	op->silent = c->silent;
}

void iot_mpi_split_begun(struct iot_mpi *m, const struct iot_call *c, int ret)
{
	if (ret == MPI_SUCCESS && m->file) {
		m->op = number_next();
		note(&m->file->split, m, c);
	}
}

/* Before the call that ends it. */
void iot_mpi_split_ends(struct iot_mpi *m)
{
	if (!m->file || !m->file->split.number) {
		m->size = IOT_UNKNOWN;
		return;
	}
	iot_mpi_op_ends(m, &m->file->split);
	m->file->split.number = 0;
}

static struct iot_mpi_op *claim(int ret, const MPI_Request *request)
{
	struct iot_mpi_op *op;

	if (ret != MPI_SUCCESS || *request == MPI_REQUEST_NULL)
		return NULL;
	/* one that we did not see end */
	while ((op = iot_mpi_table_find(&ops, (uintptr_t)*request)))
		iot_mpi_op_gone(op);
	return iot_mpi_table_claim(&ops, (uintptr_t)*request);
}

static void publish(struct iot_mpi_op *op, const MPI_Request *request)
{
	iot_mpi_table_publish(op, (uintptr_t)*request);
	__atomic_add_fetch(&iot_mpi_outstanding, 1, __ATOMIC_RELEASE);
}

void iot_mpi_issued(struct iot_mpi *m, const struct iot_call *c, int ret, const MPI_Request *request)
{
	struct iot_mpi_op *op = claim(ret, request);

	if (!op)
		return;
	m->op = number_next();
	note(op, m, c);
	publish(op, request);
}

/* What the request can start is noted: an operation it is once it is started. */
void iot_mpi_lasting(struct iot_mpi *m, const struct iot_call *c, int ret, const MPI_Request *request)
{
	struct iot_mpi_op *op = claim(ret, request);

	if (!op)
		return;
	note(op, m, c);
	op->lasting = (uintptr_t)*request;
	op->active = false;
	publish(op, request);
}

struct iot_mpi_op *iot_mpi_lasting_of(MPI_Request request)
{
	struct iot_mpi_op *op = iot_mpi_table_find(&ops, (uintptr_t)request);

	return op && op->lasting && op->generation == iot_each.generation ? op : NULL;
}

void iot_mpi_op_starts(struct iot_mpi *m, struct iot_mpi_op *op, const struct iot_call *c)
{
	op->number = number_next();
	op->start = c->start;
	op->active = true;
	iot_mpi_op_about(m, op);
}

/* What was begun with that request; NULL: no operation on a file. */
struct iot_mpi_op *iot_mpi_op_of(MPI_Request request)
{
	struct iot_mpi_op *op = iot_mpi_table_find(&ops, (uintptr_t)request);

	return op && op->generation == iot_each.generation && (!op->lasting || op->active) ? op : NULL;
}

/* The same of an address that MPI may yet turn down. */
static bool fetch(MPI_Request *r, const MPI_Request *request)
{
	return iot_unlikely(__atomic_load_n(&iot_mpi_outstanding, __ATOMIC_ACQUIRE)) && iot_mpi_fetch(r, request, sizeof(*r));
}

struct iot_mpi_op *iot_mpi_op_at(const MPI_Request *request)
{
	MPI_Request r;

	return fetch(&r, request) ? iot_mpi_op_of(r) : NULL;
}

/* Takes what the request may start, which it will no more. */
struct iot_mpi_op *iot_mpi_lasting_ends(const MPI_Request *request)
{
	MPI_Request r;
	struct iot_mpi_op *op = fetch(&r, request) ? iot_mpi_lasting_of(r) : NULL;

	if (op) {
		iot_mpi_op_take(op);
		op->lasting = 0;
	}
	return op;
}

void iot_mpi_op_take(struct iot_mpi_op *op)
{
	iot_mpi_table_publish(op, IOT_MPI_CLAIMED);
}

void iot_mpi_op_back(struct iot_mpi_op *op, MPI_Request request)
{
	if (request == MPI_REQUEST_NULL)
		iot_mpi_op_forget(op);
	else
		iot_mpi_table_publish(op, (uintptr_t)request);
}

void iot_mpi_op_gone(struct iot_mpi_op *op)
{
	iot_mpi_table_publish(op, 0);
	__atomic_sub_fetch(&iot_mpi_outstanding, 1, __ATOMIC_RELAXED);
}

/* The operation has ended.  Its request is as good as before if it lasts. */
void iot_mpi_op_forget(struct iot_mpi_op *op)
{
	op->active = false;
	if (op->lasting)
		iot_mpi_table_publish(op, op->lasting);
	else
		iot_mpi_op_gone(op);
}

/* The record of this call is that of the operation's end. */
void iot_mpi_op_ends(struct iot_mpi *m, const struct iot_mpi_op *op)
{
	iot_mpi_op_about(m, op);
	m->elapsed = op->start;
}

static struct iot_kept *name_of(const struct iot_desc *desc)
{
	static struct {
		struct iot_kept kept;
		char text[40];
	} names[IOT_MPI_LAST - IOT_MPI_FIRST + 1], *e;
	const char *name;

	e = &names[desc->id - IOT_MPI_FIRST];
	if (iot_likely(__atomic_load_n(&e->kept.text, __ATOMIC_ACQUIRE)))
		return &e->kept;
	name = strchr(desc->schema, ' ') + 1;
	for (uint32_t i = 0; i < sizeof(e->text) - 1 && name[i] != ' '; i++)
		e->text[i] = name[i];
	__atomic_store_n(&e->kept.text, e->text, __ATOMIC_RELEASE);
	return &e->kept;
}

/* The record of this call says what the operation is. */
void iot_mpi_op_about(struct iot_mpi *m, const struct iot_mpi_op *op)
{
	m->issued = name_of(op->by);
	m->offset = op->offset;
	m->size = op->size;
	m->op = op->number;
	if (!op->on)
		return;
	iot_mpi_set_comm(m, op->on);
	m->peer = op->peer;
	m->tag = op->tag;
}
