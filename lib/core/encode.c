/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * encode.c - the record of a call is written, in one of the forms that iotrace-record.h
 * has: from what iot_enter noted (struct iot_call) and what the call's arguments and result
 * say (struct iot_draft).
 */
#include "encode.h"

#include "hot.h"
#include "places.h"
#include "thread.h"
#include "window.h"

/* Calls that were being begun when a handler came may have taken the time before
   that: they began after it. */
static void settle_starts(struct iot_thread *t, uint32_t depth)
{
	for (uint32_t i = t->outer; i < depth && i < IOT_MAX_SLOTS; i++)
		if (t->late >> i & 1 && iot_slots(t)[i].start && iot_slots(t)[i].start < t->late_start)
			iot_slots(t)[i].start = t->late_start;
}

uint64_t iot_start_settled(struct iot_thread *t, const struct iot_call *c)
{
	uint64_t start;

	settle_starts(t, c->depth + 1);
	start = iot_slots(t)[c->depth].start;
	return start > c->start ? start : c->start;
}

/* What of a call a compact record says, beside its times; false if it has more to tell. */
struct compact {
	uint64_t size, low40;
	bool fixed;
};

static bool is_compact(const struct iot_call *c, const struct iot_draft *d, uint64_t ret, struct compact *x)
{
	const bool no_offset = d->offset == IOT_UNKNOWN;

	*x = (struct compact){ d->size, d->offset, false };
	switch ((enum iot_result)c->desc->result) {
	case IOT_R_TEXT:
		*x = (struct compact){ ret, d->size, true };
		return !d->argc && d->present & IOT_HAS_SIZE && no_offset && ret != ~0ULL && !(d->size >> 32);
	case IOT_R_BYTES:
		if (!(d->present & IOT_HAS_SIZE))
			x->size = ret;
		return !d->argc && ret == x->size && (no_offset || d->offset < IOT_NO_OFFSET40);
	case IOT_R_STATUS:
	case IOT_R_ERRCODE:
	case IOT_R_EOF:
		/* the size of those that have one, 0 of the others */
		return !d->argc && ret == d->size && (no_offset || d->offset < IOT_NO_OFFSET40);
	case IOT_R_NONNEG:
		return !d->argc && d->present & IOT_HAS_SIZE && no_offset &&
		       (int64_t)ret == iot_text_result(d->size, c->desc->kind[0] == IOT_K_LINE);
	case IOT_R_CHAR:
	case IOT_R_CHARS:
		x->size = ret;
		return !d->argc && !(d->present & IOT_HAS_SIZE) && no_offset;
	case IOT_R_ITEMS:
		if (d->argc != 1 || !no_offset)
			return false;
		x->low40 = d->word[0];
		x->fixed = true;
		return x->low40 && !((x->low40 | ret) >> 32) && ret * x->low40 == d->size;
	case IOT_R_POS:
		if (d->argc != 2 || c->desc->effect != IOT_E_SEEK)
			return false;
		x->size = iot_seek((int64_t)ret, (int64_t)d->word[0], (int)d->word[1]);
		x->low40 = ret;
		return true;
	default:
		return false;
	}
}

/* Most calls that took the slow way, for being nested or the like, can have the short
   record all the same.  Returns false if this one can't. */
static bool store_compact(struct iot_thread *t, const struct iot_call *c, uint32_t depth,
			  const struct iot_draft *d, uint64_t dur, uint64_t ret, uint32_t status)
{
	struct compact x;
	uint64_t dt;

	if (status || c->err || d->present & IOT_HAS_CACHE || !(d->present & IOT_HAS_RET) || depth >= IOT_DEPTH_MAX || !is_compact(c, d, ret, &x) ||
	    (dur | x.size | (uint64_t)c->handle << 16 | (uint64_t)c->stack << 8) >> 32)
		return false;
	iot_reserve(t, 3);
	dt = c->start - t->base;
	if (dt >> 32)
		return false;
	iot_put_compact(t,
			c->desc->id | c->internal | depth << IOT_DEPTH_SHIFT |
				c->handle << IOT_HANDLE_SHIFT,
			dt, dur, x.size, x.low40 & IOT_NO_OFFSET40, c->stack, x.fixed);
	return true;
}

/* A handler's call, at that place, came before some that it interrupted had begun.
   The new base takes those off the fast way, should they have an earlier start. */
static void begin_later(struct iot_thread *t, uint32_t place)
{
	settle_starts(t, place);
	t->late = 0;
	for (uint32_t i = t->outer; i < place && i < IOT_MAX_SLOTS; i++)
		t->late |= (uint32_t)!iot_slots(t)[i].start << i & ~t->vacant;
	if (!t->late)
		return;
	t->late_start = iot_ticks();
	iot_rebase(t, t->late_start);
}

void iot_encode(struct iot_thread *t, const struct iot_call *c, const struct iot_draft *d, uint64_t end,
		uint64_t ret, int err, uint32_t status)
{
	uint32_t present = d->present, words, depth = iot_depth_of(t, c->depth);
	uint64_t dur = end - c->start, *p, *q;

	/* a request to a ring may be older than the base: its call began it */
	if ((int64_t)(end - t->base) > (int64_t)t->limit)
		iot_rebase(t, c->start > t->base ? c->start : end);
	if (store_compact(t, c, depth, d, dur, ret, status)) {
		if (iot_unlikely(depth < c->depth))
			begin_later(t, c->depth);
		return;
	}
	if (d->offset != IOT_UNKNOWN)
		present |= IOT_HAS_OFFSET;
	if (dur >> 32)
		present |= IOT_HAS_DUR;
	/* iot_reserve may begin a new block and with it a new base: room for all */
	p = iot_reserve(t, 4 + 8 + d->words);
	if (c->start < t->base || (c->start - t->base) >> 32)
		present |= IOT_HAS_START;
	q = p + 4;
	if (present & IOT_HAS_START)
		*q++ = c->start;
	if (present & IOT_HAS_DUR)
		*q++ = dur;
	if (present & IOT_HAS_SIZE)
		*q++ = d->size;
	if (present & IOT_HAS_OFFSET)
		*q++ = d->offset;
	if (present & IOT_HAS_RET)
		*q++ = ret;
	if (present & IOT_HAS_CACHED)
		*q++ = d->cached;
	if (present & IOT_HAS_FETCHED)
		*q++ = d->fetched;
	if (present & IOT_HAS_DIRTIED)
		*q++ = d->dirtied;
	for (uint32_t i = 0; i < d->argc; i++) {
		if (d->text[i].s)
			q = iot_put_bytes(q, d->text[i].s, d->text[i].len);
		else
			*q++ = d->word[i];
	}
	words = (uint32_t)(q - p);
	p[0] = c->desc->id | IOT_GENERAL << IOT_FORM_SHIFT | c->internal |
	       (uint64_t)(depth < IOT_DEPTH_MAX ? depth : IOT_DEPTH_MAX) << IOT_DEPTH_SHIFT |
	       (uint64_t)(c->handle & 0xffff) << IOT_HANDLE_SHIFT |
	       (present & IOT_HAS_START ? 0 : (c->start - t->base) << IOT_DT_SHIFT);
	p[1] = iot_general_word1(present & IOT_HAS_DUR ? 0 : (uint32_t)dur, words, present);
	p[2] = c->handle | (uint64_t)c->stack << 32;
	p[3] = iot_general_word3((uint32_t)err, depth, status, d->argc);
	if (c->start < t->block_base)
		t->win->n_late = ++t->n_late;
	iot_commit(t, words);
	if (iot_unlikely(depth < c->depth))
		begin_later(t, c->depth);
}
