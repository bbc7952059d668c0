/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * abandon.c - calls that are left and do not return: by longjmp, an exception, a thread's
 * cancellation, or by whoever switches stacks for good.  They are on record as abandoned.
 */
#include "abandon.h"

#include "encode.h"
#include "hooks.h"
#include "places.h"
#include "shared-tls.h"
#include "thread.h"
#include "window.h"

/* Records that the call at that place was left without returning. */
static IOT_COLD void abandon_one(struct iot_thread *t, uint32_t place, uint64_t end)
{
	struct iot_slot *s = &iot_slots(t)[place];
	struct iot_desc desc = { .id = s->call & ((1u << IOT_CALL_BITS) - 1) };
	struct iot_call c = { .desc = &desc, .depth = place };
	uint64_t start = __atomic_load_n(&s->start, __ATOMIC_RELAXED);
	struct iot_draft d;

	if (!start)
		return;
	/* From here on no thread that ends the call finds it (iot_moved), or else that thread
	   has it on record.  It stays in progress until its record is stored. */
	__atomic_store_n(&s->frame, IOT_NO_FRAME, __ATOMIC_RELAXED);
	if (!__atomic_compare_exchange_n(&s->start, &start, start + 1, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		return;
	if (iot_linux_aio_left)
		iot_linux_aio_left(t, start);
	iot_draft_init(&d);
	c.start = start;
	c.start = iot_start_of(t, &c);
	c.handle = s->handle;
	c.stack = s->stack;
	c.internal = s->call & IOT_SLOT_INTERNAL ? IOT_INTERNAL : 0;
	if (s->name) {
		d.argc = d.words = 1;
		d.word[0] = s->name;
		d.text[0].s = NULL;
	}
	iot_busy(t);
	iot_encode(t, &c, &d, end, 0, 0, IOT_ST_ABANDONED);
	iot_fd_left(t, c.handle);
	/* which may lie in another window now */
	s = &iot_slots(t)[place];
	s->start = 0;
	s->name = 0;
	iot_idle(t);
}

/* The same of all calls in progress from depth on. */
IOT_COLD void iot_abandon(struct iot_thread *t, uint32_t depth)
{
	uint64_t end = iot_ticks();

	for (uint32_t i = t->depth < IOT_MAX_SLOTS ? t->depth : IOT_MAX_SLOTS; i > depth; i--)
		abandon_one(t, i - 1, end);
	t->depth = depth;
	if (iot_unlikely(t->vacant || t->floor)) {
		iot_left_from(t, depth);
		iot_place_free(t, depth);
	}
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
			gone |= IOT_PLACE_BIT(i);
		else
			kept = true;
	}
	for (uint32_t i = top; i > c->depth + 1 && gone; i--)
		if (gone & IOT_PLACE_BIT(i - 1)) {
			abandon_one(t, i - 1, iot_ticks());
			iot_vacate(t, i - 1);
		}
	if (kept) {
		t->returns = true;
		iot_mixed(t);
	} else {
		uint32_t depth = c->depth + 1 > t->floor ? c->depth + 1 : t->floor;

		for (uint32_t i = depth; i < top; i++) {
			iot_slots(t)[i].call = 0;
			__atomic_fetch_and(&t->vacant, ~IOT_PLACE_BIT(i), __ATOMIC_RELAXED);
		}
		t->depth = depth;
	}
}

/* How many calls in progress are left, if those have returned whose wrappers' frames
   lie from low on and below high.  A region goes with the call that it is in. */
static uint32_t not_left(const struct iot_thread *t, uintptr_t low, uintptr_t high)
{
	uint32_t d = t->depth < IOT_MAX_SLOTS ? t->depth : IOT_MAX_SLOTS, left = d;

	for (; d > t->outer; d--) {
		const struct iot_slot *s = &iot_slots(t)[d - 1];

		if (s->start && s->frame == IOT_NO_FRAME)
			continue;
		if (s->start && (s->frame >= high || s->frame < low))
			break;
		left = d - 1;
	}
	return left;
}

/*
 * Frames lie below those of their callers.  A call in progress whose wrapper's
 * frame is not above this one's has been left without returning - if both are
 * on the same stack.
 */
IOT_COLD void iot_stale(struct iot_thread *t, uintptr_t frame)
{
	uint32_t d;

	if (frame < t->stack_low || frame >= t->stack_top || (t->returns && t->depth < IOT_MAX_SLOTS))
		return;
	d = not_left(t, t->stack_low, frame + 1);
	if (d >= t->depth)
		return;
	/* or they are on a stack within the stack: then they will return */
	iot_abandon(t, d);
	iot_mixed(t);
}

/* What t was recording, it will not go on with: the handler that interrupted it jumps. */
static IOT_COLD void interrupted(struct iot_thread *t)
{
	uint32_t d = t->depth < IOT_MAX_SLOTS ? t->depth : IOT_MAX_SLOTS;

	t->busy_frame = 0;
	/* it may have been past storing it */
	if (d && iot_slots(t)[d - 1].start && iot_window_has(t, iot_slots(t)[d - 1].start))
		iot_slots(t)[d - 1].start = 0;
	/* it may have been noting in t->recent what it stored: begin a new block */
	t->cap = 0;
	/* it may have been sealing its window, or breaking the seal */
	if (t->win)
		*(volatile uint32_t *)&t->win->sum = iot_size_sum(t->size);
	t->state = IOT_IDLE;
}

/* The wrapper was left by an exception, cancellation or pthread_exit.  A thread that can
   be cancelled anywhere may have been recording. */
void iot_unwound(struct iot_thread *t, uint32_t depth)
{
	if (t->state == IOT_BUSY && t == iot_self)
		interrupted(t);
	if (t->state == IOT_IDLE && t->depth > depth)
		iot_abandon(t, depth);
}

/* The same.  It is here since each wrapper would have it twice. */
void iot_call_unwound(struct iot_call *c)
{
#ifdef IOT_DYNAMIC
	if (c->stream)
		iot_stream_unlock(c);
#endif
	iot_unwound(c->t, c->depth);
}

/*
 * longjmp goes to where the stack pointer is sp: wrappers whose frames lie below
 * will not return.  Nor will the recorder itself, if the jump is made by a handler
 * that interrupted it; the record that it was making is that of an abandoned call.
 */
void iot_abandon_below(uintptr_t sp)
{
	if (iot_dispatching)
		iot_dispatch_jump(sp);
	for (struct iot_thread *t = iot_mine(); t && t->state != IOT_NEW; t = t->nested) {
		uint32_t d = t->depth < IOT_MAX_SLOTS ? t->depth : IOT_MAX_SLOTS;
		uintptr_t owner = t->busy_frame ? t->busy_frame : UINTPTR_MAX;

		if (t->state == IOT_BUSY) {
			/* a handler may have come before busy_frame was wiped: its calls are below */
			if (d && iot_slots(t)[d - 1].frame < owner)
				owner = iot_slots(t)[d - 1].frame;
			if (owner >= sp)
				continue;
			interrupted(t);
		}
		if (t->state != IOT_IDLE)
			continue;
		d = not_left(t, 0, sp);
		if (d < t->depth)
			iot_abandon(t, d);
	}
}
