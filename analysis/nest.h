/* SPDX-License-Identifier: BSD-3-Clause */
/* nest.h - what calls have inside of them.  They come thread by thread, inner ones first. */
#ifndef IOTA_NEST_H
#define IOTA_NEST_H

#include <string.h>

#include "internal.h"

static inline void iota_forget_deeper(struct iota_nest *nest, unsigned n)
{
	while (nest->n > n)
		nest->by_depth[--nest->n] = (struct iota_inside){0};
}

static inline void iota_add_inside(struct iota_inside *to, const struct iota_inside *more)
{
	to->time += more->time;
	to->lib_moved += more->lib_moved;
	to->own += more->own;
	to->opens += more->opens;
	to->transfers += more->transfers;
	if (more->from && (!to->from || more->from < to->from))
		to->from = more->from;
	if (more->last > to->last)
		to->last = more->last;
}

/* It is itself inside of the call around it, and nothing is inside of the next one at its depth. */
static inline void iota_pass_on(struct iota_nest *nest, struct iota_inside *inside, const struct iota_inside *more)
{
	struct iota_inside *around = inside - 1;

	/* around the outermost calls is none */
	if (around != nest->by_depth) {
		iota_add_inside(around, more);
		if (around != nest->handler)
			nest->latest[around - nest->by_depth][around->n++ % IOTA_LATEST] = *more;
	}
	if (inside->from | inside->n)
		*inside = (struct iota_inside){0};
}

/* Calls of handlers that came when this call was over, and still in the way, are inside of the
   one around it.  Of very many of them some are not. */
static inline void iota_pass_on_later(struct iota_nest *nest, struct iota_inside *inside, uint64_t end)
{
	const struct iota_inside *latest = nest->latest[inside - nest->by_depth], was = *inside;
	struct iota_inside rest = was;
	uint64_t i;

	if (was.from > end) {
		iota_pass_on(nest, inside, &was);
		return;
	}
	for (i = 0; i < was.n && i < IOTA_LATEST; i++) {
		if (latest[i].from <= end)
			continue;
		rest.time -= latest[i].time;
		rest.lib_moved -= latest[i].lib_moved;
		rest.opens -= latest[i].opens;
		rest.transfers -= latest[i].transfers;
		rest.own -= latest[i].own;
		iota_pass_on(nest, inside, &latest[i]);
	}
	*inside = rest;
}

/* Calls of handlers that interrupted the recorder, and that this call is around.  None of
   those that end before it can be inside of what is still to come, if nothing is around it. */
static inline void iota_take_apart(struct iota_nest *nest, const struct iotr_call *call, uint64_t end,
				   struct iota_inside *inside)
{
	size_t i, n = 0;

	for (i = 0; i < nest->n_apart; i++) {
		const struct iota_apart *p = &nest->apart[i];

		if (p->depth > call->depth && call->start <= p->start && p->start <= end)
			iota_add_inside(inside, &p->inside);
		else if (call->depth || p->start > end)
			nest->apart[n++] = *p;
	}
	nest->n_apart = n;
}

/* What is inside of this call, which ends now. */
static inline struct iota_inside *iota_inside_of(struct iota_nest *nest, const struct iotr_call *call)
{
	unsigned d = call->depth < IOTA_DEPTHS ? call->depth : IOTA_DEPTHS - 1;
	bool timed = call->status == IOTR_FINISHED && !call->inferred;
	uint64_t end = call->start + (timed ? call->dur : 0);
	struct iota_inside *inside = &nest->by_depth[d + 1];

	if (call->log != nest->log || call->stream != nest->stream) {
		nest->log = call->log;
		nest->stream = call->stream;
		nest->n_apart = 0;
		iota_forget_deeper(nest, 0);
	}
	if (call->level) {
		memset(nest->handler, 0, sizeof(nest->handler));
		inside = &nest->handler[1];
	} else {
		/* calls around those have not come */
		iota_forget_deeper(nest, d + 2);
		nest->n = d + 2;
		if (timed && inside->last > end)
			iota_pass_on_later(nest, inside, end);
	}
	if (nest->n_apart)
		iota_take_apart(nest, call, end, inside);
	return inside;
}

/* Until the call has come that it is inside of.  If too many wait, the first is taken to be inside
   of the next call that can be around it. */
static inline void iota_set_apart(struct iota_nest *nest, const struct iotr_call *call)
{
	const struct iota_apart *first = &nest->apart[0];

	if (nest->n_apart == sizeof(nest->apart) / sizeof(nest->apart[0])) {
		if (nest->n)
			iota_add_inside(&nest->by_depth[first->depth < nest->n ? first->depth : nest->n - 1],
					&first->inside);
		memmove(nest->apart, first + 1, --nest->n_apart * sizeof(*first));
	}
	nest->apart[nest->n_apart++] = (struct iota_apart){call->start, call->depth, nest->handler[0]};
}

#endif
