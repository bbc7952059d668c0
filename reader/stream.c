/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.c - pass 2: the calls of one stream by start.
 *
 * Records are stored when calls end.  Within a block they are sorted; a call
 * that began before its block did was found in pass 1 and waits in stream->late;
 * calls in progress wait in stream->slot_entry.  What comes next is the earliest
 * of these and of the blocks that may hold something as early.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "families.h"
#include "record.h"
#include "schema.h"

static unsigned rank(uint8_t status)
{
	return status == IOTR_UNFINISHED ? 0 : status == IOTR_NORETURN ? 1 : 2;
}

/* Outer calls go first, and a record that may be superseded before the one that supersedes it. */
bool iotr_entry_before(const struct iotr_entry *a, const struct iotr_entry *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	if (a->depth != b->depth)
		return a->depth < b->depth;
	return rank(a->status) < rank(b->status);
}

static int entry_order(const void *a, const void *b)
{
	const struct iotr_entry *x = a, *y = b;

	if (iotr_entry_before(x, y))
		return -1;
	if (iotr_entry_before(y, x))
		return 1;
	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

/* Parents lie a little behind their children, and all else is in order.  So insertion is quick, unless
   moves add up. */
static void sort_entries(struct iotr_entry *e, size_t n)
{
	size_t i, moves = 0;

	for (i = 1; i < n; i++) {
		struct iotr_entry x = e[i];
		size_t j = i;

		if (!iotr_entry_before(&x, &e[i - 1]))
			continue;
		while (j > 0 && iotr_entry_before(&x, &e[j - 1])) {
			e[j] = e[j - 1];
			j--;
		}
		e[j] = x;
		moves += i - j;
		if (moves > 8 * n) {
			qsort(e, n, sizeof(*e), entry_order);
			return;
		}
	}
}

struct load {
	struct iotr_loaded *l;
	const struct iotr_ref *ref;
	uint32_t from; /* words; those before were loaded already */
};

static bool on_record(void *arg, const struct iotr_entry *e, const uint64_t *w, size_t n)
{
	struct load *load = arg;
	struct iotr_loaded *l = load->l;

	(void)w;
	(void)n;
	if ((load->ref->n_late && e->start < load->ref->base) || e->pos < load->from)
		return true; /* it is in stream->late, or was loaded before */
	l->e = iotr_grow(l->e, &l->cap, l->n + 1, sizeof(*l->e));
	l->e[l->n++] = *e;
	return true;
}

/* Notes what pass 2 found in a block: n words, whether all of them made sense, and which calls. */
void iotr_block_done(struct iotr_log *log, struct iotr_ref *ref, size_t n, bool sound,
		     const struct iotr_in_block *in)
{
	bool said = ref->said;

	if (sound && n == ref->used / 8)
		iotr_in_block_done(log, ref, in);

	log->done += ref->used;
	ref->said = true; /* a set may be read again */
	if (said)
		return;
	if (!sound)
		iotr_say(log, IOTR_DAMAGE,
			 "the block at offset %llu holds a record that makes no "
			 "sense; the rest of the block is skipped",
			 (unsigned long long)ref->off);
	else if (n < ref->used / 8 && !ref->damaged)
		iotr_say(log, IOTR_DAMAGE,
			 "the block at offset %llu changed or shrank while it was read",
			 (unsigned long long)ref->off);
}

/* Is the block the window of a log that is followed?  More records may come behind those it has. */
static bool is_open(const struct iotr_stream *s, const struct iotr_ref *ref)
{
	return s->log->live && (ref->flags & IOT_BLOCK_WINDOW);
}

/* Is there a block to load? */
static bool more(struct iotr_stream *s)
{
	for (; s->next_ref < s->n_refs; s->next_ref++) {
		const struct iotr_ref *ref = &s->ref[s->next_ref];

		if (ref->passed)
			continue;
		if ((!ref->taken || ref->taken < ref->used) && !(ref->went_on && is_open(s, ref)))
			return true;
		if (is_open(s, ref))
			return false;
	}
	return false;
}

/* Where a block is loaded: behind what is left of its earlier part, if that is still there. */
static struct iotr_loaded *place_for(struct iotr_stream *s, const struct iotr_ref *ref)
{
	struct iotr_loaded *l = &s->open[s->n_open];
	unsigned i;

	for (i = 0; i < s->n_open && ref->taken; i++)
		if (s->open[i].seq == ref->seq)
			l = &s->open[i];
	if (l == &s->open[s->n_open])
		l->n = l->i = 0;
	if (l->i) {
		l->n -= l->i;
		memmove(l->e, l->e + l->i, l->n * sizeof(*l->e));
		l->i = 0;
	}
	return l;
}

/*
 * Makes the n words that were just read those of l.  Records before them wait that made sense when they
 * were checked.  They keep their words, whoever has written there since.
 */
static void keep_checked(struct iotr_stream *s, struct iotr_loaded *l, size_t n, uint32_t before)
{
	uint64_t *words = l->words;
	size_t cap = l->words_cap;

	if (n < before)
		return;
	if (l->n)
		memcpy(s->fresh, words, (before < cap ? before : cap) * 8);
	l->words = s->fresh;
	l->words_cap = s->fresh_cap;
	s->fresh = words;
	s->fresh_cap = cap;
}

static void load_block(struct iotr_stream *s)
{
	struct iotr_ref *ref = &s->ref[s->next_ref];
	struct iotr_loaded *l = place_for(s, ref);
	struct load load = {l, ref, ref->taken / 8};
	struct iotr_in_block in = {0};
	struct iot_block head = {0};
	size_t n;

	n = iotr_block_read(s->log, s, ref, &head, &s->fresh, &s->fresh_cap);
	if (n < ref->used / 8 && is_open(s, ref)) {
		/* The window has gone on, and there is no copy of the block.  The next look knows more
		   (close_window), or the copy is there. */
		ref->went_on = true;
		return;
	}
	keep_checked(s, l, n, load.from);
	iotr_block_done(s->log, ref, n,
			iotr_records_walk(s->log, &head, n < load.from ? s->fresh : l->words, n, on_record,
					  NULL, &load, &in),
			&in);
	ref->taken = ref->used;
	if (!is_open(s, ref))
		s->next_ref++;
	if (!l->n)
		return;
	l->pid = head.pid;
	l->tid = head.tid;
	l->flags = head.flags;
	l->seq = ref->seq;
	l->first_id = s->first_id + ref->before;
	sort_entries(l->e, l->n);
	if (l == &s->open[s->n_open])
		s->n_open++;
}

/* Puts the buffers of finished blocks at the end, to be used again. */
static void drop_finished(struct iotr_stream *s)
{
	unsigned i = 0;

	while (i < s->n_open) {
		if (s->open[i].i < s->open[i].n) {
			i++;
			continue;
		}
		struct iotr_loaded done = s->open[i];

		s->n_open--;
		memmove(&s->open[i], &s->open[i + 1], (s->n_open - i) * sizeof(done));
		s->open[s->n_open] = done;
	}
}

enum source { FROM_NONE = -3, FROM_LATE = -2, FROM_SLOT = -1 }; /* else open[] */

static const struct iotr_entry *earliest(const struct iotr_stream *s, int *from)
{
	const struct iotr_entry *best = NULL, *e;
	unsigned i;

	*from = FROM_NONE;
	for (i = 0; i < s->n_open; i++) {
		e = &s->open[i].e[s->open[i].i];
		if (!best || iotr_entry_before(e, best)) {
			best = e;
			*from = (int)i;
		}
	}
	if (s->i_late < s->n_late) {
		e = &s->late[s->i_late].e;
		if (!best || iotr_entry_before(e, best)) {
			best = e;
			*from = FROM_LATE;
		}
	}
	if (s->i_slot < s->n_slots) {
		e = &s->slots->entry[s->i_slot];
		if (!best || iotr_entry_before(e, best)) {
			best = e;
			*from = FROM_SLOT;
		}
	}
	return best;
}

/* The next call, after all blocks that could hold it were read. */
static const struct iotr_entry *peek(struct iotr_stream *s, int *from)
{
	const struct iotr_entry *best;

	drop_finished(s);
	for (;;) {
		best = earliest(s, from);
		if (!more(s) || s->n_open == IOTR_MAX_OPEN)
			return best;
		if (best && s->ref[s->next_ref].min_base > best->start)
			return best;
		load_block(s);
	}
}

const struct iotr_entry *iotr_stream_peek(struct iotr_stream *s)
{
	int from;

	return peek(s, &from);
}

uint64_t iotr_stream_bound(struct iotr_stream *s)
{
	const struct iotr_entry *e;
	uint64_t bound;
	int from;

	drop_finished(s);
	e = earliest(s, &from);
	bound = e ? e->start : UINT64_MAX;
	if (more(s) && s->ref[s->next_ref].min_base < bound)
		bound = s->ref[s->next_ref].min_base;
	return bound;
}

bool iotr_stream_answered(struct iotr_stream *s)
{
	const struct iotr_entry *e, *next;
	int from;

	e = peek(s, &from);
	if (from != FROM_SLOT)
		return false;
	s->i_slot++;
	next = peek(s, &from);
	s->i_slot--;
	return next && next->start == e->start && next->depth == e->depth && next->call == e->call;
}

static bool take_late(struct iotr_stream *s)
{
	struct iotr_late *l = &s->late[s->i_late++];
	struct iot_block head;

	if (l->block < s->first_ref || s->ref[l->block].late_passed)
		return false;
	if (!iotr_block_record(s->log, s, &s->ref[l->block], l->e.pos, &head, &s->late_words,
			       &s->late_cap))
		return false; /* the file changed since pass 1 */
	/* a record of the form IOT_ALIKE is never late */
	if (iot_record_call(s->late_words[0]) != l->e.call || iot_record_form(s->late_words[0]) == IOT_ALIKE)
		return false;
	s->head = l->e;
	s->head_id = s->first_id + s->ref[l->block].before + l->e.pos;
	s->head_words = s->late_words;
	s->head_pid = head.pid;
	s->head_tid = head.tid;
	s->head_flags = head.flags;
	return true;
}

static void take_slot(struct iotr_stream *s)
{
	s->head = s->slots->entry[s->i_slot];
	s->head_id = s->first_slot_id + s->i_slot;
	s->head_slot = &s->slots->slot[s->i_slot++];
	s->head_words = NULL;
	s->head_pid = s->pid;
	s->head_tid = s->tid;
	s->head_flags = s->flags;
}

static void take_open(struct iotr_stream *s, struct iotr_loaded *l)
{
	s->head = l->e[l->i++];
	s->head_id = l->first_id + s->head.pos;
	s->head_words = l->words + s->head.pos;
	s->head_pid = l->pid;
	s->head_tid = l->tid;
	s->head_flags = l->flags;
	if (s->head.status == IOTR_NORETURN) {
		/* the look for the record that supersedes it may use the block's buffer */
		size_t n = iot_general_words(s->head_words[1]);

		s->late_words = iotr_grow(s->late_words, &s->late_cap, n, 8);
		memcpy(s->late_words, s->head_words, n * 8);
		s->head_words = s->late_words;
	}
}

/* Does the next record tell the end of the call that head began? */
static bool superseded(struct iotr_stream *s)
{
	const struct iotr_entry *next;
	int from;

	if (s->head.status != IOTR_NORETURN && s->head.status != IOTR_UNFINISHED)
		return false;
	next = peek(s, &from);
	return next && next->start == s->head.start && next->depth == s->head.depth &&
	       next->call == s->head.call;
}

bool iotr_stream_next(struct iotr_stream *s)
{
	int from;

	do {
		if (!peek(s, &from))
			return false;
		s->head_slot = NULL;
		if (from == FROM_LATE) {
			if (!take_late(s))
				continue;
		} else if (from == FROM_SLOT) {
			take_slot(s);
		} else {
			take_open(s, &s->open[from]);
		}
		if (!superseded(s))
			return true;
	} while (1);
}

/* The call that was in progress at a depth, at a moment.  Around the calls of a handler that interrupted
   the recorder are the handler's own calls, or those that it interrupted. */
static const struct iotr_around *around_at(const struct iotr_stream *s, unsigned depth, uint64_t at)
{
	for (; s; s = s->below) {
		const struct iotr_around *a = s->n_around > depth ? &s->around[depth] : NULL;

		if (a && a->schema && a->start <= at && at <= a->end)
			return a;
	}
	return NULL;
}

/* Finds the innermost call in progress around this one, which ends at end. */
static void enclose(struct iotr_stream *s, struct iotr_call *call, uint64_t end)
{
	const struct iotr_entry *e = &s->head;
	const struct iotr_around *outer;
	unsigned d = e->depth;

	call->parent = NULL;
	call->parent_id = 0;
	if (d >= IOTR_DEPTH_TRACKED)
		return;
	if (!s->around)
		s->around = iotr_alloc(IOTR_DEPTH_TRACKED * sizeof(*s->around));
	while (s->n_around < d)
		s->around[s->n_around++].schema = NULL;
	outer = d ? around_at(s, d - 1, e->start) : NULL;
	if (outer) {
		call->parent = outer->schema;
		call->parent_id = outer->id;
	}
	s->around[d] = (struct iotr_around){e->start, end, call->id, call->schema};
	s->n_around = d + 1;
}

/*
 * libc sometimes calls its own functions by their public names.  A call inside another one of libc's is
 * libc's own, unless the outer call runs code of the program: callbacks, stdio (fopencookie) and the layers
 * above libc do.  A call that is one system call has nothing of libc inside, so that a call inside of it is
 * a signal handler's.
 */
static bool inside_libc(const struct iotr_schema *parent)
{
	if (!parent || (parent->flags & IOTR_CALL_CALLBACK) || parent->syscall)
		return false;
	return iotr_family_of(parent->family).inside_is_libcs;
}

/* Is the call a signal handler's?  The call around it is then one that the handler interrupted, and the
   program made the inner call, not libc. */
static bool is_handlers(const struct iotr_stream *s, const struct iotr_call *call)
{
	return call->parent && s->around[call->depth - 1].id != call->parent_id;
}

/* Sets all members of the call but those that the stream knows. */
void iotr_slot_decode(struct iotr_log *log, const struct iotr_entry *e, const struct iot_slot *slot,
		      struct iotr_call *call)
{
	unsigned i;

	call->log = log;
	call->schema = iotr_schema_get(log, e->call);
	call->ticks = e->start;
	call->start = iotr_clock_ns(&log->clock, e->start);
	call->dur = 0;
	call->depth = e->depth;
	call->status = IOTR_UNFINISHED;
	call->inferred = call->no_syscall = call->mpi_own = false;
	call->internal = slot->call & IOT_SLOT_INTERNAL;
	call->has = 0;
	call->err = 0;
	call->itemsize = 0;
	call->parent = NULL;
	call->entry.type = IOTR_VAL_NONE;
	call->handle = slot->handle ? iotr_idmap_get(&log->handle, slot->handle) : NULL;
	call->stack = slot->stack;
	for (i = 0; i < call->schema->n_params; i++)
		call->value[i].type = IOTR_VAL_NONE;
	if (slot->name && i && call->schema->param[0].kind == IOTR_KIND_NAME) {
		call->value[0].path = iotr_idmap_get(&log->path, slot->name);
		call->value[0].type = call->value[0].path ? IOTR_VAL_PATH : IOTR_VAL_NONE;
	}
}

void iotr_stream_decode(struct iotr_stream *s, struct iotr_call *call)
{
	if (s->head_slot)
		iotr_slot_decode(s->log, &s->head, s->head_slot, call);
	else
		iotr_record_decode(s->log, &s->head, s->head_words, call);
	call->id = s->head_id;
	call->process = s->process;
	call->pid = s->head_pid;
	call->tid = s->head_tid;
	call->stream = iotr_thread_stream(s);
	call->level = s->level;
}

void iotr_stream_place(struct iotr_stream *s, struct iotr_call *call)
{
	uint64_t end = UINT64_MAX;

	if (call->status == IOTR_FINISHED || call->status == IOTR_ABANDONED) {
		if (__builtin_add_overflow(s->head.start, iot_record_dur(s->head_words), &end))
			end = UINT64_MAX;
	}
	enclose(s, call, end);
	if ((s->head_flags & IOT_BLOCK_HELPER) && !call->depth)
		call->internal = true;
	call->mpi_own |= !!(s->head_flags & IOT_BLOCK_MPI);
	if (!call->internal && !is_handlers(s, call) && inside_libc(call->parent))
		call->internal = true;
}

void iotr_stream_call(struct iotr_stream *s, struct iotr_call *call)
{
	iotr_stream_decode(s, call);
	iotr_stream_place(s, call);
}

void iotr_stream_pass(struct iotr_stream *s, struct iotr_call *call)
{
	call->schema = iotr_schema_get(s->log, s->head.call);
	call->status = (enum iotr_status)s->head.status;
	call->depth = s->head.depth;
	call->id = s->head_id;
	iotr_stream_place(s, call);
}

/* Frees what reading needed.  What pass 1 found stays. */
void iotr_stream_close(struct iotr_stream *s)
{
	unsigned i;

	for (i = 0; i < IOTR_MAX_OPEN; i++) {
		free(s->open[i].words);
		free(s->open[i].e);
	}
	memset(s->open, 0, sizeof(s->open));
	s->n_open = 0;
	free(s->late_words);
	free(s->fresh);
	free(s->around);
	s->late_words = s->fresh = NULL;
	s->late_cap = s->fresh_cap = 0;
	s->around = NULL;
	s->n_around = 0;
}
