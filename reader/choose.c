/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose.c - which calls of a set are wanted, and reading a set again.
 *
 * A stream that is not wanted is not read.  Of one that is, blocks are left out that ended
 * before the time that was asked for: a call is recorded when it ends, so all that a stream
 * has before a block had ended when that was begun.  Blocks of which it is known that they have
 * no chosen call are left out as well: block-calls.c.
 */
#include "config.h"

#include <stdlib.h>

#include "block-calls.h"
#include "clock.h"
#include "set.h"

/* An answer to a question that is asked once for each path and kind of call. */
static bool remembered(uint32_t *answer, uint32_t number, bool *known)
{
	*known = *answer >> 1 == number;
	return *answer & 1;
}

static bool chosen_stream(const struct iotr_set *set, const struct iotr_stream *s)
{
	const struct iotr_choice *c = &set->choice;
	const struct iotr_process *p;

	if (!c->process)
		return true;
	p = iotr_log_process(s->log, s->process);
	return p && c->process(c->process_arg, s->log, p);
}

bool iotr_chosen_schema(const struct iotr_set *set, const struct iotr_schema *schema)
{
	const struct iotr_choice *c = &set->choice;
	struct iotr_schema *s = (struct iotr_schema *)schema;
	bool known, chosen;

	if (!c->schema)
		return true;
	chosen = remembered(&s->chosen, c->number, &known);
	if (known)
		return chosen;
	chosen = c->schema(c->schema_arg, s);
	s->chosen = c->number << 1 | chosen;
	return chosen;
}

static bool chosen_path(const struct iotr_choice *c, const struct iotr_call *call)
{
	const struct iotr_path *path;
	struct iotr_path *p, unnamed = {0};
	bool known, chosen;

	unnamed.name = iotr_call_path(call, &unnamed.len, &path, NULL);
	if (!unnamed.name)
		return false;
	if (!path)
		return c->path(c->path_arg, &unnamed);
	p = (struct iotr_path *)path;
	chosen = remembered(&p->chosen, c->number, &known);
	if (known)
		return chosen;
	chosen = c->path(c->path_arg, p);
	p->chosen = c->number << 1 | chosen;
	return chosen;
}

bool iotr_chosen_call(const struct iotr_set *set, const struct iotr_call *call)
{
	const struct iotr_choice *c = &set->choice;

	return call->start >= c->from && call->start < c->to && (!c->path || chosen_path(c, call));
}

static void restart(const struct iotr_set *set, struct iotr_stream *s)
{
	s->wanted = chosen_stream(set, s);
	iotr_stream_close(s);
	s->first_ref = 0;
	while (s->first_ref + 1 < s->n_refs && set->choice.from &&
	       iotr_clock_ns(s->log, s->ref[s->first_ref + 1].begun) < set->choice.from)
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
		for (size_t j = 0; j < log->n_streams; j++)
			restart(set, log->stream[j]);
	}
}

void iotr_set_rewind(struct iotr_set *set)
{
	set->begun = false;
}

void iotr_set_seek(struct iotr_set *set, uint64_t from, uint64_t to)
{
	set->choice.from = from;
	set->choice.to = to;
	iotr_set_rewind(set);
}

void iotr_set_processes(struct iotr_set *set, iotr_process_fn *fn, void *arg)
{
	set->choice.process = fn;
	set->choice.process_arg = arg;
	iotr_set_rewind(set);
}

void iotr_set_calls(struct iotr_set *set, iotr_schema_fn *fn, void *arg)
{
	set->choice.schema = fn;
	set->choice.schema_arg = arg;
	set->choice.number++;
	iotr_set_rewind(set);
}

void iotr_set_paths(struct iotr_set *set, iotr_path_fn *fn, void *arg)
{
	set->choice.path = fn;
	set->choice.path_arg = arg;
	set->choice.number++;
	iotr_set_rewind(set);
}
