/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.c - pools: free pieces of one size, linked through their first word.  The head
 * counts in its upper 16 bits, so that one that came back in the meantime is
 * not taken for one that never left.  Memory of a pool is never unmapped: a
 * piece's first word can be read whoever has it.
 * arena.c has the pages that they are cut from.
 */
#include "pool.h"

#define POINTER ((1ULL << 48) - 1)

/* Those from first to last, which are linked. */
void iot_pool_put_row(struct iot_pool *p, void *first, void *last)
{
	uint64_t head = __atomic_load_n(&p->head, __ATOMIC_RELAXED), to;

	do {
		*(uint64_t *)last = head & POINTER;
		to = (uintptr_t)first | ((head & ~POINTER) + POINTER + 1);
	} while (!__atomic_compare_exchange_n(&p->head, &head, to, false, __ATOMIC_RELEASE,
					      __ATOMIC_RELAXED));
}

void iot_pool_put(struct iot_pool *p, void *piece)
{
	iot_pool_put_row(p, piece, piece);
}

/* A piece that came back, with anything in it, or NULL. */
void *iot_pool_pop(struct iot_pool *p)
{
	uint64_t head = __atomic_load_n(&p->head, __ATOMIC_ACQUIRE), to;

	while (head & POINTER) {
		to = __atomic_load_n((uint64_t *)(uintptr_t)(head & POINTER), __ATOMIC_RELAXED);
		to = (to & POINTER) | ((head & ~POINTER) + POINTER + 1);
		if (__atomic_compare_exchange_n(&p->head, &head, to, false, __ATOMIC_ACQUIRE,
						__ATOMIC_ACQUIRE))
			return (void *)(uintptr_t)(head & POINTER);
	}
	return NULL;
}
