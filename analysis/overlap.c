/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap.c - nonblocking operations that are waited for as soon as they have begun.
 *
 * Of each thread the last operation is kept, until it is completed or another call comes
 * between: then it may run beside that.  Asking whether it has ended is part of waiting for it.
 * While a second one is under way the two run beside each other.  Of requests to the kernel's queues
 * it is counted which had no other beside them.
 */
#include "config.h"

#include "spots.h"
#include "watch.h"

#define AT_ONCE 10 /* the time between the calls is less than one in so many of theirs, */
#define LITTLE 100000 /* and too short to have computed anything, ns */

enum role { OTHER, BEGINS, ASKS, WAITS };

static enum role role_of(const char *name)
{
	static const struct {
		const char *name;
		size_t len; /* 0: all of it */
		enum role role;
	} names[] = {
		{"MPI_File_iread", 14, BEGINS}, {"MPI_File_iwrite", 15, BEGINS}, {"aio_read", 0, BEGINS},
		{"aio_write", 0, BEGINS},	{"MPI_Wait", 8, WAITS},		 {"aio_suspend", 0, WAITS},
		{"aio_return", 0, WAITS},	{"MPI_Test", 8, ASKS},		 {"aio_error", 0, ASKS},
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].len ? !strncmp(name, names[i].name, names[i].len) : !strcmp(name, names[i].name))
			return names[i].role;
	return OTHER;
}

bool iota_overlap_knows(const char *call)
{
	return role_of(call) != OTHER;
}

/* Is it about another operation of MPI's than the last one?  Some calls do not say. */
static bool about_another(const struct iota_pending *p, const struct iotr_call *call)
{
	uint64_t number;

	return iota_param(call, IOTR_KIND_MPIDONE, &number) && number && p->number && number != p->number;
}

static void begin(struct iota_pending *p, const struct iota_sample *s, struct iota_spot *spot)
{
	const struct iotr_call *call = s->call;

	/* what is inside of this call it has begun itself */
	if (p->spot && p->depth <= call->depth)
		p->several = true;
	p->spot = NULL;
	if (p->several || !spot || s->failed || !s->timed)
		return;
	*p = (struct iota_pending){.spot = spot,
				   .log = call->log,
				   .stream = call->stream,
				   .depth = call->depth,
				   .end = call->start + call->dur,
				   .time = call->dur};
	if (!iota_param(call, IOTR_KIND_MPIOP, &p->number))
		p->number = 0;
}

static void end(struct iota *a)
{
	struct iota_pending *p = &a->pending;

	if (p->spot && p->between * AT_ONCE <= p->time && p->between < LITTLE) {
		iota_spot_plus(a, p->spot, IOTA_S_AT_ONCE, 1);
		iota_spot_plus(a, p->spot, IOTA_S_AT_ONCE_TIME, p->waited);
	}
	p->spot = NULL;
	p->several = false;
}

static void see(struct iota *a, const struct iota_sample *s, enum role role)
{
	struct iota_pending *p = &a->pending;
	const struct iotr_call *call = s->call;

	if (!s->timed || about_another(p, call)) {
		p->spot = NULL;
		return;
	}
	p->between += call->start > p->end ? call->start - p->end : 0;
	p->end = call->start + call->dur;
	p->time += call->dur;
	p->waited += call->dur;
	if (role == WAITS)
		end(a);
}

/* A request of an io_uring or of io_submit(2), or its end, as the thread learns of it. */
static void see_queued(struct iota *a, const struct iota_sample *s, struct iota_spot *spot)
{
	struct iota_queued *q = &a->queued;
	const struct iotr_call *call = s->call;
	uint64_t number;

	if (q->log != call->log || q->stream != call->stream)
		*q = (struct iota_queued){.log = call->log, .stream = call->stream};
	if (iota_op_begins(call, &number)) {
		q->n++;
	} else if (iota_op_ends(call, &number) && q->n) {
		if (q->n == 1 && s->does && spot)
			iota_spot_plus(a, spot, IOTA_S_ALONE, 1);
		q->n--;
	}
}

void iota_overlap_see(struct iota *a, const struct iota_sample *s, struct iota_spot *spot)
{
	struct iota_pending *p = &a->pending;
	const struct iotr_call *call = s->call;
	enum role role;

	/* MPI's requests are in no queue of the kernel's */
	if (call->schema->flags & IOTR_CALL_OPS && !s->kind->nonblocking)
		see_queued(a, s, spot);
	if (p->log != call->log || p->stream != call->stream)
		*p = (struct iota_pending){.log = call->log, .stream = call->stream};
	if ((p->spot && call->depth > p->depth) || call->mpi_own)
		return;
	if (!p->spot && !s->kind->nonblocking)
		return;
	role = s->kind->nonblocking ? role_of(call->schema->name) : OTHER;
	if (role == BEGINS)
		begin(p, s, spot);
	else if (role == OTHER)
		p->spot = NULL;
	else if (p->spot)
		see(a, s, role);
	else if (role == WAITS)
		p->several = false;
}
