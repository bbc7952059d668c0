/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linux-ring.c - the completion rings of the kernel's asynchronous I/O: linux-ring.h.
 *
 * Each completion is claimed once, by a compare-and-swap of the number of those before it.  Any
 * thread may claim, and no lock is needed: the operation is looked up before the claim, and a
 * control block is used again only by an io_submit(2) that has claimed all there was.  So what
 * the look-up finds is the operation that this completion ends, and no later one.
 *
 * The kernel keeps a place in the ring for each operation in flight.  As each io_submit(2) is
 * preceded by a look, no more can complete between two looks than there are places.
 *
 * A forked child has no context of its parent's: it finds the table empty.
 */
#include "linux-ring.h"

#include "arch-cpu.h"
#include "arena.h"
#include "compiler.h"
#include "fetch.h"
#include "hooks.h"
#include "mapped.h"
#include "sys.h"

#define RINGS 128u
#define MAGIC 0xa10a10a1u
#define GOING (1u << 31)		/* with holders: nobody may begin to look */

/* As the kernel lays it out. */
struct ring {
	uint32_t id, places, head, tail, magic, compat, incompat, header;
	struct iot_aio_event event[];
};

struct iot_aio_ring {
	uintptr_t context;		/* the ring's address; 0: free, 1: being filled */
	uintptr_t queue;		/* its first address, which its operations are known by */
	uint32_t holders;
	uint32_t places;
	uint64_t claimed;		/* completions, from the first on */
	uint64_t empty;			/* ticks, when all were claimed */
};

static struct iot_aio_ring *rings;

static struct iot_aio_ring *the_rings(void)
{
	struct iot_aio_ring *is = __atomic_load_n(&rings, __ATOMIC_ACQUIRE), *fresh;

	if (is)
		return is;
	fresh = iot_map_wiped(RINGS * sizeof(*fresh));
	if (!fresh || __atomic_compare_exchange_n(&rings, &is, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return fresh;
	return is;
}

static struct iot_aio_ring *find(uintptr_t context)
{
	struct iot_aio_ring *r = __atomic_load_n(&rings, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; r && i < RINGS; i++)
		if (__atomic_load_n(&r[i].context, __ATOMIC_ACQUIRE) == context)
			return &r[i];
	return NULL;
}

static uint64_t size_of(uint32_t places)
{
	return sizeof(struct ring) + (uint64_t)places * sizeof(struct iot_aio_event);
}

void iot_aio_ring_new(uintptr_t context)
{
	struct iot_aio_ring *r = the_rings();
	struct ring is;

	/* 0 and 1 are no contexts */
	if (!r || context <= 1 || find(context) || !iot_fetch(&is, (const void *)context, sizeof(is)) || is.magic != MAGIC ||
	    is.header != sizeof(is) || !is.places || is.tail >= is.places)
		return;
	for (uint32_t i = 0; i < RINGS; i++, r++) {
		uintptr_t free = 0;

		if (!__atomic_compare_exchange_n(&r->context, &free, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		r->places = is.places;
		r->queue = context;
		r->claimed = is.tail;
		r->empty = iot_ticks();
		/* others may be about to find that it is not theirs */
		__atomic_fetch_and(&r->holders, ~GOING, __ATOMIC_RELAXED);
		__atomic_store_n(&r->context, context, __ATOMIC_RELEASE);
		/* calls that move it, or take it away, are of interest from now on */
		iot_mapped_note(context, size_of(is.places));
		return;
	}
}

struct iot_aio_ring *iot_aio_ring_hold(uintptr_t context)
{
	struct iot_aio_ring *r = context > 1 ? find(context) : NULL;

	if (!r)
		return NULL;
	if (!(__atomic_add_fetch(&r->holders, 1, __ATOMIC_ACQ_REL) & GOING) &&
	    __atomic_load_n(&r->context, __ATOMIC_ACQUIRE) == context)
		return r;
	iot_aio_ring_let_go(r);
	return NULL;
}

void iot_aio_ring_let_go(struct iot_aio_ring *r)
{
	__atomic_sub_fetch(&r->holders, 1, __ATOMIC_RELEASE);
}

bool iot_aio_ring_next(struct iot_aio_ring *r, struct iot_aio_event *e, struct iot_operation *op)
{
	const struct ring *in = (const struct ring *)r->context;
	uint64_t claimed = __atomic_load_n(&r->claimed, __ATOMIC_ACQUIRE);

	do {
		uint32_t at = (uint32_t)(claimed % r->places);

		/* a handler of this thread's may have destroyed the context */
		if (__atomic_load_n(&r->holders, __ATOMIC_RELAXED) & GOING ||
		    __atomic_load_n(&in->tail, __ATOMIC_ACQUIRE) == at)
			return false;
		*e = in->event[at];
		if (!iot_operation_look(r->queue, e->block, op))
			*op = (struct iot_operation){ .queue = r->queue, .name = e->block };
	} while (!__atomic_compare_exchange_n(&r->claimed, &claimed, claimed + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	iot_operation_drop(op);
	return true;
}

uint64_t iot_aio_ring_empty(struct iot_aio_ring *r)
{
	return __atomic_exchange_n(&r->empty, iot_ticks(), __ATOMIC_RELAXED);
}

void iot_aio_ring_gone(uintptr_t context)
{
	struct iot_aio_ring *r = context > 1 ? find(context) : NULL;

	if (!r || __atomic_fetch_or(&r->holders, GOING, __ATOMIC_ACQ_REL) & GOING)
		return;
	/* those who look are through in a moment; of this thread itself one may, beneath a handler */
	for (int i = 0; i < 100000 && __atomic_load_n(&r->holders, __ATOMIC_ACQUIRE) != GOING; i++)
		iot_syscall(SYS_sched_yield);
	iot_mapped_forget(context, size_of(r->places));
	__atomic_store_n(&r->context, 0, __ATOMIC_RELEASE);
}

uintptr_t iot_aio_ring_queue(uintptr_t context)
{
	const struct iot_aio_ring *r = context > 1 ? find(context) : NULL;

	return r ? r->queue : context;
}

/* The kernel knows a ring by its new address at once, and does without one that is unmapped. */
void iot_linux_aio_unmapped(uintptr_t from, uint64_t size, uintptr_t to)
{
	struct iot_aio_ring *r = __atomic_load_n(&rings, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; r && i < RINGS; i++) {
		uintptr_t context = __atomic_load_n(&r[i].context, __ATOMIC_ACQUIRE);

		if (context <= 1 || context >= from + size || context + size_of(r[i].places) <= from)
			continue;
		if (to && context == from)
			__atomic_store_n(&r[i].context, to, __ATOMIC_RELEASE);
		else
			iot_aio_ring_gone(context);
	}
}

void iot_aio_rings_each(void (*what)(uintptr_t context, void *), void *with)
{
	struct iot_aio_ring *r = __atomic_load_n(&rings, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; r && i < RINGS; i++) {
		uintptr_t context = __atomic_load_n(&r[i].context, __ATOMIC_ACQUIRE);

		/* whoever took it away may have made no call that is seen */
		if (context > 1 && iot_is_memory((const void *)context, size_of(r[i].places)))
			what(context, with);
	}
}
