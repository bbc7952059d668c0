/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.c - the calls of a set in the order in which they lie in the logs.
 *
 * For sums nobody needs calls merged by time.  A stream's blocks are read one
 * after the other, and each record is decoded where it lies: nothing is sorted,
 * and nothing remembered but what may still turn out not to be a call of its own.
 *
 * Handlers that interrupted the recorder have streams of their own (levels.c).  These are read
 * beside the one that they interrupted, and a call comes before the first one there that ends
 * after it began: so before all that it can be inside of.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "schema.h"
#include "set.h"

/* A record that was stored before its call, which may have come back: then a
   record at the same depth follows, behind those of the calls inside. */
struct pending {
	struct iotr_entry e;
	uint64_t *words;
	struct iot_block head;
	uint64_t first_id;
	struct pending *outer;
};

struct record {
	struct iotr_entry e;
	const uint64_t *words;
	size_t n;
};

struct scan {
	const struct iotr_set *set;
	struct iotr_stream *stream;
	iotr_call_fn *fn;
	void *arg;
	struct iot_block head; /* of the block being read */
	uint64_t first_id;     /* its record at pos has this + pos */
	size_t i_ref;	       /* the block that comes next */
	uint64_t *words;       /* of the block being read */
	size_t cap_words;
	struct pending *pending;
	struct scan *above, *next_above; /* of handlers that interrupted it */
	struct record *waiting; /* of a stream above another one: from its block */
	size_t i_waiting, n_waiting, cap_waiting;
	struct {
		uint64_t start;
		unsigned call;
	} last[IOT_MAX_SLOTS]; /* at each depth that a slot may have */
	struct iotr_call call;
};

static inline void give(struct scan *s, const struct iotr_entry *e, const uint64_t *w,
			const struct iot_block *head, uint64_t first_id)
{
	struct iotr_call *call = &s->call;

	if (!iotr_chosen_schema(s->set, iotr_schema_get(s->stream->log, e->call)) ||
	    (s->stream->log->chosen_files && !iotr_files_record_may_pass(s->set, s->stream->log, w)))
		return;
	iotr_decode(s->stream->log, e, w, call);
	call->id = first_id + e->pos;
	call->pid = head->pid;
	call->tid = head->tid;
	if ((head->flags & IOT_BLOCK_HELPER) && !call->depth)
		call->internal = true;
	call->mpi_own |= !!(head->flags & IOT_BLOCK_MPI);
	if (iotr_chosen_call(s->set, call))
		s->fn(s->arg, call);
}

static void hold(struct scan *s, const struct iotr_entry *e, const uint64_t *w, size_t n)
{
	struct pending *p = iotr_alloc(sizeof(*p));

	p->e = *e;
	p->words = iotr_alloc(n * 8);
	memcpy(p->words, w, n * 8);
	p->head = s->head;
	p->first_id = s->first_id;
	p->outer = s->pending;
	s->pending = p;
}

/* Nothing that is still to come is inside of a call at this depth: those that were
   held are calls that did not return, except the one that e tells the end of. */
static void settle(struct scan *s, unsigned depth, const struct iotr_entry *e)
{
	struct pending *p;

	while ((p = s->pending) && p->e.depth >= depth) {
		s->pending = p->outer;
		if (!e || p->e.start != e->start || p->e.depth != e->depth || p->e.call != e->call)
			give(s, &p->e, p->words, &p->head, p->first_id);
		free(p->words);
		free(p);
	}
}

static inline void take(struct scan *s, const struct iotr_entry *e, const uint64_t *w, size_t n)
{
	if (s->pending)
		settle(s, e->depth, e);
	if (e->depth < IOT_MAX_SLOTS) {
		s->last[e->depth].start = e->start;
		s->last[e->depth].call = e->call;
	}
	if (e->status == IOTR_NORETURN)
		hold(s, e, w, n);
	else
		give(s, e, w, &s->head, s->first_id);
}

static void take_above(struct scan *s, uint64_t until);

static inline bool on_record(void *arg, const struct iotr_entry *e, const uint64_t *w, size_t n)
{
	struct scan *s = arg;

	if (s->above)
		take_above(s, e->start + (e->status == IOTR_NORETURN ? 0 : iot_record_dur(w)));
	take(s, e, w, n);
	return true;
}

