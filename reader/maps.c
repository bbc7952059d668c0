/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * maps.c - which file lay at an address, and when.
 *
 * A mapping is there from the call that brought it on, and until another takes (some
 * of) its place: plugins that are loaded after each other may have the same addresses,
 * and their stacks the same numbers.  So what a stack means depends on when the call
 * was; for each time at which it means something else there is a struct iotr_stack.
 * A process that was forked has what its parent had then; what either of them maps
 * later is its own.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "define.h"
#include "starve.h"

bool iotr_maps_add(struct iotr_log *log, uint32_t process, const uint64_t *p, size_t n)
{
	size_t id_len, name_len, words, more, at = IOT_DEF_MAP_NAMES;
	const char *id, *name;
	struct iotr_map *m;

	if (n < 5 || p[0] >= p[1] || !iotr_inline_bytes(log, p + at, n - at, &id, &id_len, &words))
		return false;
	at += words;
	if (at >= n || !iotr_inline_bytes(log, p + at, n - at, &name, &name_len, &more))
		return false;
	at += more;
	log->map = iotr_grow(log->map, &log->cap_maps, log->n_maps + 1, sizeof(*log->map));
	iotr_process_get(log, process, 0)->maps = true;
	m = &log->map[log->n_maps++];
	*m = (struct iotr_map){
		.start = p[0],
		.end = p[1],
		.offset = p[2],
		.name = iotr_arena_copy(&log->arena, name, name_len),
		.build_id = (unsigned char *)iotr_arena_copy(&log->arena, id, id_len),
		.build_id_len = id_len,
		.process = process,
		.since = at < n ? p[at] : 0,
	};
	return true;
}

/* By address, then by time; of two of the same time the one defined later comes last. */
static int by_start(const void *a, const void *b)
{
	const struct iotr_map *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->since != y->since)
		return x->since < y->since ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static int by_process(const void *a, const void *b)
{
	const struct iotr_map *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return by_start(a, b);
}

/* While no two are at one address, it does not matter whose they are. */
void iotr_maps_done(struct iotr_log *log)
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
	if (log->maps_overlap)
		qsort(log->map, log->n_maps, sizeof(*log->map), by_process);
	log->n_sorted_maps = log->n_maps;
}

/* How many come before the first that begins behind address, or that is of a process with a
   greater number. */
static size_t count_to(const struct iotr_log *log, uint32_t process, uint64_t address)
{
	size_t lo = 0, hi = log->n_maps;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct iotr_map *m = &log->map[mid];

		if (log->maps_overlap && m->process != process ? m->process < process : m->start <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Whether a tells more than b of that time: the latest that had come, or else the first
   that was still to come. */
static bool is_better(const struct iotr_map *a, const struct iotr_map *b, uint64_t ticks)
{
	if (!b)
		return true;
	if (a->since <= ticks)
		return b->since > ticks || a->since >= b->since;
	return b->since > ticks && a->since < b->since;
}

/* What a process has at an address, of what it mapped itself until then. */
static const struct iotr_map *own_map(const struct iotr_log *log, uint32_t process,
				      uint64_t address, uint64_t ticks, uint64_t until)
{
	const struct iotr_map *best = NULL;
	size_t i = count_to(log, process, address);

	while (i-- && log->map[i].process == process) {
		const struct iotr_map *m = &log->map[i];

		if (address < m->end && m->since <= until && is_better(m, best, ticks))
			best = m;
	}
	return best;
}

const struct iotr_map *iotr_log_map(const struct iotr_log *log, uint32_t process, uint64_t address,
				    uint64_t ticks)
{
	const struct iotr_process *p = iotr_log_process(log, process);
	const struct iotr_map *m = NULL;
	uint64_t until = UINT64_MAX;
	unsigned i;

	if (!log->maps_overlap) {
		size_t n = count_to(log, process, address);

		return n && address < log->map[n - 1].end ? &log->map[n - 1] : NULL;
	}
	/* its own, or what an ancestor had when the next one was forked */
	for (i = 0; i < IOTR_ANCESTORS && p && (!m || m->since > ticks); i++) {
		const struct iotr_map *its =
			p->maps ? own_map(log, p->number, address, ticks, until) : NULL;

		if (its && is_better(its, m, ticks))
			m = its;
		if (p->ticks < until)
			until = p->ticks;
		p = iotr_process_parent(log, p);
	}
	return m;
}

/* For how long around ticks the address is the same place. */
static void narrow(const struct iotr_log *log, uint64_t address, struct iotr_stack_at *at)
{
	const struct iotr_map *now = iotr_log_map(log, at->process, address, at->ticks), *m;
	size_t i = count_to(log, at->process, address);

	if (now && now->since <= at->ticks && now->since > at->from)
		at->from = now->since;
	while (i-- && (m = &log->map[i])->process == at->process)
		if (address < m->end && m != now && m->since > at->ticks && m->since < at->to)
			at->to = m->since;
}

static const struct iotr_stack *stack_of(const struct iotr_call *call)
{
	struct iotr_log *log = call->log;
	struct iotr_stack_at *first = log->stack_used, *at;
	const struct iotr_process *p;
	uint64_t ticks = call->ticks;
	uint32_t i, process;

	if (!call->stack)
		return NULL;
	if (!first || first->stack.id != call->stack)
		log->stack_used = first = iotr_stack_get(log, call->stack);
	/* all of one may be the recorder's */
	if (!first || !first->stack.n)
		return NULL;
	if (!log->maps_overlap)
		return &first->stack;
	p = iotr_process_mapped(log, call->process, &ticks);
	process = p ? p->number : call->process;
	/* of a log that grows, what was said before more was known does not count */
	for (at = first; at; at = at->next)
		if (at->n_maps == log->n_maps && at->process == process && ticks >= at->from &&
		    ticks < at->to)
			return &at->stack;
	at = first;
	if (first->n_maps || first->stack.user) {
		at = iotr_stack_new(log, 0);
		*at = *first;
		at->stack.user = NULL;
		at->stack.drop = NULL;
		/* calls come by time: it is asked for next */
		first->next = at;
	}
	at->n_maps = log->n_maps;
	at->process = process;
	at->ticks = ticks;
	at->from = 0;
	at->to = UINT64_MAX;
	for (i = 0; i < at->stack.n; i++)
		narrow(log, at->stack.pc[i] - 1, at);
	return &at->stack;
}

const struct iotr_stack *iotr_call_stack(const struct iotr_call *call)
{
	const struct iotr_stack_at *used = call->log->stack_used;
	const struct iotr_stack *got;
	struct iotr_guard guard;

	/* the one that was asked for last, which needs no memory */
	if (used && used->stack.id == call->stack && used->stack.n && !call->log->maps_overlap)
		return &used->stack;
	if (!IOTR_TRY(&guard)) {
		iotr_starved_log(call->log);
		return NULL;
	}
	got = stack_of(call);
	iotr_guard_end(&guard);
	return got;
}

uint64_t iotr_call_since(const struct iotr_call *call)
{
	const struct iotr_stack *stack;

	if (!call->stack || !call->log->maps_overlap)
		return 0;
	stack = iotr_call_stack(call);
	return stack ? ((const struct iotr_stack_at *)stack)->from : 0;
}
