/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moved.c - calls that end elsewhere than where they began: in another thread, or in a
 * child that was forked within them.
 */
#include "moved.h"

#include "attach.h"
#include "hooks.h"
#include "places.h"
#include "shared-tls.h"
#include "thread.h"
#include "window.h"

/* Whether it is this task's recorder, or one for its handlers. */
IOT_COLD bool iot_is_mine(const struct iot_thread *t)
{
	const struct iot_thread *mine = iot_mine();

	for (; mine && mine->state != IOT_NEW; mine = mine->nested)
		if (mine == t)
			return true;
	return false;
}

/* Takes the call out of the place that it has with the thread that began it.  False: it was taken for
   abandoned.  That thread may abandon it now, or go on in another window (t/model/elsewhere.pml). */
static bool take_over(struct iot_thread *from, const struct iot_call *c)
{
	for (;;) {
		struct iot_block *win = __atomic_load_n(&from->win, __ATOMIC_ACQUIRE);
		struct iot_slot *s = (struct iot_slot *)(win + 1) + c->depth;
		uint64_t start = __atomic_load_n(&s->start, __ATOMIC_ACQUIRE);
		uint64_t frame = __atomic_load_n(&s->frame, __ATOMIC_ACQUIRE);
		uint32_t call = __atomic_load_n(&s->call, __ATOMIC_ACQUIRE);

		if (start == IOT_SLOT_GONE || win != __atomic_load_n(&from->win, __ATOMIC_ACQUIRE))
			continue;
		if (!start || frame != c->frame)
			return false;
		if (!__atomic_compare_exchange_n(&s->start, &start, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			continue;
		/* unless that thread has given the place to another call already */
		__atomic_compare_exchange_n(&s->call, &call, IOT_SLOT_VACANT, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
		__atomic_fetch_or(&from->vacant, IOT_PLACE_BIT(c->depth), __ATOMIC_RELAXED);
		return true;
	}
}

/*
 * Another thread began the call.  Returns this one's recorder, which has no place for it;
 * NULL if the call is on record, or counted as lost.
 */
IOT_COLD struct iot_thread *iot_moved(struct iot_call *c)
{
	struct iot_thread *from = c->t, *t;
	uint32_t state = __atomic_load_n(&from->state, __ATOMIC_RELAXED);

	if (c->depth < IOT_MAX_SLOTS && from->win && state != IOT_NEW && state != IOT_DEAD && !take_over(from, c))
		return NULL;
	t = iot_self;
	if (!t || t->state != IOT_IDLE)
		t = iot_attach_slow(t);
	if (!t)
		return NULL;
	t->returns = true;
	c->depth = t->outer;
	if (c->ofd && !c->ticket) {
		iot_fd_shared(c->fd);
		c->ofd = NULL;
	}
	return t;
}

/* After a fork inside the call: the recorder of this process, if it has one. */
IOT_EACH IOT_COLD struct iot_thread *iot_survivor(struct iot_call *c)
{
	struct iot_thread *t = iot_self;

	/* a program that was not executed */
	if (t && t == c->t && iot_window_unseal(t))
		return t;
	if (!t || t->state != IOT_IDLE)
		t = iot_attach_slow(t);
	if (t && c->depth >= t->depth && t->depth)
		c->depth = t->depth - 1;
	c->handle = c->stack = 0;
	c->ofd = NULL;
#ifdef IOT_DYNAMIC
	if (c->stream)
		iot_stream_unlock(c);
#endif
	c->stream = NULL;
	return t;
}
