/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arcs.c - operations from the call that issues one to what completes it: of POSIX AIO, Linux
 * AIO, io_uring and nonblocking MPI-IO.
 *
 * An operation has one number within its process.  Calls come by start.  What comes first of an
 * operation is kept until the other half comes, which is the issue where another thread learned
 * that the operation was complete before the call that issued it was back.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "draw.h"

struct half {
	struct iota_op op; /* first, for iota_op_other(); op.begun: it is the issue */
	uint64_t dur, since; /* since: ns from the issue to the end, as the end says; 0 */
	size_t file;
	uint32_t lane;
	int err;
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

/* How long threads were in the calls that began and completed it: MPI's return when it is complete.
   A completion of others is a moment. */
static uint64_t time_in_calls(const struct half *issue, const struct half *end, uint64_t in_flight)
{
	uint64_t in = issue->dur + end->dur;

	return in < in_flight ? in : in_flight;
}

static void draw(struct iota_picture *p, const struct half *issue, const struct half *end)
{
	const uint64_t ended = end->op.start + end->dur, since = end->since;
	struct iota_lane *l = &p->lane[issue->lane];
	uint64_t begun = issue->op.start;

	/* the completion knows better than the record of the issue when that was */
	if (since && since <= ended)
		begun = ended - since;
	if (begun > ended)
		begun = ended;
	iota_arc_keep(p, (struct iota_arc){begun, ended, issue->op.call, issue->file, issue->op.size, issue->lane,
					   end->lane, end->err});
	if (strcmp(issue->op.family, "mpiio") != 0)
		return;
	l->operations++;
	l->in_flight += ended - begun;
	l->blocked += time_in_calls(issue, end, ended - begun);
}

static void add_half(struct iota_picture *p, const struct half *new)
{
	struct half *h = iota_malloc(sizeof(*h)), *other;

	*h = *new;
	other = iota_op_other(&p->arcs.tree, h);
	if (!other)
		return;
	draw(p, h->op.begun ? h : other, h->op.begun ? other : h);
	free(h);
	free(other);
}

void iota_arcs_add(struct iota_picture *p, const struct iota_sample *s, size_t file, uint32_t lane)
{
	struct half h = {.dur = s->time, .file = file, .lane = lane, .err = s->call->err};
	uint64_t number;

	if (iota_op_begins(s->call, &number)) {
		h.op = iota_op_of(s->call, number);
		h.op.begun = true;
		add_half(p, &h);
	}
	if (iota_op_ends(s->call, &number)) {
		h.op = iota_op_of(s->call, number);
		h.since = iota_word(s->call, IOTR_KIND_SINCE);
		add_half(p, &h);
	}
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
