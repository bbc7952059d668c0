/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - the places (slots) of calls in progress, of calls that do not end in the order
 * in which they began too.  A thread that switches between stacks within a call (coroutines
 * that a stream's functions call, say) may end the outer one first, and another thread may
 * end it.
 *
 * Stacks are told apart by where they are.  That a call was left for good can be seen
 * where frames lie on one stack; where a stack lies within another it can only be
 * supposed.  So a call whose place is no longer its own has been taken for abandoned
 * and is on record as that: it is not recorded once more.
 *
 * A thread in which that may happen has two places less from then on (floor): its
 * calls do not take the fast way, which looks at nothing but their number.
 */
#include "places.h"

#include "sys.h"
#include "thread.h"

#include <signal.h>

/* Whether both addresses lie on the same stack, as far as that can be told. */
bool iot_same_stack(const struct iot_thread *t, uintptr_t a, uintptr_t b)
{
	bool in_a = a >= t->stack_low && a < t->stack_top, in_b = b >= t->stack_low && b < t->stack_top;

	return in_a == in_b && (in_a || (a > b ? a - b : b - a) < IOT_NEAR);
}

IOT_COLD void iot_vacate(struct iot_thread *t, uint32_t place)
{
	/* readers count the calls around those behind it */
	iot_slots(t)[place].call = IOT_SLOT_VACANT;
	__atomic_fetch_or(&t->vacant, IOT_PLACE_BIT(place), __ATOMIC_RELAXED);
	t->thin &= ~(IOT_THIN(place) | IOT_MOVES(place));
}

/* The slots in t's window are copies of those old ones.  Calls that another thread has ended since are
   through here, too; from now on it finds that the old ones are none. */
IOT_COLD void iot_slots_copied(struct iot_thread *t, struct iot_slot *old)
{
	struct iot_slot *now = iot_slots(t);

	for (uint32_t i = 0; i < IOT_MAX_SLOTS; i++) {
		uint64_t start = __atomic_exchange_n(&old[i].start, IOT_SLOT_GONE, __ATOMIC_ACQ_REL);

		if (start || !now[i].start)
			continue;
		now[i].start = 0;
		iot_vacate(t, i);
	}
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
			iot_vacate(t, i);
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
		iot_vacate(t, place);
}

/* The depth behind the call at that place, which is through. */
IOT_COLD uint32_t iot_settled(struct iot_thread *t, uint32_t place)
{
	uint32_t top = t->depth;

	if (place >= IOT_MAX_SLOTS)
		top = top > IOT_MAX_SLOTS ? top - 1 : top;
	else if (place + 1 < top || place < t->floor)
		iot_vacate(t, place);
	else
		top = place;
	/* a bit may come late from the thread that ended the call: then another call has the place */
	while (top > t->floor && top > t->outer && top <= IOT_MAX_SLOTS && t->vacant & IOT_PLACE_BIT(top - 1) &&
	       !iot_slots(t)[top - 1].start) {
		top--;
		iot_slots(t)[top].call = 0;
		__atomic_fetch_and(&t->vacant, ~IOT_PLACE_BIT(top), __ATOMIC_RELAXED);
	}
	return top < t->floor ? t->floor : top;
}
