/* SPDX-License-Identifier: BSD-3-Clause */
/* set.c - several logs, and their calls merged by time. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "block-files.h"
#include "blocks.h"
#include "clock.h"
#include "define.h"
#include "schema.h"
#include "set.h"
#include "starve.h"

static int share(struct iotr_set *set)
{
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard))
		return -1;
	set->shared = iotr_shared_use(NULL);
	iotr_guard_end(&guard);
	return 0;
}

struct iotr_set *iotr_set_new(iotr_message_fn *fn, void *arg)
{
	struct iotr_set *set = calloc(1, sizeof(*set));

	if (!set || share(set) < 0) {
		free(set);
		iotr_say_starved(fn, arg, "the logs");
		return NULL;
	}
	set->fn = fn;
	set->arg = arg;
	set->choice.to = UINT64_MAX;
	return set;
}

void iotr_set_mute(struct iotr_set *set)
{
	set->shared->mute = true;
}

void iotr_set_symfs(struct iotr_set *set, const char *dir)
{
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard)) {
		iotr_starved(set);
		return;
	}
	set->shared->symfs = iotr_arena_copy(&set->shared->arena, dir, strlen(dir));
	iotr_guard_end(&guard);
}

/* Ids of calls: each stream has as many as it has words of records, and one for each call
   that may be in progress. */
static void number_calls(struct iotr_set *set)
{
	uint64_t id = 1;

	for (size_t i = 0; i < set->n_logs; i++) {
		for (size_t j = 0; j < set->log[i]->n_streams; j++) {
			struct iotr_stream *s = set->log[i]->stream[j];

			s->first_id = id;
			for (size_t k = 0; k < s->n_refs; k++) {
				s->ref[k].before = id - s->first_id;
				id += s->ref[k].used / 8;
			}
			s->first_slot_id = id;
			id += s->n_slots;
		}
	}
}

static void begin(struct iotr_set *set)
{
	size_t i, j, n = 0;

	number_calls(set);
	iotr_set_restart(set);
	for (i = 0; i < set->n_logs; i++)
		n += set->log[i]->n_streams;
	set->heap = iotr_alloc(n * sizeof(*set->heap));
	for (i = 0; i < set->n_logs; i++) {
		for (j = 0; j < set->log[i]->n_streams; j++) {
			struct iotr_stream *s = set->log[i]->stream[j];

			if (!s->wanted)
				continue;
			/* Streams are read only when their time has come, so that a
			   thousand threads need not be in memory at once. */
			iotr_index_late(s);
			set->heap[set->n_heap++] = (struct iotr_node){
				.ns = iotr_clock_ns(&s->log->clock, iotr_stream_bound(s)),
				.order = (uint64_t)i << 32 | j,
				.stream = s,
			};
		}
	}
	for (i = set->n_heap / 2; i-- > 0;)
		iotr_heap_down(set->heap, set->n_heap, i);
	set->begun = true;
}

/* Put the stream at the top where its next call belongs. */
static void advance(struct iotr_set *set)
{
	struct iotr_node *top = &set->heap[0];
	struct iotr_stream *s = top->stream;

	s->started = true;
	if (iotr_stream_next(s)) {
		top->ns = iotr_clock_ns(&s->log->clock, s->head.start);
	} else {
		iotr_stream_close(s);
		*top = set->heap[--set->n_heap];
	}
	if (set->n_heap)
		iotr_heap_down(set->heap, set->n_heap, 0);
}

/* Uses of what nothing defines, said once a log when all is read.  Where blocks
   were lost, so were their definitions. */
void iotr_set_end(struct iotr_set *set)
{
	size_t i;

	for (i = 0; i < set->n_logs; i++) {
		struct iotr_log *log = set->log[i];

		if (log->n_bad_refs && !log->bad_refs_said)
			iotr_say(log, iotr_log_lost(log).calls || log->torn ? IOTR_NOTE : IOTR_DAMAGE,
				 "%llu uses of paths, handles or stacks that the log does not "
				 "define",
				 (unsigned long long)log->n_bad_refs);
		log->bad_refs_said |= log->n_bad_refs;
		log->n_bad_refs = 0;
	}
}

/* The call on top, if it is chosen.  One that is not may still be another's parent. */
static bool take(struct iotr_set *set)
{
	struct iotr_stream *s = set->heap[0].stream;

	set->given = true;
	if (!iotr_chosen_schema(set, iotr_schema_get(s->log, s->head.call)) ||
	    (s->log->chosen_files && s->head_words &&
	     !iotr_files_record_may_pass(set, s->log, s->head_words))) {
		iotr_stream_pass(s, &set->call);
		return false;
	}
	iotr_stream_call(s, &set->call);
	return iotr_chosen_call(set, &set->call);
}

static const struct iotr_call *next(struct iotr_set *set)
{
	if (!set->begun)
		begin(set);
	for (;;) {
		if (set->given)
			advance(set);
		set->given = false;
		while (set->n_heap && !set->heap[0].stream->started)
			advance(set);
		if (!set->n_heap || set->heap[0].ns >= set->choice.to) {
			iotr_set_end(set);
			return NULL;
		}
		if (take(set))
			return &set->call;
	}
}

const struct iotr_call *iotr_set_next(struct iotr_set *set)
{
	const struct iotr_call *call;
	struct iotr_guard guard;

	if (set->failed)
		return NULL;
	if (!IOTR_TRY(&guard)) {
		iotr_starved(set);
		return NULL;
	}
	call = next(set);
	iotr_guard_end(&guard);
	return call;
}

static void scan(struct iotr_set *set, iotr_call_fn *fn, void *arg)
{
	size_t i, j;

	number_calls(set);
	iotr_set_restart(set);
	set->begun = false;
	for (i = 0; i < set->n_logs; i++)
		for (j = 0; j < set->log[i]->n_streams; j++)
			if (set->log[i]->stream[j]->wanted && !set->log[i]->stream[j]->below)
				iotr_stream_scan(set, set->log[i]->stream[j], fn, arg);
	iotr_set_end(set);
}

void iotr_set_scan(struct iotr_set *set, iotr_call_fn *fn, void *arg)
{
	struct iotr_guard guard;

	if (set->failed || !IOTR_TRY(&guard)) {
		iotr_starved(set);
		return;
	}
	scan(set, fn, arg);
	iotr_guard_end(&guard);
}

static struct iotr_sum set_sum(const struct iotr_set *set)
{
	struct iotr_sum sum = {0};

	for (size_t i = 0; i < set->n_logs; i++)
		iotr_sum_add(&sum, set->log[i], NULL);
	return sum;
}

struct iotr_sum iotr_set_sum(const struct iotr_set *set)
{
	struct iotr_sum got;
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard)) {
		iotr_starved((struct iotr_set *)set);
		return (struct iotr_sum){0};
	}
	got = set_sum(set);
	iotr_guard_end(&guard);
	return got;
}

void iotr_set_progress(const struct iotr_set *set, uint64_t *done, uint64_t *total)
{
	size_t i;

	*done = *total = 0;
	for (i = 0; i < set->n_logs; i++) {
		*done += set->log[i]->done;
		*total += set->log[i]->total;
	}
}

void iotr_set_free(struct iotr_set *set)
{
	size_t i;

	if (!set)
		return;
	for (i = 0; i < set->n_logs; i++)
		iotr_log_close(set->log[i]);
	free(set->log);
	iotr_kept_names_free(set);
	iotr_shared_drop(set->shared);
	iotr_idmap_free(&set->by_start);
	iotr_idmap_free(&set->boots);
	free(set->heap);
	free(set);
}
