/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hot.h - the fast way through a call that programs make by the million: nothing
 * around it, a descriptor that is known, an offset that is this thread's own,
 * and a result that is what was asked for.  Everything else takes iot_enter and
 * iot_leave, which do the same at leisure; libc's own calls always do, since
 * they are nested in the program's.
 *
 * What it knows of the call stays in registers: struct iot_hot is never passed
 * by address to a function that is not inlined.
 */
#ifndef IOT_HOT_H
#define IOT_HOT_H

#include "iot.h"

#define IOT_FAST static inline __attribute__((always_inline))

struct iot_hot {
	struct iot_thread *t;		/* while the call is in progress; else NULL */
	struct iot_ofd *ofd;
	uint64_t start, offset;
	uint32_t handle, stack;
};

/* Two neighbouring 32-bit members as one word. */
#define IOT_PAIR(member) (*(const volatile uint64_t *)(const volatile void *)&(member))

/* Begins the call if it can be done the fast way. */
IOT_FAST bool iot_hot_enter(struct iot_hot *h, uint32_t id, uint32_t family, bool seq, uint32_t thin,
			    int fd, void *frame)
{
	struct iot_thread *t = iot_self;
	struct iot_slot *slot;
	uint64_t handle_flags;
	const struct iot_fd *e;

	/* idle, and no call in progress */
	if (iot_unlikely(!t || IOT_PAIR(t->state) != IOT_IDLE || (uint32_t)fd >= IOT_FD_CHUNK ||
			 !(iot_families >> family & 1)))
		return false;
	e = &iot_fd_first[fd];
	handle_flags = IOT_PAIR(e->handle);
	/* a handle, and no flags */
	if (iot_unlikely(handle_flags - 1 >= 0xffffffff || t->flags & IOT_BLOCK_VFORK))
		return false;
	h->offset = IOT_UNKNOWN;
	h->ofd = e->ofd;
	if (seq) {
		if (iot_likely(h->ofd && h->ofd->owner == t))
			h->offset = h->ofd->pos;
		else if (iot_unlikely(!h->ofd || h->ofd->owner != IOT_OFD_NONE))
			return false;
	}
	h->handle = (uint32_t)handle_flags;
	h->stack = t->stack_depth ? iot_stack(t, frame) : 0;
	slot = iot_slots(t);
	t->depth = 1;
	t->thin = thin;
	iot_barrier();
	slot->frame = (uintptr_t)frame;
	slot->call = id;
	slot->handle = h->handle;
	slot->stack = h->stack;
	h->start = iot_ticks();
	iot_barrier();
	slot->start = h->start;
	h->t = t;
	return true;
}

/*
 * Ends it.  size: what compact records have there; full: the result is what a
 * compact record implies; low40: an offset, IOT_UNKNOWN, or an itemsize.
 * Returns false if the record has to be made by iot_leave.
 */
IOT_FAST bool iot_hot_leave(struct iot_hot *h, uint32_t id, bool seq, long ret, uint64_t size,
			    bool full, uint64_t low40)
{
	struct iot_thread *t = h->t;
	uint64_t end = iot_ticks(), dur = end - h->start, dt, *p;
	struct iot_block *win;
	uint32_t used;

	h->t = NULL;
	if (seq)
		low40 = h->offset;
	if (iot_unlikely(!full || IOT_PAIR(t->state) != (IOT_IDLE | 1ULL << 32) ||
			 (low40 >= IOT_NO_OFFSET40 && low40 != IOT_UNKNOWN)))
		return false;
	/* From here on a handler keeps off this window: only now look at it. */
	t->state = IOT_BUSY;
	iot_barrier();
	win = t->win;
	used = win->used;
	dt = h->start - t->base;
	if (iot_unlikely(end - t->base > t->limit || used + 24 > t->cap ||
			 (dur | dt | size | (uint64_t)h->handle << 16 | (uint64_t)h->stack << 8) >> 32))
		goto slow;
	if (seq && h->offset != IOT_UNKNOWN) {
		if (iot_unlikely(h->ofd->owner != t || h->ofd->pos != h->offset))
			goto slow;
		h->ofd->pos += (uint64_t)ret;
	}
	p = (uint64_t *)(t->data + used);
	p[0] = id | IOT_COMPACT << IOT_FORM_SHIFT | (uint64_t)h->handle << IOT_HANDLE_SHIFT |
	       dt << IOT_DT_SHIFT;
	p[1] = dur | size << 32;
	p[2] = (low40 & IOT_NO_OFFSET40) | (uint64_t)h->stack << 40;
	iot_barrier();
	*(volatile uint32_t *)&win->used = used + 24;
	iot_slots(t)->start = 0;
	t->depth = 0;
	iot_barrier();
	t->state = IOT_IDLE;
	return true;
slow:
	iot_barrier();
	t->state = IOT_IDLE;
	return false;
}

/* Hands a call that was begun here to iot_leave. */
IOT_FAST void iot_hot_give_up(const struct iot_hot *h, struct iot_thread *t, struct iot_call *c,
			      const struct iot_desc *desc, int fd)
{
	*c = (struct iot_call){ .t = t, .desc = desc, .start = h->start, .offset = h->offset,
				.ofd = h->ofd, .handle = h->handle, .stack = h->stack,
				.generation = iot_generation, .fd = fd };
}

/* These run when a wrapper is left, in whatever way. */
IOT_FAST void iot_cleanup(struct iot_call *c)
{
	if (iot_unlikely(c->t != NULL))
		iot_unwound(c->t, c->depth);
}

IOT_FAST void iot_hot_cleanup(struct iot_hot *h)
{
	if (iot_unlikely(h->t != NULL))
		iot_unwound(h->t, 0);
}

#endif
