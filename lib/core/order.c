/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order.c - calls that do not end in the order in which they began.  A thread that
 * switches between stacks within a call (coroutines that a stream's functions call,
 * say) may end the outer one first, and another thread may end it.
 *
 * Stacks are told apart by where they are.  That a call was left for good can be seen
 * where frames lie on one stack; where a stack lies within another it can only be
 * supposed.  So a call whose place is no longer its own has been taken for abandoned
 * and is on record as that: it is not recorded once more.
 *
 * A thread in which that may happen has two places less from then on (floor): its
 * calls do not take the fast way, which looks at nothing but their number.
 */
#include <signal.h>

#include "hot.h"
#include "sys.h"

#define BIT(place) (1u << (place))

/* Whether both addresses lie on the same stack, as far as that can be told. */
bool iot_same_stack(const struct iot_thread *t, uintptr_t a, uintptr_t b)
{
	bool in_a = a >= t->stack_low && a < t->stack_top, in_b = b >= t->stack_low && b < t->stack_top;

	return in_a == in_b && (in_a || (a > b ? a - b : b - a) < IOT_NEAR);
}

static IOT_COLD void vacate(struct iot_thread *t, uint32_t place)
{
	/* readers count the calls around those behind it */
	iot_slots(t)[place].call = IOT_SLOT_VACANT;
	__atomic_fetch_or(&t->vacant, BIT(place), __ATOMIC_RELAXED);
	t->thin &= ~(IOT_THIN(place) | IOT_MOVES(place));
}

/* From here on the thread's calls may end in any order. */
IOT_COLD void iot_mixed(struct iot_thread *t)
{
	if (t->level || t->floor)
		return;
	t->floor = t->outer + 2 < IOT_MAX_SLOTS ? t->outer + 2 : IOT_MAX_SLOTS;
	for (uint32_t i = t->outer; i < t->floor; i++)
		if (i >= t->depth || !iot_slots(t)[i].start) {
			iot_slots(t)[i].start = 0;
			vacate(t, i);
		}
	if (t->depth < t->floor)
		t->depth = t->floor;
}

/* A call begins whose frame does not lie near that of the one around it.  If it lies on
   another stack that is none for handlers, the thread has switched. */
IOT_COLD void iot_far(struct iot_thread *t, uintptr_t around, uintptr_t frame)
{
	stack_t now = { .ss_flags = SS_ONSTACK };

	if (t->floor || t->level || around == IOT_NO_FRAME || iot_same_stack(t, around, frame))
		return;
	iot_syscall(SYS_sigaltstack, (void *)NULL, &now);
	if (!(now.ss_flags & SS_ONSTACK))
		iot_mixed(t);
}

/* Those from that place on have been left. */
IOT_COLD void iot_left_from(struct iot_thread *t, uint32_t place)
{
	for (; place < t->floor; place++)
		vacate(t, place);
}

/* The depth behind the call at that place, which is through. */
IOT_COLD uint32_t iot_settled(struct iot_thread *t, uint32_t place)
{
	uint32_t top = t->depth;

	if (place >= IOT_MAX_SLOTS)
		top = top > IOT_MAX_SLOTS ? top - 1 : top;
	else if (place + 1 < top || place < t->floor)
		vacate(t, place);
	else
		top = place;
	while (top > t->floor && top > t->outer && top <= IOT_MAX_SLOTS && t->vacant & BIT(top - 1)) {
		top--;
		iot_slots(t)[top].call = 0;
		__atomic_fetch_and(&t->vacant, ~BIT(top), __ATOMIC_RELAXED);
	}
	return top < t->floor ? t->floor : top;
}

/* The call ends, and others that began after it have not.  Those beneath it on its stack
   have been left, unless that has turned out to be wrong before; a region goes with the
   call that it is in. */
IOT_COLD void iot_left_above(struct iot_thread *t, const struct iot_call *c)
{
	uint32_t top = t->depth < IOT_MAX_SLOTS ? t->depth : IOT_MAX_SLOTS, gone = 0;
	bool left = true, kept = c->depth >= IOT_MAX_SLOTS;

	for (uint32_t i = c->depth + 1; i < top; i++) {
		const struct iot_slot *s = &iot_slots(t)[i];

		if (!s->start)
			continue;
		if (s->frame != IOT_NO_FRAME)
			left = !t->returns && (c->frame == IOT_NO_FRAME ||
					       (s->frame <= c->frame && iot_same_stack(t, s->frame, c->frame)));
		if (left)
			gone |= BIT(i);
		else
			kept = true;
	}
	for (uint32_t i = top; i > c->depth + 1 && gone; i--)
		if (gone & BIT(i - 1)) {
			iot_abandon_one(t, i - 1);
			vacate(t, i - 1);
		}
	if (kept) {
		t->returns = true;
		iot_mixed(t);
	} else {
		uint32_t depth = c->depth + 1 > t->floor ? c->depth + 1 : t->floor;

		for (uint32_t i = depth; i < top; i++) {
			iot_slots(t)[i].call = 0;
			__atomic_fetch_and(&t->vacant, ~BIT(i), __ATOMIC_RELAXED);
		}
		t->depth = depth;
	}
}

/* Whether it is this task's recorder, or one for its handlers. */
IOT_COLD bool iot_is_mine(const struct iot_thread *t)
{
	const struct iot_thread *mine = iot_mine();

	for (; mine && mine->state != IOT_NEW; mine = mine->nested)
		if (mine == t)
			return true;
	return false;
}

/*
 * Another thread began the call.  Returns this one's recorder, which has no place for it;
 * NULL if the call is on record, or counted as lost.
 */
IOT_COLD struct iot_thread *iot_moved(struct iot_call *c)
{
	struct iot_thread *from = c->t, *t;
	uint32_t state = __atomic_load_n(&from->state, __ATOMIC_RELAXED);
	struct iot_slot *s;

	if (c->depth < IOT_MAX_SLOTS && from->win && state != IOT_NEW && state != IOT_DEAD) {
		uint64_t start;

		s = &iot_slots(from)[c->depth];
		start = __atomic_load_n(&s->start, __ATOMIC_ACQUIRE);
		if (!start || s->frame != c->frame ||
		    !__atomic_compare_exchange_n(&s->start, &start, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return NULL;
		s->call = IOT_SLOT_VACANT;
		__atomic_fetch_or(&from->vacant, BIT(c->depth), __ATOMIC_RELAXED);
	}
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
