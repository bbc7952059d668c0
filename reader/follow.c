/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow.c - calls of logs that are being written, by start.
 *
 * After each look at the logs, what is known of a stream is: its records so far,
 * and its calls in progress.  What will still come of it are the ends of these, and
 * calls that begin later than the look.  So a record may be given if it began
 * before the look and nothing that began earlier is in progress - or has been for
 * so long that waiting for it makes no sense.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blocks.h"
#include "clock.h"
#include "define.h"
#include "heap.h"
#include "live.h"
#include "set.h"
#include "starve.h"

#define MS 1000000u

/* No call in progress holds others back for longer. */
#define SETTLE (1000 * MS)
/* A thread may lose the processor after it has read the clock, and before it stores that the call has
   begun.  So what is known of the last MARGIN before a look is not relied on yet. */
#define MARGIN (20 * MS)
/* How often a look is taken at what the process does, if nothing comes of its log. */
#define CHECK (500 * MS)

#define PAUSE_MIN 10
#define PAUSE_MAX 200

struct iotr_follow {
	struct iotr_set *set;
	struct iotr_watch *watch;
	uint64_t blocked, settle;
	struct iotr_node *heap;
	size_t n_heap, cap_heap;
	int pause; /* ms */
	bool held; /* there are calls that can't be given yet */
	bool stopped, ended;
	uint64_t n_given; /* which is the last call's id: in a log that grows, the places of records are not known */
	struct iotr_call call;
};

static int watch(struct iotr_follow *f, iotr_message_fn *fn, void *arg)
{
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard))
		return -1;
	f->watch = iotr_watch_new(f->set, fn, arg);
	iotr_guard_end(&guard);
	return 0;
}

struct iotr_follow *iotr_follow_new(uint64_t blocked, iotr_message_fn *fn, void *arg)
{
	struct iotr_follow *f = calloc(1, sizeof(*f));

	if (f)
		f->set = iotr_set_new(fn, arg);
	if (!f || !f->set || watch(f, fn, arg) < 0) {
		iotr_set_free(f ? f->set : NULL);
		free(f);
		iotr_say_starved(fn, arg, "the logs");
		return NULL;
	}
	f->blocked = blocked;
	f->settle = blocked < SETTLE ? blocked : SETTLE;
	f->pause = PAUSE_MIN;
	return f;
}

static int add(struct iotr_follow *f, const char *path, bool below)
{
	int got;
	struct iotr_guard guard;

	if (iotr_set_failed(f->set) || !IOTR_TRY(&guard))
		return iotr_starved(f->set);
	got = iotr_watch_add(f->watch, path, below);
	iotr_guard_end(&guard);
	return got;
}

int iotr_follow_add(struct iotr_follow *f, const char *path)
{
	return add(f, path, false);
}

int iotr_follow_add_below(struct iotr_follow *f, const char *path)
{
	return add(f, path, true);
}

struct iotr_set *iotr_follow_set(struct iotr_follow *f)
{
	return f->set;
}

void iotr_follow_free(struct iotr_follow *f)
{
	if (!f)
		return;
	iotr_watch_free(f->watch);
	iotr_set_free(f->set);
	free(f->heap);
	free(f);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Now, as the log counts time: logs follow the monotonic clock. */
static uint64_t now_in(const struct iotr_log *log)
{
	if (log->where != IOTR_HERE || (!log->clock.n_seg && !log->clock.boot))
		return clock_ns(CLOCK_REALTIME);
	return clock_ns(CLOCK_MONOTONIC) + (uint64_t)log->clock.to_real;
}

/* How long before the last look at the log this was.  What happened since then, maybe while much was
   printed, is not known.  Clocks may differ a little. */
static uint64_t age(const struct iotr_log *log, uint64_t ns)
{
	return log->looked > ns ? log->looked - ns : 0;
}

/* ---- calls that others do not wait for ---- */

static struct iotr_passed *find_passed(const struct iotr_stream *s, uint64_t start, unsigned depth)
{
	size_t i;

	for (i = 0; i < s->n_passed; i++)
		if (s->passed[i].start == start && s->passed[i].depth == depth)
			return &s->passed[i];
	return NULL;
}

static void drop_passed(struct iotr_stream *s, struct iotr_passed *p)
{
	*p = s->passed[--s->n_passed];
}

/* Has a slot this call still? */
static bool in_slots(const struct iot_slot *slot, uint64_t start, unsigned depth)
{
	unsigned i, at = 0;

	for (i = 0; i < IOT_MAX_SLOTS; i++) {
		if (iotr_slot_vacant(&slot[i]))
			continue;
		if (at++ == depth)
			return slot[i].start == start;
	}
	return false;
}

/* Drops the calls in progress whose slots are free by now: their records came in the round that ends
   now, or are lost. */
static void expire_passed(struct iotr_stream *s)
{
	size_t i;

	for (i = s->n_passed; i-- > 0;) {
		struct iotr_passed *p = &s->passed[i];

		if (p->gone)
			drop_passed(s, p);
		else
			p->gone = !s->has_window || !in_slots(s->now->slot, p->start, p->depth);
	}
}

/* Gives the stream the slots of its calls in progress, but for those that were passed and need not be
   shown yet. */
static void put_slots(struct iotr_follow *f, struct iotr_stream *s)
{
	struct iot_slot slot[IOT_MAX_SLOTS];
	unsigned i, depth = 0;

	expire_passed(s);
	if (!s->has_window) {
		iotr_slots_put(s, NULL, 0);
		return;
	}
	memcpy(slot, s->now->slot, sizeof(slot));
	for (i = 0; i < IOT_MAX_SLOTS && s->n_passed && !f->stopped; i++) {
		struct iotr_passed *p;

		if (iotr_slot_vacant(&slot[i]))
			continue;
		p = find_passed(s, slot[i].start, depth++);
		if (p && (p->shown || age(s->log, p->ns) < f->blocked))
			slot[i].start = 0;
	}
	iotr_slots_put(s, slot, iotr_slots_in(s->now->head.header_size, s->now->head.depth));
}

/* ---- looking ---- */

static void look(struct iotr_follow *f, struct iotr_log *log)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	bool thorough = now - log->checked >= CHECK || log->header.ended;
	size_t i;

	if (iotr_log_writer_gone(log, thorough && !log->news))
		log->live = log->quiet = false;
	if (thorough)
		log->checked = now;
	log->looked = now_in(log);
	if (iotr_log_grow(log))
		log->horizon = log->looked - MARGIN;
	iotr_levels_join(log);
	for (i = 0; i < log->n_streams; i++)
		put_slots(f, log->stream[i]);
	if (log->live)
		return;
	iotr_index_end(log);
	iotr_index_threads(log);
	iotr_index_lost(log);
}

