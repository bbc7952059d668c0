/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stacks.c - stacks as a log defines them, and their return addresses.
 *
 * A log may have very many.  They are kept as they lie in it: some bytes for each.  Those
 * that are asked for are spelled out, and kept while they are not too many.  What a log
 * says may be anything: an id that leads nowhere, or on and on.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "define.h"

/* The recorder stores no more than 64. */
#define MAX_DEPTH 255
/* Return addresses that are kept spelled out. */
#define MAX_KEPT (1u << 18)

/* Frames that were defined together. */
struct iotr_branch {
	uint32_t first, caller;
	const uint8_t *bytes; /* as in the log */
};

static unsigned n_frames(const struct iotr_branch *b)
{
	return b->bytes[0] & IOT_FRAMES_MAX;
}

/* How many ids it has. */
static uint32_t n_ids(const struct iotr_branch *b)
{
	return b->bytes[0] & IOT_FRAMES_ONE_ID ? 1 : n_frames(b);
}

static void add(struct iotr_log *log, uint64_t first, uint64_t caller, const void *bytes,
		size_t size)
{
	struct iotr_branch *b;

	log->branch = iotr_grow(log->branch, &log->cap_branches, log->n_branches + 1, sizeof(*b));
	b = &log->branch[log->n_branches];
	*b = (struct iotr_branch){(uint32_t)first, (uint32_t)caller,
				  (const uint8_t *)iotr_arena_copy(&log->arena, bytes, size)};
	if (log->n_branches && b[-1].first > b->first)
		log->branches_mixed = true;
	log->n_branches++;
}

bool iotr_frames_define(struct iotr_log *log, const uint64_t *p, size_t n)
{
	const uint8_t *bytes = (const uint8_t *)(p + 1), *end = (const uint8_t *)(p + n), *at = bytes + 1;
	uint64_t first, caller, pc = 0;
	unsigned i, frames;

	if (n < 2)
		return false;
	first = (uint32_t)p[0];
	caller = p[0] >> 32;
	frames = bytes[0] & IOT_FRAMES_MAX;
	if (!frames || caller >= first || first + frames > UINT32_MAX)
		return false;
	for (i = 0; i < frames; i++) {
		at = iot_frame_get(at, end, &pc);
		if (!at)
			return false;
	}
	add(log, first, caller, bytes, (size_t)(at - bytes));
	return true;
}

bool iotr_stack_define(struct iotr_log *log, const uint64_t *p, size_t n)
{
	uint8_t bytes[8 * IOT_FRAMES_WORDS(IOT_FRAMES_MAX)], *at = bytes;
	uint64_t before = 0;

	if (n < 2 || !p[0] || p[0] > UINT32_MAX || p[1] > n - 2 || p[1] > IOT_FRAMES_MAX)
		return false;
	n = p[1];
	*at++ = (uint8_t)(n | IOT_FRAMES_ONE_ID);
	while (n--) {
		at = iot_frame_put(at, p[2 + n], before);
		before = p[2 + n];
	}
	add(log, p[0], 0, bytes, (size_t)(at - bytes));
	return true;
}

static int by_first(const void *a, const void *b)
{
	const struct iotr_branch *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

void iotr_stacks_done(struct iotr_log *log)
{
	if (log->branches_mixed)
		qsort(log->branch, log->n_branches, sizeof(*log->branch), by_first);
	log->branches_mixed = false;
}

/* The frames among which the innermost one of a stack is; NULL: it is not defined. */
static const struct iotr_branch *branch_of(const struct iotr_log *log, uint32_t id)
{
	size_t lo = 0, hi = log->n_branches;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (log->branch[mid].first <= id)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || id - log->branch[lo - 1].first >= n_ids(&log->branch[lo - 1]))
		return NULL;
	return &log->branch[lo - 1];
}

/* The return addresses of that stack's part of its branch, innermost first; returns how
   many there are. */
static unsigned spell(const struct iotr_branch *b, uint32_t id, uint64_t *to)
{
	unsigned all = n_frames(b), n = b->bytes[0] & IOT_FRAMES_ONE_ID ? all : id - b->first + 1, i;
	const uint8_t *at = b->bytes + 1;
	uint64_t pc = 0;

	for (i = n; i--;) {
		/* they were looked at: each of them ends */
		at = iot_frame_get(at, at + 10, &pc);
		to[i] = pc;
	}
	return n;
}

/* Does it return to the recorder, which stands between a call of the program's and libc? */
static bool is_own(const struct iotr_log *log, uint64_t pc)
{
	unsigned i;

	for (i = 0; i < log->n_own_code; i++)
		if (pc > log->own_code[i].from && pc <= log->own_code[i].to)
			return true;
	return false;
}

/* What of n return addresses is the program's: how many are left. */
static unsigned leave_out_own(const struct iotr_log *log, uint64_t *pc, unsigned n)
{
	unsigned i, left = 0;

	for (i = 0; i < n; i++)
		if (!is_own(log, pc[i]))
			pc[left++] = pc[i];
	return left;
}

/* All that there is of it; returns how many addresses.  *whole: all of it was found. */
static unsigned spell_all(struct iotr_log *log, uint32_t id, uint64_t *to, bool *whole)
{
	const struct iotr_branch *b;
	unsigned n = 0;

	*whole = false;
	while (id) {
		b = branch_of(log, id);
		if (!b) {
			log->n_bad_refs++;
			return n;
		}
		if (n + n_frames(b) > MAX_DEPTH) {
			iotr_say(log, IOTR_DAMAGE, "a stack has more than %d frames", MAX_DEPTH);
			break;
		}
		n += spell(b, id, to + n);
		/* a lower one: this comes to an end */
		id = b->caller;
	}
	*whole = true;
	return n;
}

void iotr_stacks_forget(struct iotr_log *log)
{
	size_t i;

	for (i = 0; log->stack.value && i <= log->stack.mask; i++) {
		struct iotr_stack_at *at = log->stack.value[i];

		for (; at; at = at->next)
			if (at->stack.drop)
				at->stack.drop(at->stack.user);
	}
	iotr_idmap_free(&log->stack);
	iotr_arena_free(&log->stack_arena);
	log->stack_used = NULL;
	log->n_kept = 0;
}

struct iotr_stack_at *iotr_stack_new(struct iotr_log *log, size_t frames)
{
	log->n_kept += sizeof(struct iotr_stack_at) / sizeof(uint64_t) + frames;
	return iotr_arena_alloc(&log->stack_arena,
				sizeof(struct iotr_stack_at) + frames * sizeof(uint64_t));
}

struct iotr_stack_at *iotr_stack_get(struct iotr_log *log, uint32_t id)
{
	struct iotr_stack_at *s = iotr_idmap_get(&log->stack, id);
	uint64_t pc[MAX_DEPTH];
	unsigned n;
	bool whole;

	if (s)
		return s;
	if (log->n_kept > MAX_KEPT)
		iotr_stacks_forget(log);
	if (!branch_of(log, id)) {
		log->n_bad_refs++;
		return NULL;
	}
	n = leave_out_own(log, pc, spell_all(log, id, pc, &whole));
	s = iotr_stack_new(log, n);
	s->stack.id = id;
	s->stack.n = n;
	s->stack.pc = memcpy(s + 1, pc, n * sizeof(*pc));
	/* the rest may still come */
	if (whole || !log->live)
		iotr_idmap_put(&log->stack, id, s);
	return s;
}
