/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * aside.c - definitions of blocks that could not be written, for which the emptied window
 * had no room either.  Later records refer to them, so they wait in memory, in pieces that are
 * blocks once there is space in the log again (window.c).
 *
 * Whoever adds some or writes them takes all there are, and gives back what is left.  A thread that
 * comes meanwhile finds none, and begins a piece of its own.
 */
#include "aside.h"

#include "arena.h"

#include <string.h>

#define SIZE 16384u			/* of a piece: no more than the smallest IOTRACE_BUFFER */
#define MOST 64u

static struct iot_aside *pieces;
static uint32_t n_pieces;

bool iot_aside_any(void)
{
	return __atomic_load_n(&pieces, __ATOMIC_RELAXED);
}

/* All of them.  Nobody else has them until they are put back. */
struct iot_aside *iot_aside_take(void)
{
	return iot_aside_any() ? __atomic_exchange_n(&pieces, NULL, __ATOMIC_ACQ_REL) : NULL;
}

void iot_aside_put(struct iot_aside *first)
{
	struct iot_aside *last = first, *was = __atomic_load_n(&pieces, __ATOMIC_RELAXED);

	if (!first)
		return;
	while (last->next)
		last = last->next;
	do {
		last->next = was;
	} while (!__atomic_compare_exchange_n(&pieces, &was, first, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

/* Returns the piece that comes behind it. */
struct iot_aside *iot_aside_free(struct iot_aside *a)
{
	struct iot_aside *next = a->next;

	iot_unmap(a, SIZE);
	__atomic_fetch_sub(&n_pieces, 1, __ATOMIC_RELAXED);
	return next;
}

/* Adds a definition to the pieces from a on, if there is room.  Returns the first of them. */
struct iot_aside *iot_aside_add(struct iot_aside *a, const uint64_t *p, uint32_t words)
{
	const uint64_t size = 8ULL * words;
	struct iot_aside *fresh;

	if (sizeof(*a) + size > SIZE)
		return a;
	if (!a || sizeof(*a) + a->used + size > SIZE) {
		fresh = __atomic_add_fetch(&n_pieces, 1, __ATOMIC_RELAXED) > MOST ? NULL : iot_map(SIZE);
		if (!fresh) {
			__atomic_fetch_sub(&n_pieces, 1, __ATOMIC_RELAXED);
			return a;
		}
		fresh->next = a;
		a = fresh;
	}
	memcpy(a->data + a->used, p, size);
	a->used += (uint32_t)size;
	a->n++;
	return a;
}