static void fill_heap(struct iotr_follow *f)
{
	struct iotr_log *log;
	size_t i, j;

	f->n_heap = 0;
	for (i = 0; (log = iotr_set_log(f->set, i)); i++) {
		f->heap = iotr_grow(f->heap, &f->cap_heap, f->n_heap + log->n_streams,
				    sizeof(*f->heap));
		for (j = 0; j < log->n_streams; j++) {
			uint64_t bound = iotr_stream_bound(log->stream[j]);

			if (bound != UINT64_MAX)
				f->heap[f->n_heap++] = (struct iotr_node){
					.ns = iotr_clock_ns(&log->clock, bound),
					.order = (uint64_t)i << 32 | j,
					.stream = log->stream[j],
				};
		}
	}
	for (i = f->n_heap / 2; i-- > 0;)
		iotr_heap_down(f->heap, f->n_heap, i);
}

static int poll_logs(struct iotr_follow *f)
{
	uint64_t begun = clock_ns(CLOCK_MONOTONIC);
	bool more = iotr_watch_poll(f->watch), news = false;
	struct iotr_log *log;
	int least;
	size_t i;

	for (i = 0; (log = iotr_set_log(f->set, i)); i++) {
		if (!log->live && log->poll)
			continue;
		look(f, log);
		news |= log->news;
		more |= log->live;
	}
	/* a process may have started another one as its last act */
	more = more || iotr_watch_poll(f->watch) || iotr_set_log(f->set, i);
	fill_heap(f);
	f->ended = !more;
	/* looks take a fifth of a processor at most, and little if there is nothing to see */
	least = (int)((clock_ns(CLOCK_MONOTONIC) - begun) / MS) * 4;
	f->pause = news || f->held ? PAUSE_MIN : f->pause + f->pause / 2;
	if (f->pause > PAUSE_MAX)
		f->pause = PAUSE_MAX;
	if (f->pause < least)
		f->pause = least;
	return more ? f->pause : -1;
}

int iotr_follow_poll(struct iotr_follow *f)
{
	int got;
	struct iotr_guard guard;

	if (iotr_set_failed(f->set) || !IOTR_TRY(&guard))
		return iotr_starved(f->set);
	got = poll_logs(f);
	iotr_guard_end(&guard);
	return got;
}

static void stop(struct iotr_follow *f)
{
	struct iotr_log *log;
	size_t i, j;

	f->stopped = true;
	for (i = 0; (log = iotr_set_log(f->set, i)); i++) {
		if (!log->live)
			continue;
		for (j = 0; j < log->n_streams; j++)
			put_slots(f, log->stream[j]);
		iotr_index_lost(log);
	}
	fill_heap(f);
}

void iotr_follow_stop(struct iotr_follow *f)
{
	struct iotr_guard guard;

	if (iotr_set_failed(f->set) || !IOTR_TRY(&guard)) {
		iotr_starved(f->set);
		return;
	}
	stop(f);
	iotr_guard_end(&guard);
}

/* ---- giving ---- */

enum verdict { GIVE, HOLD, PASS, DROP };

