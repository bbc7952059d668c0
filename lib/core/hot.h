/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hot.h - the fast way through a call that programs make by the million: nothing
 * around it, a descriptor that is known, an offset that is this thread's own,
 * and a result that is what was asked for.  Everything else takes iot_enter and
 * iot_leave, which do the same at leisure; libc's own calls always do, since
 * they are nested in the program's.
 *
 * What it knows of the call stays in registers: struct iot_hot goes by value to
 * functions that are not inlined, which are seldom called.
 */
#ifndef IOT_HOT_H
#define IOT_HOT_H

#include "abandon.h"
#include "state.h"
#include "thread.h"

struct iot_hot {
	struct iot_thread *t;		/* while the call is in progress; else NULL */
	struct iot_ofd *ofd;
	uint64_t start, offset;
	uint32_t handle, stack;
};

/* Two neighbouring 32-bit members as one word; written so as well where it is read
   so soon after, since a load waits for two stores that it spans. */
#define IOT_PAIR(member) (*(volatile uint64_t *)(void *)&(member))

/* Another thread may make it shared at any time. */
IOT_FAST struct iot_thread *iot_owner(const struct iot_ofd *o)
{
	return __atomic_load_n(&o->owner, __ATOMIC_RELAXED);
}

/* Threads whose calls need more: among them, libc's helpers, whose calls end operations. */
#define IOT_AT_LEISURE (IOT_APART | IOT_BLOCK_HELPER)

/* Begins the call if it can be done the fast way.  fd: -1 if it is about none. */
IOT_FAST bool iot_hot_enter(struct iot_hot *h, uint32_t id, uint32_t family, bool seq, uint32_t thin,
			    bool has_fd, int fd, void *frame)
{
	struct iot_thread *t = iot_self;
	struct iot_slot *slot;
	uint64_t handle_flags = 0;

	/* idle, and no call in progress */
	if (iot_unlikely(!t || IOT_PAIR(t->state) != IOT_IDLE || !(*iot_gate >> family & 1) ||
			 t->flags & IOT_AT_LEISURE))
		return false;
	h->offset = IOT_UNKNOWN;
	h->ofd = NULL;
	if (has_fd) {
		/* a handle, and no flags */
		if (iot_unlikely((uint32_t)fd >= IOT_FD_CHUNK ||
				 (handle_flags = IOT_PAIR(iot_fd_first[fd].handle)) - 1 >= 0xffffffff))
			return false;
		h->ofd = iot_fd_first[fd].ofd;
	}
	if (seq) {
		if (iot_likely(h->ofd && iot_owner(h->ofd) == t && !iot_is_taken()))
			h->offset = h->ofd->pos;
		else if (iot_unlikely(!h->ofd || iot_owner(h->ofd) != IOT_OFD_NONE))
			return false;
	} else if (has_fd && iot_is_taken()) {
		return false;
	}
	h->handle = (uint32_t)handle_flags;
	h->stack = t->stack_depth ? iot_stack(t, frame) : 0;
	IOT_PAIR(t->state) = IOT_IDLE | 1ULL << 32;
	t->thin = thin | (seq ? IOT_MOVES(0) : 0);
	iot_barrier();
	/* only now: a handler may give this thread another window (iot_begun) */
	slot = iot_slots(t);
	slot->frame = (uintptr_t)frame;
	IOT_PAIR(slot->call) = id | (uint64_t)h->handle << 32;
	slot->stack = h->stack;
	h->start = iot_ticks();
	iot_barrier();
	slot->start = h->start;
	h->t = t;
	return true;
}

/*
 * Takes the thread for the record of the call's end, if nothing came in between.
 * From here on a handler keeps off its window: only now look at that.
 */
IOT_FAST bool iot_hot_take(struct iot_thread *t)
{
	if (iot_unlikely(IOT_PAIR(t->state) != (IOT_IDLE | 1ULL << 32)))
		return false;
	t->state = IOT_BUSY;
	iot_barrier();
	return true;
}

/* Gives it back, for the record to be made at leisure. */
IOT_FAST void iot_hot_drop(struct iot_thread *t)
{
	iot_barrier();
	t->state = IOT_IDLE;
}

/* Stores a record that a compact one can hold; there is room for that.  what: the
   low half of word 0, with form 0; fixed: low40 is no offset. */
