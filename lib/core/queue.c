/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c - numbers that wait for whoever takes one: queue.h. */
#include "queue.h"

void iot_queue_put(struct iot_queue *q, bool seen, iot_next_fn *next, const void *of, uint32_t n)
{
	uint64_t *head = &q->head[(__atomic_load_n(&q->turn, __ATOMIC_RELAXED) + seen) & 1];
	uint64_t was = __atomic_load_n(head, __ATOMIC_RELAXED), to;
	uint32_t *at = next(of, n);

	if (!at)
		return;
	do {
		__atomic_store_n(at, (uint32_t)was, __ATOMIC_RELAXED);
		to = ((was >> 32) + 1) << 32 | (n + 1);
	} while (!__atomic_compare_exchange_n(head, &was, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

/* A number that is now the caller's. */
bool iot_queue_take(struct iot_queue *q, iot_next_fn *next, const void *of, uint32_t *n)
{
	/* what others do meanwhile may make this fail, but not for long */
	for (int i = 0; i < 100; i++) {
		uint32_t turn = __atomic_load_n(&q->turn, __ATOMIC_ACQUIRE);
		uint64_t *head = &q->head[turn & 1], was = __atomic_load_n(head, __ATOMIC_ACQUIRE), to;
		const uint32_t *at;

		if (!(uint32_t)was) {
			/* all have been looked at: from the beginning */
			if (!(uint32_t)__atomic_load_n(&q->head[(turn + 1) & 1], __ATOMIC_RELAXED))
				return false;
			__atomic_compare_exchange_n(&q->turn, &turn, turn + 1, false, __ATOMIC_ACQ_REL,
						    __ATOMIC_RELAXED);
			continue;
		}
		*n = (uint32_t)was - 1;
		at = next(of, *n);
		if (!at)
			return false;
		to = ((was >> 32) + 1) << 32 | __atomic_load_n(at, __ATOMIC_RELAXED);
		if (__atomic_compare_exchange_n(head, &was, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return true;
	}
	return false;
}
