/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow-log.c - pass 1 of a log that is followed: what has come since the last look.
 *
 * Each look walks what is new of the file, then looks at every window, then walks
 * again.  A copy is whole once its stream's window has gone on to the next block:
 * it was written before.  And the second walk finds every copy that was written
 * before the windows were looked at, so what is missing then never comes.
 *
 * A stream that had a window and is in none now has ended, or it has moved to a
 * larger one, which may be one that was looked at before.  So all are looked at once
 * more, until every stream that had a window was seen in this poll, or as often as a
 * stream can move.  A stream that is seen in two windows is moving: it is in the one
 * with the higher seq, and the other one has been copied.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "define.h"
#include "live.h"
#include "schema.h"

static int by_seq(const void *a, const void *b)
{
	const struct iotr_ref *x = a, *y = b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return x->off < y->off ? -1 : x->off > y->off;
}

/* A stream moves from a window of 4 KiB to ones four times as large, up to IOTRACE_BUFFER. */
#define MOVES 3

static void take_look(struct iotr_log *log, struct iotr_stream *s, const struct iotr_snapshot *now,
		      uint64_t off)
{
	if (!s->now)
		s->now = iotr_alloc(sizeof(*s->now));
	if (!s->had_window ||
	    memcmp(&s->now->head.anchor, &now->head.anchor, sizeof(struct iot_anchor)))
		iotr_clock_anchor(log, &now->head.anchor);
	if (!s->had_window || memcmp(&s->now->head, &now->head, sizeof(now->head)))
		log->news = true;
	*s->now = *now;
	s->now_off = off;
	s->seen = log->poll;
	s->has_window = s->had_window = true;
	s->flags |= now->head.flags & (IOT_BLOCK_HELPER | IOT_BLOCK_MPI);
}

/* Looks at one window; false if it changes too fast to be seen. */
static bool look(struct iotr_log *log, struct iotr_window *w)
{
	const struct iotr_stream *was = w->stream;
	struct iotr_stream *s;
	struct iotr_snapshot now;

	/* what was seen there last may help */
	if (was && (!was->has_window || was->now_off != w->off))
		was = NULL;
	switch (iotr_window_look(log, w->off, was ? &was->now->head : NULL, &now)) {
	case IOTR_LOOK_BUSY:
		/* its stream is where it was, or what there is of it is known: not to be
		   looked for elsewhere */
		if (w->stream && w->stream->now_off == w->off)
			w->stream->seen = log->poll;
		return false;
	case IOTR_LOOK_NONE:
		/* was left, is being made another stream's, or the file shrank */
		w->stream = NULL;
		return true;
	case IOTR_LOOK_OK:
		break;
	}
	w->stream = s = iotr_stream_get(log, &now.head);
	/* two windows have it while it moves; later it is in none of lower seq */
	if (!s->had_window || now.head.seq >= s->now->head.seq)
		take_look(log, s, &now, w->off);
	return true;
}

/* Is there a stream that had a window when last looked at, and was not seen since? */
static bool any_lost(const struct iotr_log *log)
{
	size_t i;

	for (i = 0; i < log->n_streams; i++)
		if (log->stream[i]->has_window && log->stream[i]->seen != log->poll)
			return true;
	return false;
}

/* Looks at all windows, also those that come meanwhile; ends with a walk. */
static bool look_at_windows(struct iotr_log *log)
{
	bool complete = true;
	size_t i = 0, n;

	do {
		for (n = log->n_windows; i < n; i++)
			complete &= look(log, &log->window[i]);
		iotr_extents_more(log);
	} while (n < log->n_windows);
	return complete;
}

/*
 * Is the copy whole?  It is if its stream's window has gone on, or has become
 * another's.  Of a stream whose window was never seen: if all windows were looked
 * at since the copy was found, for then it has none any more.
 */
static bool is_whole(const struct iotr_log *log, const struct iotr_stream *s,
		     const struct iotr_ref *copy)
{
	if (s->has_window)
		return copy->seq < s->now->head.seq;
	return s->had_window || copy->poll < log->poll || !log->live;
}

/* The records of a window that nobody read in time, and whose copy failed, are gone. */
static void close_window(struct iotr_ref *ref)
{
	ref->used = ref->taken;
	ref->flags &= ~IOT_BLOCK_WINDOW;
}

static void append(struct iotr_log *log, struct iotr_stream *s, const struct iotr_ref *new)
{
	struct iotr_ref *last = s->n_refs ? &s->ref[s->n_refs - 1] : NULL;
	uint32_t want = last ? last->seq + 1 : s->next_seq;

	if (last && (last->flags & IOT_BLOCK_WINDOW))
		close_window(last);
	if (new->seq != want && !new->lost && !(new->flags & IOT_BLOCK_GAP))
		iotr_say(log, IOTR_DAMAGE, "stream %u lacks the blocks before number %u", s->id,
			 new->seq);
	if (new->clipped)
		iotr_say(log, IOTR_DAMAGE, "the block at offset %llu is cut short",
			 (unsigned long long)new->off);
	s->ref = iotr_grow(s->ref, &s->cap_refs, s->n_refs + 1, sizeof(*s->ref));
	s->ref[s->n_refs++] = *new;
	s->next_seq = new->seq + 1;
}

