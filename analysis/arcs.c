/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arcs.c - operations from the call that issues one to what completes it: of POSIX AIO, Linux
 * AIO, io_uring and nonblocking MPI-IO.
 *
 * An operation has one number within its process.  Calls come by start, so the issue comes
 * first.  What was issued is kept until it is complete.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "draw.h"

struct issued {
	struct iota_op op; /* first, for iota_op_by_number */
	uint64_t dur;
	size_t file;
	uint32_t lane;
};

static int earlier(const void *a, const void *b)
{
	const struct iota_arc *x = a, *y = b;

	return x->issued < y->issued ? -1 : x->issued > y->issued;
}

static int longer(const void *a, const void *b)
{
	const struct iota_arc *x = a, *y = b;
	uint64_t n = x->ended - x->issued, m = y->ended - y->issued;

	if (n != m)
		return n > m ? -1 : 1;
	return earlier(a, b);
}

static void leave_longest(struct iota_picture *p)
{
	struct iota_arcs *arcs = &p->arcs;

	qsort(arcs->arc, arcs->n, sizeof(*arcs->arc), longer);
	arcs->n = p->o.arcs;
}

/* There is room for twice as many as are wanted, and at times the shorter half goes. */
void iota_arc_keep(struct iota_picture *p, struct iota_arc arc)
{
	struct iota_arcs *arcs = &p->arcs;

	arcs->seen++;
	if (!p->o.arcs)
		return;
	if (arcs->n == 2 * p->o.arcs)
		leave_longest(p);
	arcs->arc = iota_grow(arcs->arc, arcs->n + 1, sizeof(*arcs->arc));
	arcs->arc[arcs->n++] = arc;
}

static void begin(struct iota_picture *p, const struct iota_sample *s, uint64_t number, size_t file, uint32_t lane)
{
	struct issued *i = iota_malloc(sizeof(*i)), *there;

	*i = (struct issued){iota_op_of(s->call, number), s->time, file, lane};
	there = iota_tree_add(&p->arcs.tree, i, iota_op_by_number);
	if (there == i)
		return;
	/* a damaged log may have a number twice */
	*there = *i;
	free(i);
}

/* How long threads were in the calls that began and completed it: MPI's return when it is complete.
   A completion of others is a moment. */
static uint64_t time_in_calls(const struct issued *i, const struct iota_sample *s, uint64_t ended)
{
	uint64_t in = i->dur + s->time, all = ended - i->op.start;

	return in < all ? in : all;
}

static void end(struct iota_picture *p, const struct iota_sample *s, uint64_t number, uint32_t lane)
{
	const struct iotr_call *call = s->call;
	const struct iota_op wanted = iota_op_of(call, number);
	struct issued **at = tfind(&wanted, &p->arcs.tree, iota_op_by_number), *i;
	struct iota_lane *l;
	uint64_t ended, since = iota_word(call, IOTR_KIND_SINCE);

	if (!at)
		return; /* a multishot request of an io_uring ends more than once */
	i = *at;
	ended = call->start + s->time;
	/* the completion knows better than the record of the issue when that was */
	if (since && since <= ended)
		i->op.start = ended - since;
	if (ended < i->op.start)
		ended = i->op.start;
	iota_arc_keep(p, (struct iota_arc){i->op.start, ended, i->op.call, i->file, i->op.size, i->lane, lane, call->err});
	l = &p->lane[i->lane];
	if (!strcmp(i->op.family, "mpiio")) {
		l->operations++;
		l->in_flight += ended - i->op.start;
		l->blocked += time_in_calls(i, s, ended);
	}
	tdelete(i, &p->arcs.tree, iota_op_by_number);
	free(i);
}

void iota_arcs_add(struct iota_picture *p, const struct iota_sample *s, size_t file, uint32_t lane)
{
	uint64_t number;

	if (iota_op_begins(s->call, &number))
		begin(p, s, number, file, lane);
	if (iota_op_ends(s->call, &number))
		end(p, s, number, lane);
}

void iota_arcs_end(struct iota_picture *p)
{
	struct iota_arcs *arcs = &p->arcs;

	if (arcs->n > p->o.arcs)
		leave_longest(p);
	if (arcs->n)
		qsort(arcs->arc, arcs->n, sizeof(*arcs->arc), earlier);
}

void iota_arcs_free(struct iota_picture *p)
{
	tdestroy(p->arcs.tree, free);
	free(p->arcs.arc);
}
