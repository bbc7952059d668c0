/* SPDX-License-Identifier: BSD-3-Clause */
/* places.h - the places (slots) of calls in progress: places.c. */
#ifndef IOT_PLACES_H
#define IOT_PLACES_H

#include "hot.h"

#pragma GCC visibility push(hidden)

#define IOT_NEAR 65536u		/* so far apart are frames on a stack that is not known */
#define IOT_SLOT_GONE 1u		/* a start: the slots are in another window now */
#define IOT_PLACE_BIT(place) (1u << (place))	/* in iot_thread.vacant */

uint32_t iot_settled(struct iot_thread *t, uint32_t place);
void iot_vacate(struct iot_thread *t, uint32_t place);
void iot_slots_copied(struct iot_thread *t, struct iot_slot *old);
void iot_left_from(struct iot_thread *t, uint32_t place);
void iot_far(struct iot_thread *t, uintptr_t around, uintptr_t frame);
void iot_mixed(struct iot_thread *t);
bool iot_same_stack(const struct iot_thread *t, uintptr_t a, uintptr_t b);

/* The call's place among the calls in progress is free again, and t idle: at once, so
   that there is a call as long as there is a recorder to be jumped out of.
   (t/model/log.pml) */
static inline void iot_place_free(struct iot_thread *t, uint32_t place)
{
	uint32_t depth = place;

	if (place < IOT_MAX_SLOTS) {
		iot_slots(t)[place].start = 0;
		iot_slots(t)[place].name = 0;
	} else {
		t->deepest.depth = 0;
	}
	/* in a forked child: a call that was begun before the fork */
	if (t->outer > place)
		t->outer = place;
	if (iot_unlikely(t->floor | t->vacant || place + 1 < t->depth))
		depth = iot_settled(t, place);
	iot_barrier();
	IOT_PAIR(t->state) = IOT_IDLE | (uint64_t)depth << 32;
}

/* Whether the call has the place that it was given. */
static inline bool iot_has_place(const struct iot_thread *t, const struct iot_call *c)
{
	const struct iot_slot *s = &iot_slots(t)[c->depth];

	return c->depth >= IOT_MAX_SLOTS || (s->frame == c->frame && s->start && c->depth < t->depth);
}

/* How many calls are in progress around one at that place.  One that has no start
   yet has not begun: this is a handler's call, and came before it. */
static inline __attribute__((always_inline)) uint32_t iot_depth_of(const struct iot_thread *t, uint32_t place)
{
	uint32_t depth = place;

	for (uint32_t i = t->outer; i < place && i < IOT_MAX_SLOTS; i++)
		depth -= !iot_slots(t)[i].start;
	return depth;
}

#pragma GCC visibility pop

#endif
