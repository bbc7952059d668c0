/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.c - the calls of a set in the order in which they lie in the logs.
 *
 * For sums nobody needs calls merged by time.  A stream's blocks are read one
 * after the other, and each record is decoded where it lies: nothing is sorted,
 * and nothing remembered but what may still turn out not to be a call of its own.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "record.h"
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

struct scan {
	const struct iotr_set *set;
	struct iotr_stream *stream;
	iotr_call_fn *fn;
	void *arg;
	struct iot_block head; /* of the block being read */
	uint64_t first_id;     /* its record at pos has this + pos */
	struct pending *pending;
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

static inline bool on_record(void *arg, const struct iotr_entry *e, const uint64_t *w, size_t n)
{
	struct scan *s = arg;

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
	       iotr_clock_ns(log, ref->base) >= set->choice.to;
}

void iotr_stream_scan(const struct iotr_set *set, struct iotr_stream *stream, iotr_call_fn *fn,
		      void *arg)
{
	struct scan *s = iotr_alloc(sizeof(*s));
	uint64_t *words = NULL;
	struct iotr_in_block in = {0};
	size_t cap = 0, i, n;

	s->set = set;
	s->stream = stream;
	s->fn = fn;
	s->arg = arg;
	s->call.process = stream->process;
	s->call.stream = stream->id;
	s->call.level = stream->level;
	for (i = stream->first_ref; i < stream->n_refs; i++) {
		if (stream->ref[i].passed || is_later(set, stream->log, &stream->ref[i]))
			continue;
		s->first_id = stream->first_id + stream->ref[i].before;
		n = iotr_block_read(stream->log, stream, &stream->ref[i], &s->head, &words, &cap);
		iotr_block_done(stream->log, &stream->ref[i], n,
				iotr_walk(stream->log, &s->head, words, n, on_record, NULL, s, &in),
				&in);
	}
	settle(s, 0, NULL);
	give_slots(s);
	free(words);
	free(s);
}
