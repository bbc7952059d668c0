/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * restart.c - a set is read from the beginning of what is wanted.
 *
 * A stream that is not wanted is not read.  Of one that is, blocks are left out that ended
 * before the time that was asked for: a call is recorded when it ends, so all that a stream
 * has before a block had ended when that was begun.  Blocks of which it is known that they have
 * no chosen call are left out as well (block-calls.c), or name no chosen file (block-files.c).
 */
#include "config.h"

#include <stdlib.h>

#include "block-files.h"
#include "clock.h"
#include "set.h"
#include "streams.h"

static void restart(const struct iotr_set *set, struct iotr_stream *s)
{
	s->wanted = iotr_chosen_process(set, s);
	iotr_stream_close(s);
	s->first_ref = 0;
	while (s->first_ref + 1 < s->n_refs && set->choice.from &&
	       iotr_clock_ns(&s->log->clock, s->ref[s->first_ref + 1].begun) < set->choice.from)
		s->first_ref++;
	iotr_blocks_choose(s);
	s->next_ref = s->first_ref;
	s->i_late = s->i_slot = 0;
	s->head_slot = NULL;
	s->started = false;
	for (size_t i = s->first_ref; i < s->n_refs; i++) {
		s->ref[i].taken = 0;
		s->log->total += s->wanted && !s->ref[i].passed ? s->ref[i].used : 0;
	}
}

void iotr_set_restart(struct iotr_set *set)
{
	free(set->heap);
	set->heap = NULL;
	set->n_heap = 0;
	set->given = false;
	for (size_t i = 0; i < set->n_logs; i++) {
		struct iotr_log *log = set->log[i];

		log->done = log->total = 0;
		iotr_bits_choose(set, log);
		iotr_blocks_files(set, log);
		for (size_t j = 0; j < log->n_streams; j++)
			restart(set, log->stream[j]);
	}
}