IOT_FAST void iot_put_compact(struct iot_thread *t, uint32_t what, uint64_t dt, uint64_t dur,
			      uint64_t size, uint64_t low40, uint32_t stack, bool fixed)
{
	uint32_t used = t->used;
	uint64_t *p = (uint64_t *)(t->data + used), key = what | (uint64_t)stack << 32;
	struct iot_recent *r = &t->recent[IOT_RECENT_AT(what)];

	p[1] = dur | size << 32;
	if (iot_likely(r->key == key && r->next == low40)) {
		p[0] = what | IOT_BRIEF << IOT_FORM_SHIFT | dt << IOT_DT_SHIFT;
		iot_recent_brief(r, size, fixed);
		used += 16;
	} else {
		p[0] = what | dt << IOT_DT_SHIFT;
		p[2] = iot_compact_word2(low40, stack);
		iot_recent_compact(r, key, low40, size, fixed);
		used += 24;
	}
	iot_set_used(t, used);
}

/* The record is stored: its call is no longer in progress.  (t/model/log.pml) */
IOT_FAST void iot_hot_done(struct iot_thread *t)
{
	iot_slots(t)->start = 0;
	iot_barrier();
	IOT_PAIR(t->state) = IOT_IDLE;
}

/*
 * Ends it.  size: what compact records have there; full: the result is what a
 * compact record implies; low40: an offset, IOT_UNKNOWN, or, if fixed says so,
 * an itemsize.  Returns false if the record has to be made by iot_hot_give_up.
 */
IOT_FAST bool iot_hot_leave(struct iot_hot *h, uint32_t id, bool seq, long ret, uint64_t size,
			    bool full, uint64_t low40, bool fixed)
{
	struct iot_thread *t = h->t;
	uint64_t end = iot_ticks(), dur = end - h->start, dt;

	h->t = NULL;
	if (seq)
		low40 = h->offset;
	if (iot_unlikely(!full || !iot_hot_take(t)))
		return false;
	dt = h->start - t->base;
	if (iot_unlikely(end - t->base > t->limit || t->used + 24 > t->cap ||
			 (dur | dt | size | (uint64_t)h->handle << 16 | (uint64_t)h->stack << 8 |
			  (low40 + 1) >> 8) >> 32))
		goto slow;
	if (seq && h->offset != IOT_UNKNOWN) {
		if (iot_unlikely(iot_owner(h->ofd) != t || h->ofd->pos != h->offset || iot_is_taken()))
			goto slow;
		h->ofd->pos += (uint64_t)ret;
	}
	iot_put_compact(t, id | h->handle << IOT_HANDLE_SHIFT, dt, dur, size, low40 & IOT_NO_OFFSET40,
			h->stack, fixed);
	iot_hot_done(t);
	return true;
slow:
	iot_hot_drop(t);
	return false;
}

#pragma GCC visibility push(hidden)
/* Ends, at leisure, a call that was begun here.  was: NULL if it is not on a stream
   whose bytes are followed. */
void iot_hot_give_up(struct iot_hot h, struct iot_thread *t, const struct iot_desc *desc, int fd,
		     void *frame, long ret, const uint64_t *arg, struct iot_stream *was);
/* As iot_hot_leave, for open and openat. */
bool iot_hot_opened(struct iot_thread *t, uint32_t id, uint64_t start, uint32_t stack, int fd,
		    const char *name, uint32_t flags, uint32_t mode);
#pragma GCC visibility pop

/* As iot_hot_leave, for lseek. */
IOT_FAST bool iot_hot_sought(struct iot_hot *h, uint32_t id, long ret, long by, int whence)
{
	struct iot_thread *t = h->t, *owner;
	uint64_t end = iot_ticks(), dur = end - h->start, dt, size = iot_seek(ret, by, whence);

	h->t = NULL;
	if (iot_unlikely(!iot_hot_take(t)))
		return false;
	dt = h->start - t->base;
	owner = h->ofd ? iot_owner(h->ofd) : IOT_OFD_NONE;
	/* a description that is nobody's yet becomes this thread's at leisure */
	if (iot_unlikely(owner == IOT_OFD_FRESH || end - t->base > t->limit || t->used + 24 > t->cap ||
			 (dur | dt | size | (uint64_t)h->handle << 16 | (uint64_t)h->stack << 8) >> 32)) {
		iot_hot_drop(t);
		return false;
	}
	if (owner == t)
		h->ofd->pos = (uint64_t)ret;
	iot_put_compact(t, id | h->handle << IOT_HANDLE_SHIFT, dt, dur, size, (uint64_t)ret, h->stack, false);
	iot_hot_done(t);
	return true;
}

/* These run when a wrapper is left, in whatever way. */
IOT_FAST void iot_cleanup(struct iot_call *c)
{
	if (iot_unlikely(c->t != NULL))
		iot_call_unwound(c);
}

IOT_FAST void iot_hot_cleanup(struct iot_hot *h)
{
	if (iot_unlikely(h->t != NULL))
		iot_unwound(h->t, 0);
}

#endif
