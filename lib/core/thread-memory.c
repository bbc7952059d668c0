/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread-memory.c - the memory of recorders.  Structs are numbered.  They lie in batches of 1, 1,
 * 2, 4, 8... of them, which a forked child finds empty.  Those whose threads have ended, or
 * may have, wait in a queue (iot_each.ended).
 */
#include "thread-memory.h"

#include "arena.h"
#include "sys.h"
#include "thread.h"
#include "window.h"

#define BATCHES 24
static char *batches[BATCHES];

/* So many are looked at: those that ended last, of which a few are still on their way out of
   the kernel. */
#define STRUCT_TRIES 8

static bool has_ended(const struct iot_thread *t)
{
	return iot_sys_thread_ended(iot_each.pid, t->tid);
}

bool iot_thread_free(const struct iot_thread *t)
{
	return t->in_use == IOT_STRUCT_FREE || (t->in_use == IOT_STRUCT_ENDED && has_ended(t));
}

/* NULL: there is none with that number. */
struct iot_thread *iot_thread_at(uint32_t n)
{
	uint32_t k = n ? 32 - (uint32_t)__builtin_clz(n) : 0, first = k ? 1u << (k - 1) : 0;
	char *batch = k < BATCHES ? __atomic_load_n(&batches[k], __ATOMIC_ACQUIRE) : NULL;

	return batch ? (struct iot_thread *)(batch + (uint64_t)(n - first) * IOT_THREAD_SIZE + IOT_THREAD_COLOUR) :
		       NULL;
}

uint32_t iot_thread_count(void)
{
	return __atomic_load_n(&iot_each.n_structs, __ATOMIC_ACQUIRE);
}

static uint32_t *next_of(const void *of, uint32_t n)
{
	struct iot_thread *t = iot_thread_at(n);

	(void)of;
	return t ? &t->next : NULL;
}

/* Others may have it, if the kernel says that its thread is no more. */
void iot_struct_offer(struct iot_thread *t, uint32_t state)
{
	/* it may wait already */
	if (__atomic_exchange_n(&t->in_use, state, __ATOMIC_ACQ_REL) == IOT_STRUCT_TAKEN)
		iot_queue_put(&iot_each.ended, false, next_of, NULL, t->number);
}

/* Whether there is a batch, or it could be had.  Of threads that miss it at once one maps it
   and the others wait for that, but not for ever, since that one may be stopped.  No handler
   comes between, which would wait for its own thread. */
static bool has_batch(uint32_t k)
{
	static uint32_t claimed;
	const uint32_t bit = 1u << k;
	char *there = __atomic_load_n(&batches[k], __ATOMIC_ACQUIRE), *mine;
	uint64_t mask;

	if (there)
		return true;
	mask = iot_sys_block_signals();
	for (int i = 0; !there && i < 1000 && __atomic_fetch_or(&claimed, bit, __ATOMIC_ACQ_REL) & bit; i++) {
		iot_sys_wait(i);
		there = __atomic_load_n(&batches[k], __ATOMIC_ACQUIRE);
	}
	mine = there ? there : iot_map_wiped((uint64_t)IOT_THREAD_SIZE << (k ? k - 1 : 0));
	if (!mine)
		__atomic_fetch_and(&claimed, ~bit, __ATOMIC_RELEASE);
	else if (!there)
		__atomic_compare_exchange_n(&batches[k], &there, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	iot_sys_restore_signals(mask);
	return mine;
}

/* One that was not used yet, or only before a fork. */
static struct iot_thread *take_new(void)
{
	for (;;) {
		uint32_t n = __atomic_fetch_add(&iot_each.n_structs, 1, __ATOMIC_ACQ_REL), none = IOT_STRUCT_FREE;
		uint32_t k = n ? 32 - (uint32_t)__builtin_clz(n) : 0;
		struct iot_thread *t;

		if (k >= BATCHES || !has_batch(k))
			return NULL;
		t = iot_thread_at(n);
		/* a forking thread's goes on */
		if (__atomic_compare_exchange_n(&t->in_use, &none, IOT_STRUCT_TAKEN, false, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED)) {
			t->number = n;
			return t;
		}
	}
}

/* A struct to use: that of a thread that is no more, or a new one.  No handler comes.
   (t/model/take.pml) */
struct iot_thread *iot_struct_take(void)
{
	uint32_t n;

	for (int i = 0; i < STRUCT_TRIES && iot_queue_take(&iot_each.ended, next_of, NULL, &n); i++) {
		struct iot_thread *t = iot_thread_at(n);

		if (iot_thread_free(t)) {
			t->in_use = IOT_STRUCT_TAKEN;
			t->stack_low = t->stack_top = 0;
			if (t->win)
				iot_window_clear(t);
			return t;
		}
		iot_queue_put(&iot_each.ended, true, next_of, NULL, n);
	}
	return take_new();
}

/* The first struct of a process, before there is a recorder in it: wiped memory.  NULL: there
   is none to be had. */
void *iot_structs_start(void)
{
	return has_batch(0) ? batches[0] : NULL;
}

/* Whose window the address lies in. */
struct iot_thread *iot_thread_with(uintptr_t at)
{
	for (uint32_t i = 0; i < iot_thread_count(); i++) {
		struct iot_thread *t = iot_thread_at(i);

		if (t && t->win && at - (uintptr_t)t->win < t->size)
			return t;
	}
	return NULL;
}
