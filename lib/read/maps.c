/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * maps.c - which file lay at an address, and when.
 *
 * A mapping is there from the call that brought it on, and until another takes (some
 * of) its place: plugins that are loaded after each other may have the same addresses,
 * and their stacks the same numbers.  So what a stack means depends on when the call
 * was; for each time at which it means something else there is a struct iot_stack.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "read.h"

bool iot_maps_add(struct iot_log *log, const uint64_t *p, size_t n)
{
	const char *id, *name;
	size_t id_len, name_len, words, more;
	struct iot_map *m;

	if (n < 5 || p[0] >= p[1])
		return false;
	if (!iot_inline_bytes(log, p + 3, n - 3, &id, &id_len, &words) || 3 + words >= n ||
	    !iot_inline_bytes(log, p + 3 + words, n - 3 - words, &name, &name_len, &more))
		return false;
	log->map = iot_grow(log->map, &log->cap_maps, log->n_maps + 1, sizeof(*log->map));
	m = &log->map[log->n_maps++];
	*m = (struct iot_map){
		.start = p[0],
		.end = p[1],
		.offset = p[2],
		.name = iot_arena_copy(&log->arena, name, name_len),
		.build_id = (unsigned char *)iot_arena_copy(&log->arena, id, id_len),
		.build_id_len = id_len,
		.since = 3 + words + more < n ? p[3 + words + more] : 0,
	};
	return true;
}

/* By address, then by time; of two of the same time the one defined later comes last. */
static int by_start(const void *a, const void *b)
{
	const struct iot_map *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->since != y->since)
		return x->since < y->since ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

void iot_maps_done(struct iot_log *log)
{
	uint64_t end = 0;
	size_t i;

	if (log->n_maps == log->n_sorted_maps)
		return;
	qsort(log->map, log->n_maps, sizeof(*log->map), by_start);
	log->maps_overlap = false;
	for (i = 0; i < log->n_maps; i++) {
		log->maps_overlap |= log->map[i].start < end;
		if (log->map[i].end > end)
			end = log->map[i].end;
	}
	log->n_sorted_maps = log->n_maps;
}

/* Whether a tells more than b of that time: the latest that had come, or else the first
   that was still to come. */
static bool is_better(const struct iot_map *a, const struct iot_map *b, uint64_t ticks)
{
	if (!b)
		return true;
	if (a->since <= ticks)
		return b->since > ticks || a->since >= b->since;
	return b->since > ticks && a->since < b->since;
}

const struct iot_map *iot_log_map(const struct iot_log *log, uint64_t address, uint64_t ticks)
{
	const struct iot_map *best = NULL;
	size_t lo = 0, hi = log->n_maps;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (log->map[mid].start <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo--) {
		const struct iot_map *m = &log->map[lo];

		if (address < m->end && is_better(m, best, ticks))
			best = m;
		if (!log->maps_overlap)
			break;
	}
	return best;
}

/* For how long around ticks the address is the same place. */
static void narrow(const struct iot_log *log, uint64_t address, struct iot_stack_at *at)
{
	const struct iot_map *now = iot_log_map(log, address, at->ticks);
	size_t i;

	for (i = 0; i < log->n_maps && log->map[i].start <= address; i++) {
		uint64_t since = log->map[i].since;

		if (address >= log->map[i].end)
			continue;
		if (since > at->ticks && since < at->to && &log->map[i] != now)
			at->to = since;
		if (since <= at->ticks && since > at->from)
			at->from = since;
	}
}

const struct iot_stack *iot_call_stack(const struct iot_call *call)
{
	struct iot_log *log = call->log;
	struct iot_stack_at *first = log->stack_used, *at;
	uint32_t i;

	if (!call->stack)
		return NULL;
	if (!first || first->stack.id != call->stack)
		log->stack_used = first = iot_idmap_get(&log->stack, call->stack);
	if (!first || !log->maps_overlap)
		return first ? &first->stack : NULL;
	/* of a log that grows, what was said before more was known does not count */
	for (at = first; at; at = at->next)
		if (at->n_maps == log->n_maps && call->ticks >= at->from && call->ticks < at->to)
			return &at->stack;
	at = first;
	if (first->n_maps || first->stack.user) {
		at = iot_arena_alloc(&log->arena, sizeof(*at));
		*at = *first;
		at->stack.user = NULL;
		/* calls come by time: it is asked for next */
		first->next = at;
	}
	at->n_maps = log->n_maps;
	at->ticks = call->ticks;
	at->from = 0;
	at->to = UINT64_MAX;
	for (i = 0; i < at->stack.n; i++)
		narrow(log, at->stack.pc[i] - 1, at);
	return &at->stack;
}