static bool on_record_above(void *arg, const struct iotr_entry *e, const uint64_t *w, size_t n)
{
	struct scan *s = arg;

	s->waiting = iotr_grow(s->waiting, &s->cap_waiting, s->n_waiting + 1, sizeof(*s->waiting));
	s->waiting[s->n_waiting++] = (struct record){*e, w, n};
	return true;
}

/* Calls in progress, unless the record of their end is there. */
static void give_slots(struct scan *s)
{
	struct iotr_stream *stream = s->stream;
	unsigned i;

	for (i = stream->n_slots; i-- > 0;) {
		const struct iotr_entry *e = &stream->slots->entry[i];

		if (s->last[e->depth].start == e->start && s->last[e->depth].call == e->call)
			continue;
		if (!iotr_chosen_schema(s->set, iotr_schema_get(stream->log, e->call)))
			continue;
		iotr_slot_decode(stream->log, e, &stream->slots->slot[i], &s->call);
		s->call.id = stream->first_slot_id + i;
		s->call.pid = stream->pid;
		s->call.tid = stream->tid;
		if ((stream->flags & IOT_BLOCK_HELPER) && !e->depth)
			s->call.internal = true;
		s->call.mpi_own |= !!(stream->flags & IOT_BLOCK_MPI);
		if (iotr_chosen_call(s->set, &s->call))
			s->fn(s->arg, &s->call);
	}
}

/* Nothing of it began before its base, but its late records. */
static bool is_later(const struct iotr_set *set, struct iotr_log *log, const struct iotr_ref *ref)
{
	return set->choice.to != UINT64_MAX && !ref->n_late &&
	       iotr_clock_ns(&log->clock, ref->base) >= set->choice.to;
}

/* The next block that is wanted; false: there is none. */
static inline bool read_block(struct scan *s, iotr_record_fn *on)
{
	struct iotr_stream *stream = s->stream;
	struct iotr_in_block in = {0};

	for (; s->i_ref < stream->n_refs; s->i_ref++) {
		struct iotr_ref *ref = &stream->ref[s->i_ref];
		size_t n;

		if (ref->passed || is_later(s->set, stream->log, ref))
			continue;
		s->first_id = stream->first_id + ref->before;
		n = iotr_block_read(stream->log, stream, ref, &s->head, &s->words, &s->cap_words);
		iotr_block_done(stream->log, ref, n,
				iotr_walk(stream->log, &s->head, s->words, n, on, NULL, s, &in), &in);
		s->i_ref++;
		return true;
	}
	return false;
}

/* ---- streams above another one ---- */

/* The record that comes next; NULL: none is left. */
static struct record *first_waiting(struct scan *s)
{
	while (s->i_waiting == s->n_waiting) {
		s->i_waiting = s->n_waiting = 0;
		if (!read_block(s, on_record_above))
			return NULL;
	}
	return &s->waiting[s->i_waiting];
}

/* What began until then. */
static void take_above(struct scan *s, uint64_t until)
{
	struct scan *a;

	for (a = s->above; a; a = a->next_above) {
		struct record *r;

		while ((r = first_waiting(a)) && r->e.start <= until) {
			on_record(a, &r->e, r->words, r->n);
			a->i_waiting++;
		}
		/* also what interrupted it when it had no call any more, or none yet */
		take_above(a, until);
	}
}

static struct scan *begin(const struct iotr_set *set, struct iotr_stream *stream, iotr_call_fn *fn, void *arg)
{
	struct scan *s = iotr_alloc(sizeof(*s)), **above = &s->above;
	struct iotr_stream *a;

	s->set = set;
	s->stream = stream;
	s->fn = fn;
	s->arg = arg;
	s->i_ref = stream->first_ref;
	s->call.process = stream->process;
	s->call.stream = iotr_thread_stream(stream);
	s->call.level = stream->level;
	for (a = stream->above; a; a = a->next_above) {
		*above = begin(set, a, fn, arg);
		above = &(*above)->next_above;
	}
	return s;
}

static void end(struct scan *s)
{
	struct scan *a, *next;

	for (a = s->above; a; a = next) {
		next = a->next_above;
		end(a);
	}
	settle(s, 0, NULL);
	give_slots(s);
	free(s->waiting);
	free(s->words);
	free(s);
}

void iotr_stream_scan(const struct iotr_set *set, struct iotr_stream *stream, iotr_call_fn *fn,
		      void *arg)
{
	struct scan *s = begin(set, stream, fn, arg);

	while (read_block(s, on_record))
		;
	take_above(s, UINT64_MAX);
	end(s);
}
