/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * levels.c - which streams are of one thread.
 *
 * A signal handler that interrupts the recorder has a stream of its own, a level above the one
 * that it interrupted; so has one that interrupts that.  Its calls have the depth that they
 * would have had in the stream below.
 */
#include "config.h"

#include <stdlib.h>

#include "streams.h"

uint32_t iotr_thread_stream(const struct iotr_stream *s)
{
	while (s->below)
		s = s->below;
	return s->id;
}

/* Where the streams of a handler belong that interrupted t, or what had interrupted that. */
static struct iotr_stream *at_level(struct iotr_stream *t, uint32_t level)
{
	while (t && t->level < level)
		t = t->above;
	return t && t->level == level ? t : NULL;
}

/* Streams come in the order of their numbers, those above another one after it; a tid may be
   that of a later thread, too. */
void iotr_levels_join(struct iotr_log *log)
{
	size_t i;

	for (i = 0; i < log->n_streams && !log->stream[i]->level; i++)
		;
	if (i == log->n_streams)
		return;
	for (i = 0; i < log->n_streams; i++) {
		struct iotr_stream *s = log->stream[i];
		uint64_t thread = (uint64_t)s->process << 32 | s->tid;

		if (!s->level) {
			iotr_idmap_put(&log->by_thread, thread, s);
		} else if (!s->below) {
			s->below = at_level(iotr_idmap_get(&log->by_thread, thread), s->level - 1);
			if (!s->below)
				continue;
			s->next_above = s->below->above;
			s->below->above = s;
		}
	}
}
