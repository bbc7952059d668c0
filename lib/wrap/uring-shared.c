/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring-shared.c - io_urings that a process has in common with those that it forks.  They see the
 * same queues, and any of them may find a request there that another one put into it, or a
 * completion of such a request.  What one of them has recorded is noted in memory that all of them
 * have, so that each request and each completion has one record, and what none has is counted once.
 *
 * Which process a completion belongs to is known by its user_data.  If several have a request with
 * that user_data in flight, the first that looks takes it.
 */
#include "uring-ring.h"

#include "arena.h"

struct iot_ring_common {
	uint32_t accounted;		/* requests before were recorded by one of them, or counted as lost */
	uint32_t overflown;		/* of cq_overflow, what was counted */
	/* by place: the last request, and behind these the last completion, that was recorded */
	uint32_t last[];
};

static size_t size_of(const struct iot_ring *r)
{
	return sizeof(struct iot_ring_common) + ((size_t)r->sq_entries + r->cq_entries) * sizeof(uint32_t);
}

void iot_ring_share(struct iot_ring *r)
{
	struct iot_ring_common *fresh, *is = NULL;
	long error;

	r->shared = true;
	if (__atomic_load_n(&r->common, __ATOMIC_ACQUIRE))
		return;
	fresh = iot_map_inherited(size_of(r), -1, 0, &error);
	if (!fresh)
		return;
	fresh->accounted = __atomic_load_n(&r->claimed, __ATOMIC_ACQUIRE);
	fresh->overflown = r->overflown;
	/* before all that is still to be recorded */
	for (uint32_t i = 0; i < r->sq_entries; i++)
		fresh->last[i] = r->recorded - 1;
	for (uint32_t i = 0; i < r->cq_entries; i++)
		fresh->last[r->sq_entries + i] = r->seen - 1;
	if (!__atomic_compare_exchange_n(&r->common, &is, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		iot_unmap_inherited(fresh, size_of(r));
}

void iot_ring_unshare(struct iot_ring *r)
{
	if (r->common)
		iot_unmap_inherited(r->common, size_of(r));
	r->common = NULL;
}

/* Moves the word on to there; returns how far. */
static uint32_t advance(uint32_t *word, uint32_t to)
{
	uint32_t is = __atomic_load_n(word, __ATOMIC_ACQUIRE);

	while ((int32_t)(to - is) > 0)
		if (__atomic_compare_exchange_n(word, &is, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return to - is;
	return 0;
}

bool iot_ring_takes_request(const struct iot_ring *r, uint32_t at)
{
	return advance(&r->common->last[at & (r->sq_entries - 1)], at) > 0;
}

bool iot_ring_takes_completion(const struct iot_ring *r, uint32_t at)
{
	return advance(&r->common->last[r->sq_entries + (at & (r->cq_entries - 1))], at) > 0;
}

uint32_t iot_ring_accounts(const struct iot_ring *r, uint32_t to)
{
	return advance(&r->common->accounted, to);
}

uint32_t iot_ring_overflows(const struct iot_ring *r, uint32_t to)
{
	return advance(&r->common->overflown, to);
}