/* The copy of the window that was the last block so far. */
static void replace(struct iotr_ref *last, const struct iotr_ref *copy)
{
	struct iotr_ref old = *last;

	*last = *copy;
	last->taken = old.taken;
	last->scanned = old.scanned;
	last->scanned_defs = old.scanned_defs;
	last->scanned_late = old.scanned_late;
}

static void take_copies(struct iotr_log *log, struct iotr_stream *s)
{
	size_t i, n = 0;

	if (s->n_found)
		qsort(s->found, s->n_found, sizeof(*s->found), by_seq);
	for (i = 0; i < s->n_found; i++) {
		struct iotr_ref *copy = &s->found[i];
		struct iotr_ref *last = s->n_refs ? &s->ref[s->n_refs - 1] : NULL;

		if (!is_whole(log, s, copy)) {
			s->found[n++] = *copy;
			continue;
		}
		if (copy->seq >= s->next_seq)
			append(log, s, copy);
		else if (last && last->seq == copy->seq && (last->flags & IOT_BLOCK_WINDOW))
			replace(last, copy);
		else
			iotr_say(log, IOTR_DAMAGE, "stream %u has two blocks with number %u", s->id,
				 copy->seq);
		log->lost_blocks.calls += copy->lost;
	}
	s->n_found = n;
}

static void take_window(struct iotr_log *log, struct iotr_stream *s)
{
	struct iotr_ref now = iotr_ref(log, &s->now->head, s->now_off);
	struct iotr_ref *last = s->n_refs ? &s->ref[s->n_refs - 1] : NULL;

	if (!now.used)
		return;
	if (!last || last->seq != now.seq) {
		append(log, s, &now);
		return;
	}
	last->used = now.used;
	last->n_defs = now.n_defs;
	last->n_late = now.n_late;
}

/* What the new blocks define, and their late records. */
static void scan_new(struct iotr_log *log, struct iotr_stream *s)
{
	uint64_t *words = NULL, min = UINT64_MAX;
	size_t cap = 0, i, n_late = s->n_late;

	for (i = s->scan_from; i < s->n_refs; i++) {
		struct iotr_ref *ref = &s->ref[i];

		/* the counts may be ahead of `used`: what was seen is what counts */
		if (ref->n_defs != ref->scanned_defs || ref->n_late != ref->scanned_late)
			iotr_block_scan(log, s, ref, true, &words, &cap);
		ref->scanned = ref->used;
	}
	free(words);
	if (s->n_late != n_late)
		iotr_late_sort(s);
	if (s->scan_from < s->n_refs)
		for (i = s->n_refs; i-- > s->next_ref;) {
			if (s->ref[i].base < min)
				min = s->ref[i].base;
			s->ref[i].min_base = min;
		}
	/* the last one may grow, or be replaced by its copy */
	s->scan_from = s->n_refs ? s->n_refs - 1 : 0;
}

/* Blocks that were read are not needed any more. */
static void forget_read(struct iotr_stream *s)
{
	size_t n = s->next_ref;

	if (s->i_late == s->n_late)
		s->i_late = s->n_late = 0;
	if (n < 256 || s->n_late)
		return;
	s->n_refs -= n;
	memmove(s->ref, s->ref + n, s->n_refs * sizeof(*s->ref));
	s->next_ref = 0;
	s->scan_from = s->scan_from > n ? s->scan_from - n : 0;
}

/* Takes in what has come; false if not every window could be looked at, so that
   calls may be missing that began before. */
bool iotr_log_grow(struct iotr_log *log)
{
	bool complete;
	size_t i;

	log->poll++;
	log->news = false;
	iotr_header_refresh(log);
	iotr_extents_more(log);
	complete = look_at_windows(log);
	for (i = 0; i < MOVES && any_lost(log); i++)
		complete &= look_at_windows(log);
	for (i = 0; i < log->n_streams; i++) {
		struct iotr_stream *s = log->stream[i];
		struct iotr_ref *last;

		s->has_window &= s->seen == log->poll;
		forget_read(s);
		take_copies(log, s);
		if (s->has_window)
			take_window(log, s);
		last = s->n_refs ? &s->ref[s->n_refs - 1] : NULL;
		if (last && (last->flags & IOT_BLOCK_WINDOW) &&
		    !(s->has_window && last->seq == s->now->head.seq))
			close_window(last);
		scan_new(log, s);
	}
	iotr_defines_done(log);
	iotr_clock_done(log);
	return complete;
}