static enum verdict judge(struct iotr_follow *f, struct iotr_stream *s, const struct iotr_entry *e,
			  uint64_t ns)
{
	uint64_t old = age(s->log, ns);

	if (e->status == IOTR_UNFINISHED && iotr_stream_answered(s))
		return DROP;
	if (!s->log->live || f->stopped)
		return GIVE;
	if (s->log->where == IOTR_HERE && ns > s->log->horizon)
		return HOLD;
	/* if the call comes back after all, that will be known soon */
	if (e->status == IOTR_NORETURN)
		return old < f->settle ? HOLD : GIVE;
	if (e->status != IOTR_UNFINISHED)
		return GIVE;
	if (old < f->settle)
		return HOLD;
	return old < f->blocked ? PASS : GIVE;
}

static void remember(struct iotr_stream *s, const struct iotr_call *call)
{
	s->passed = iotr_grow(s->passed, &s->cap_passed, s->n_passed + 1, sizeof(*s->passed));
	s->passed[s->n_passed++] = (struct iotr_passed){
		.start = call->ticks,
		.ns = call->start,
		.depth = (uint16_t)call->depth,
		.shown = true,
		.internal = call->internal,
		.id = call->id,
		.parent_id = call->parent_id,
		.parent = call->parent,
	};
}

/*
 * A record may name a path, or a stack, that another thread defined after its window was looked at, and
 * before the record was stored.  Another look finds it.
 */
static void decode(struct iotr_stream *s, struct iotr_call *call)
{
	struct iotr_log *log = s->log;
	uint64_t bad = log->n_bad_refs;

	iotr_stream_decode(s, call);
	if (log->live && call->stack)
		iotr_stack_get(log, call->stack);
	if (log->n_bad_refs == bad || !log->live || log->again == log->poll)
		return;
	iotr_log_grow(log);
	log->again = log->poll;
	log->n_bad_refs = bad;
	iotr_stream_decode(s, call);
}

/* Decodes the stream's head, as it was before if it was passed, and gives it. */
static void give(struct iotr_follow *f, struct iotr_stream *s)
{
	struct iotr_passed *p = find_passed(s, s->head.start, s->head.depth);
	struct iotr_call *call = &f->call;

	call->resumed = false;
	if (p) {
		decode(s, call);
		call->start = p->ns;
		call->id = p->id;
		call->parent_id = p->parent_id;
		call->parent = p->parent;
		call->internal = p->internal;
	} else {
		decode(s, call);
		call->id = ++f->n_given;
		iotr_stream_place(s, call);
	}
	if (call->status == IOTR_UNFINISHED) {
		call->dur = s->log->live ? age(s->log, call->start) : 0;
		if (p)
			p->shown = true;
	} else if (p) {
		call->resumed = p->shown;
		drop_passed(s, p);
	}
	/* the call's slot stays in use until the call comes back */
	if (!p && (call->status == IOTR_UNFINISHED || call->status == IOTR_NORETURN) &&
	    call->depth < IOT_MAX_SLOTS)
		remember(s, call);
}

/* The stream of the call that comes next.  NULL: no call can be given now. */
static struct iotr_stream *next_stream(struct iotr_follow *f)
{
	while (f->n_heap) {
		struct iotr_node *top = &f->heap[0];
		struct iotr_stream *s = top->stream;
		const struct iotr_entry *e = iotr_stream_peek(s);
		uint64_t ns = e ? iotr_clock_ns(&s->log->clock, e->start) : 0;

		if (!e) {
			if (!s->log->live)
				iotr_stream_close(s);
			*top = f->heap[--f->n_heap];
			if (f->n_heap)
				iotr_heap_down(f->heap, f->n_heap, 0);
			continue;
		}
		if (ns != top->ns) {
			top->ns = ns;
			iotr_heap_down(f->heap, f->n_heap, 0);
			continue;
		}
		switch (judge(f, s, e, ns)) {
		case HOLD:
			f->held = true;
			return NULL;
		case GIVE:
			if (iotr_stream_next(s))
				return s;
			break;
		case PASS:
			iotr_stream_next(s);
			give(f, s);
			find_passed(s, s->head.start, s->head.depth)->shown = false;
			break;
		case DROP:
			s->i_slot++;
		}
	}
	return NULL;
}

static const struct iotr_call *next(struct iotr_follow *f)
{
	struct iotr_stream *s;

	f->held = false;
	s = next_stream(f);
	if (s) {
		give(f, s);
		return &f->call;
	}
	if (f->stopped || f->ended)
		iotr_set_end(f->set);
	return NULL;
}

const struct iotr_call *iotr_follow_next(struct iotr_follow *f)
{
	const struct iotr_call *got;
	struct iotr_guard guard;

	if (iotr_set_failed(f->set) || !IOTR_TRY(&guard)) {
		iotr_starved(f->set);
		return NULL;
	}
	got = next(f);
	iotr_guard_end(&guard);
	return got;
}
