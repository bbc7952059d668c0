/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack-tree.c - the frames of stacks that have an id, each once, with its caller.
 *
 * A frame is another one if its address is, and those of all its callers, compared one by
 * one.  Where it may be follows from a hash over them: a path from one of the roots, two
 * bits a step, on which every frame lies that has been added.  What is there is never
 * changed nor taken away, but for links that were 0.  So any thread may look, and add what
 * it needs, a handler on it too, and a forked child goes on with what it finds.
 *
 * There is room for so many.  More are not added, nor one whose path is full to its end.
 */
#include "stack-tree.h"

#include "arch-cpu.h"
#include "arena.h"
#include "each-process.h"

#include <string.h>

#define IN_PAGE ((uint32_t)IOT_PAGE / (uint32_t)sizeof(struct iot_frame))
#define CHUNKS	12			/* of 1, 1, 2, 4, 8... pages: 8 MiB */
#define ROOM	(IOT_FEW_FRAMES + (IN_PAGE << (CHUNKS - 1)))

/* What is in a frame's `caller': the number, 0 for nobody, and bits of the frame's own hash,
   the last that its path would depend on.  They tell most others without a look at their
   callers. */
#define CALLER_BITS 19
#define CALLER	    ((1u << CALLER_BITS) - 1)
_Static_assert(ROOM <= CALLER, "numbers fit");

static struct iot_frame *chunks[CHUNKS];

static uint32_t chunk_of(uint32_t i)
{
	return i < IN_PAGE ? 0 : 32 - (uint32_t)__builtin_clz(i / IN_PAGE);
}

static uint32_t first_in(uint32_t chunk)
{
	return chunk ? IN_PAGE << (chunk - 1) : 0;
}

/* One that has been made. */
static struct iot_frame *at(uint32_t number)
{
	uint32_t i = number - 1, k;

	if (i < IOT_FEW_FRAMES)
		return &iot_each.frame[i];
	i -= IOT_FEW_FRAMES;
	k = chunk_of(i);
	return __atomic_load_n(&chunks[k], __ATOMIC_ACQUIRE) + (i - first_in(k));
}

/* The number of a new one; 0: there is no room. */
static uint32_t make(uint32_t hash, uint64_t pc, uint32_t caller, uint32_t id)
{
	uint32_t number, k;

	if (!iot_tree_has_room(1))
		return 0;
	number = __atomic_add_fetch(&iot_each.n_frames, 1, __ATOMIC_RELAXED);
	if (number > ROOM)
		return 0;
	if (number > IOT_FEW_FRAMES) {
		k = chunk_of(number - 1 - IOT_FEW_FRAMES);
		if (!iot_map_once(&chunks[k], (k ? first_in(k) : IN_PAGE) * sizeof(struct iot_frame)))
			return 0;
	}
	*at(number) = (struct iot_frame){ .pc = pc, .caller = caller | (hash & ~CALLER), .id = id };
	return number;
}

/* Whether it is the frame at pc, with its callers, n in all. */
static bool is(uint32_t number, uint32_t hash, const uintptr_t *pc, uint32_t n)
{
	if ((at(number)->caller ^ hash) & ~CALLER)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct iot_frame *f;

		if (!number)
			return false;
		f = at(number);
		if (f->pc != pc[i])
			return false;
		number = f->caller & CALLER;
	}
	return !number;
}

/* The link that leads to that frame, or that would, and is 0.  NULL: its path is full. */
static uint32_t *seek(uint32_t hash, const uintptr_t *pc, uint32_t n)
{
	uint32_t *link = &iot_each.root[hash % IOT_ROOTS];

	for (uint32_t left = hash / IOT_ROOTS, bits = 32 - 6;; left >>= 2, bits -= 2) {
		uint32_t number = __atomic_load_n(link, __ATOMIC_ACQUIRE);

		if (!number || is(number, hash, pc, n))
			return link;
		if (!bits)
			return NULL;
		link = &at(number)->next[left & 3];
	}
}

/* The number of that frame; 0: it is not there. */
uint32_t iot_tree_find(uint32_t hash, const uintptr_t *pc, uint32_t n)
{
	const uint32_t *link = seek(hash, pc, n);

	return link ? __atomic_load_n(link, __ATOMIC_ACQUIRE) : 0;
}

uint32_t iot_tree_id(uint32_t number)
{
	return at(number)->id;
}

bool iot_tree_has_room(uint32_t n)
{
	return __atomic_load_n(&iot_each.n_frames, __ATOMIC_RELAXED) <= ROOM - n;
}

/* Adds it: its number, or that of the same which another thread has added meanwhile; 0:
   there is no room. */
uint32_t iot_tree_add(uint32_t hash, const uintptr_t *pc, uint32_t n, uint32_t caller, uint32_t id)
{
	uint32_t number = make(hash, *pc, caller, id), *link;

	while (number && (link = seek(hash, pc, n))) {
		uint32_t found = 0;

		if (__atomic_compare_exchange_n(link, &found, number, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return number;
		if (is(found, hash, pc, n))
			return found;
	}
	return 0;
}

/* There is no log that they could be in. */
void iot_tree_forget(void)
{
	memset(iot_each.root, 0, sizeof(iot_each.root));
	iot_each.n_frames = 0;
}
