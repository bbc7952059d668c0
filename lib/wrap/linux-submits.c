/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linux-submits.c - the calls that submit requests to the kernel's asynchronous I/O now: linux-submits.h.
 *
 * A call notes its list of control blocks before it is made, and takes the note back once it has told
 * what it began.  The list is read by those alone who see an end too early: it lies in the
 * program's memory, and stays there as long as the call is in progress.  A call that the program
 * leaves by longjmp(3), or by an exception, takes its note back through iot_linux_aio_left: its
 * list may be something else from then on.
 *
 * A note whose place is gone is not missed: an operation has no start then.
 * A forked child submits nothing yet: it finds the table empty.
 */
#include "linux-submits.h"

#include "arena.h"
#include "call.h"
#include "fetch.h"
#include "hooks.h"
#include "operation.h"
#include "thread.h"

#define PLACES 256u			/* calls at once, a power of two */
#define AT_ONCE 64u			/* addresses that are read with one copy */
#define MANY 65536u			/* no more blocks of a list are looked at */
#define FREE 0ULL
#define CLAIMED 1ULL			/* being filled, or taken back */

static struct note {
	uint64_t start;			/* of the call, or one of these */
	const struct iot_thread *by;
	uintptr_t context, list;
	uint64_t n;
	uint64_t near;			/* the block that was found last: the next to end is mostly behind it */
} *notes;

static struct note *the_notes(void)
{
	struct note *is = __atomic_load_n(&notes, __ATOMIC_ACQUIRE), *fresh;

	if (is)
		return is;
	fresh = iot_map_wiped(PLACES * sizeof(*fresh));
	if (!fresh || __atomic_compare_exchange_n(&notes, &is, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return fresh;
	return is;
}

/* Where the search for a thread's notes begins: threads rarely meet there. */
static uint32_t place_of(const struct iot_thread *t)
{
	return (uint32_t)(((uintptr_t)t * 0x9e3779b97f4a7c15ULL) >> 40);
}

void iot_aio_submits(const struct iot_call *c, uintptr_t context, uint64_t n, uintptr_t list)
{
	struct note *all = the_notes();
	uint32_t at = place_of(c->t);

	for (uint32_t i = 0; all && i < PLACES; i++) {
		struct note *it = &all[(at + i) % PLACES];

		if (__atomic_load_n(&it->start, __ATOMIC_RELAXED) != FREE || !iot_operation_swap(&it->start, FREE, CLAIMED))
			continue;
		it->by = c->t;
		it->context = context;
		it->list = list;
		it->n = n < MANY ? n : MANY;
		it->near = 0;
		__atomic_store_n(&it->start, c->start, __ATOMIC_RELEASE);
		return;
	}
}

/* The thread's call that began then is over. */
static void take_back(const struct iot_thread *t, uint64_t start)
{
	struct note *all = __atomic_load_n(&notes, __ATOMIC_ACQUIRE);
	uint32_t at = place_of(t);

	for (uint32_t i = 0; all && i < PLACES; i++) {
		struct note *it = &all[(at + i) % PLACES];

		if (__atomic_load_n(&it->start, __ATOMIC_RELAXED) != start || it->by != t)
			continue;
		__atomic_store_n(&it->start, FREE, __ATOMIC_RELEASE);
		return;
	}
}

void iot_aio_submitted(const struct iot_call *c)
{
	take_back(c->t, c->start);
}

void iot_linux_aio_left(const struct iot_thread *t, uint64_t start)
{
	take_back(t, start);
}

/* Whether the block is in that part of the list. */
static bool lists(struct note *it, const struct note *is, uint64_t from, uint64_t to, uintptr_t block)
{
	uintptr_t some[AT_ONCE];

	for (uint64_t n; from < to; from += n) {
		n = to - from < AT_ONCE ? to - from : AT_ONCE;
		if (!iot_fetch(some, (const uintptr_t *)is->list + from, n * sizeof(*some)))
			return false;
		for (uint64_t i = 0; i < n; i++)
			if (some[i] == block) {
				__atomic_store_n(&it->near, from + i, __ATOMIC_RELAXED);
				return true;
			}
	}
	return false;
}

uint64_t iot_aio_submitting(uintptr_t context, uintptr_t block)
{
	struct note *all = __atomic_load_n(&notes, __ATOMIC_ACQUIRE);
	uint64_t first = 0;

	for (uint32_t i = 0; all && i < PLACES; i++) {
		uint64_t start = __atomic_load_n(&all[i].start, __ATOMIC_ACQUIRE);
		struct note is;

		if (start == FREE || start == CLAIMED || (first && start >= first))
			continue;
		is = all[i];
		/* the call may be over, and another one's note be there now */
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&all[i].start, __ATOMIC_RELAXED) != start || is.context != context)
			continue;
		if (is.near > is.n)
			is.near = 0;
		if (lists(&all[i], &is, is.near, is.n, block) || lists(&all[i], &is, 0, is.near, block))
			first = start;
	}
	return first;
}
