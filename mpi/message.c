/* SPDX-License-Identifier: BSD-3-Clause */
/* message.c - from whom messages are, to whom, and with which tag: the family mpi. */
#include "iompi.h"
#include "table.h"

/* One that was found, and is still to be received. */
struct entry {
	uintptr_t key;			/* MPI_Message */
	uint32_t generation;
	struct iot_mpi_comm *on;
	int peer, tag;
};

static struct iot_mpi_table messages = { .size = sizeof(struct entry) };

int iot_mpi_rank(int rank)
{
	return rank == MPI_ANY_SOURCE ? -1 : rank == MPI_PROC_NULL ? -2 : rank == MPI_ROOT ? -3 : rank;
}

int iot_mpi_tag(int tag)
{
	return tag == MPI_ANY_TAG ? -1 : tag;
}

/* Of a nonblocking message. */
void iot_mpi_with(struct iot_mpi *m, int peer, int tag)
{
	m->peer = iot_mpi_rank(peer);
	m->tag = tag == IOT_MPI_NONE ? tag : iot_mpi_tag(tag);
}

/* The end of an operation, whose status says something of what was received alone. */
void iot_mpi_ended(struct iot_mpi *m, const struct iot_mpi_op *op, MPI_Status *status)
{
	if (m->error)
		return;
	if (!op->on || op->receives)
		iot_mpi_moved(m, status);
	else
		m->result = (long)op->size;
	if (op->on && op->receives) {
		m->peer = iot_mpi_rank(status->MPI_SOURCE);
		m->tag = iot_mpi_tag(status->MPI_TAG);
	}
	iot_mpi_comm_came(op);
}

/* What came: from whom, with which tag, and how many bytes. */
void iot_mpi_received(struct iot_mpi *m, MPI_Status *status)
{
	if (m->error)
		return;
	m->received = true;
	m->peer = iot_mpi_rank(status->MPI_SOURCE);
	m->tag = iot_mpi_tag(status->MPI_TAG);
	iot_mpi_moved(m, status);
}

/* A call that finds messages has found this one. */
void iot_mpi_match(struct iot_mpi *m, const MPI_Message *message)
{
	struct entry *e;
	uintptr_t key;

	if (m->error || !m->on || *message == MPI_MESSAGE_NULL || *message == MPI_MESSAGE_NO_PROC)
		return;
	key = iot_mpi_key((uintptr_t)*message);
	e = iot_mpi_table_find(&messages, key);
	if (!e)
		e = iot_mpi_table_claim(&messages, key);
	if (!e)
		return;
	e->generation = iot_each.generation;
	e->on = m->on;
	e->peer = m->peer;
	e->tag = m->tag;
	iot_mpi_table_publish(e, key);
}

/* It is received: before MPI is called, which may find the next under that handle for
   another thread. */
void iot_mpi_matched(struct iot_mpi *m, const MPI_Message *message)
{
	struct entry *e = NULL;
	MPI_Message was;

	if (iot_mpi_fetch(&was, message, sizeof(was)))
		e = iot_mpi_table_find(&messages, iot_mpi_key((uintptr_t)was));
	if (!e || e->generation != iot_each.generation)
		return;
	iot_mpi_set_comm(m, e->on);
	m->peer = e->peer;
	m->tag = e->tag;
	iot_mpi_table_publish(e, 0);
}
