/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hot.h - the fast way through a call that programs make by the million: no call
 * around it, a descriptor that is known, an offset that is this thread's own,
 * and a result that is what was asked for.  Everything else takes iot_enter and
 * iot_leave, which do the same at leisure; libc's own calls always do, since
 * they are nested in the program's.
 */
#ifndef IOT_HOT_H
#define IOT_HOT_H

#include "iot.h"

#define IOT_FAST static inline __attribute__((always_inline))

/* As iot_enter. */
IOT_FAST bool iot_hot_enter(struct iot_call *c, const struct iot_desc *desc, uint32_t family,
			    bool seq, uint32_t thin, int fd, void *frame)
{
	struct iot_thread *t = iot_self;
	struct iot_fd *chunk, *e;
	struct iot_slot *slot;

	c->desc = desc;
	if (iot_unlikely(!t || t->state != IOT_IDLE || t->depth || !(iot_families >> family & 1) ||
			 (uint32_t)fd >= IOT_FD_CHUNK * IOT_FD_CHUNKS))
		return iot_enter(c, desc, 0, fd, frame);
	chunk = iot_fd_chunk[(uint32_t)fd / IOT_FD_CHUNK];
	e = chunk + (uint32_t)fd % IOT_FD_CHUNK;
	if (iot_unlikely(!chunk || !e->handle || e->flags || t->flags & IOT_BLOCK_VFORK))
		return iot_enter(c, desc, 0, fd, frame);
	c->offset = IOT_UNKNOWN;
	c->ofd = e->ofd;
	if (seq) {
		if (iot_likely(c->ofd && c->ofd->owner == t))
			c->offset = c->ofd->pos;
		else if (iot_unlikely(!c->ofd || c->ofd->owner != IOT_OFD_NONE))
			return iot_enter(c, desc, 0, fd, frame);
	}
	c->t = t;
	c->fd = fd;
	c->ticket = 0;
	c->depth = 0;
	c->silent = c->no_syscall = false;
	c->internal = 0;
	c->generation = iot_generation;
	c->handle = e->handle;
	c->stack = t->stack_depth ? iot_stack(t, frame) : 0;
	slot = iot_slots(t);
	t->depth = 1;
	t->thin = thin;
	iot_barrier();
	slot->frame = (uintptr_t)frame;
	slot->call = desc->id;
	slot->handle = c->handle;
	slot->stack = c->stack;
	c->start = iot_ticks();
	iot_barrier();
	slot->start = c->start;
	return true;
}

/*
 * Ends such a call.  size: what compact records have there; full: the result is
 * what a compact record implies; low40: an offset, IOT_UNKNOWN, or an itemsize.
 * Returns false if the record has to be made by iot_leave.
 */
IOT_FAST bool iot_hot_leave(struct iot_call *c, uint32_t id, bool seq, long ret,
			    uint64_t size, bool full, uint64_t low40)
{
	struct iot_thread *t = c->t;
	uint64_t end = iot_ticks(), dur = end - c->start, dt = c->start - t->base, *p;
	struct iot_block *win = t->win;
	uint32_t used = win->used;

	if (seq)
		low40 = c->offset;
	if (iot_unlikely(!full || t->state != IOT_IDLE || t->depth != 1 || c->depth || c->ticket ||
			 end - t->base > t->limit || used + 24 > t->cap || c->silent ||
			 (dur | dt | size | (uint64_t)c->handle << 16 | (uint64_t)c->stack << 8) >> 32))
		return false;
	if (iot_unlikely(low40 >= IOT_NO_OFFSET40 && low40 != IOT_UNKNOWN))
		return false;
	if (seq && c->offset != IOT_UNKNOWN) {
		if (iot_unlikely(c->ofd->owner != t || c->ofd->pos != c->offset))
			return false;
		c->ofd->pos += (uint64_t)ret;
	}
	t->state = IOT_BUSY;
	iot_barrier();
	p = (uint64_t *)(t->data + used);
	p[0] = id | IOT_COMPACT << IOT_FORM_SHIFT | (uint64_t)c->handle << IOT_HANDLE_SHIFT |
	       dt << IOT_DT_SHIFT;
	p[1] = dur | size << 32;
	p[2] = (low40 & IOT_NO_OFFSET40) | (uint64_t)c->stack << 40;
	iot_barrier();
	*(volatile uint32_t *)&win->used = used + 24;
	iot_slots(t)->start = 0;
	t->depth = 0;
	iot_barrier();
	t->state = IOT_IDLE;
	c->t = NULL;
	return true;
}

/* Runs when a wrapper is left, in whatever way. */
IOT_FAST void iot_cleanup(struct iot_call *c)
{
	if (iot_unlikely(c->t != NULL))
		iot_unwound(c);
}

#endif
