/* SPDX-License-Identifier: BSD-3-Clause */
/* enter.c - how a call begins: who records it, what it is nested in, on which file. */
#include "attach.h"
#include "conf.h"
#include "gate.h"
#include "libc.h"
#include "log-share.h"
#include "mpi-own.h"
#include "paths.h"
#include "places.h"
#include "seen.h"
#include "thread.h"

/* Whether the call around this one is one whose libc body we are in. */
static bool is_backend(struct iot_thread *t, const struct iot_desc *desc, uint32_t internal)
{
	uint64_t bit = IOT_THIN(t->depth - 1);

	if (!internal || !(desc->flags & IOT_D_BACKEND) || !(t->thin & bit))
		return false;
	/* a backend may have a backend in its turn */
	if (!(desc->flags & IOT_D_THIN))
		t->thin &= ~bit;
	return true;
}

static void push(struct iot_call *c, void *frame)
{
	struct iot_thread *t = c->t;
	struct iot_slot *s;

	c->depth = t->depth;
	c->frame = (uintptr_t)frame;
	t->depth++;
	if (iot_unlikely(t->vacant))
		__atomic_fetch_and(&t->vacant, ~(c->depth < IOT_MAX_SLOTS ? 1u << c->depth : 0u), __ATOMIC_RELAXED);
	if (c->desc->family == IOT_AIO)
		t->aio_depth = c->depth + 1;
	t->thin &= ~(IOT_THIN(c->depth) | IOT_MOVES(c->depth));
	if (c->desc->flags & IOT_D_THIN)
		t->thin |= IOT_THIN(c->depth);
	if (IOT_LIBC_BY_NAME)
		t->inner = (t->inner & ~(1u << (c->depth & 31))) |
			   (c->desc->flags & IOT_D_INNER ? 1u << (c->depth & 31) : 0);
	if (iot_moves(c->desc))
		t->thin |= IOT_MOVES(c->depth);
	iot_barrier();
	if (c->depth >= IOT_MAX_SLOTS) {
		t->deepest.call = c->desc->id;
		t->deepest.depth = c->depth;
		c->start = iot_ticks();
		return;
	}
	/* only now: a handler may give this thread another window (iot_begun) */
	s = &iot_slots(t)[c->depth];
	s->frame = (uintptr_t)frame;
	s->call = c->desc->id | (c->internal ? IOT_SLOT_INTERNAL : 0);
	s->handle = c->handle;
	s->stack = c->stack;
	c->start = iot_ticks();
	iot_barrier();
	s->start = c->start;
}

/* libc's own calls have the stack of the one that they are within; with frame pointers
   alone so have all, since libc and other run-time libraries may lack them.  Statements
   are never such a library's own. */
static uint32_t stack_for(struct iot_thread *t, const struct iot_desc *desc, uint32_t internal, void *frame,
			  uint32_t fd_flags)
{
	if (!t->stack_depth || fd_flags & IOT_FD_NOSTACK)
		return 0;
	if (t->depth && t->depth <= IOT_MAX_SLOTS && desc->family != IOT_FORTRAN &&
	    (internal || (uintptr_t)frame & 1 || iot_config.stack_by == IOT_STACK_BY_FP)) {
		const struct iot_slot *s = &iot_slots(t)[t->depth - 1];

		if (s->start && s->frame > (uintptr_t)frame && s->frame != IOT_NO_FRAME &&
		    (s->frame - (uintptr_t)frame < IOT_NEAR || iot_same_stack(t, s->frame, (uintptr_t)frame)))
			return s->stack;
	}
	return (uintptr_t)frame & 1 ? 0 : iot_stack(t, frame);
}

/* Nothing that recorded calls would miss: once recording goes on, and where others on the
   same descriptor are recorded, these want to know where offsets are. */
static bool has_no_effect(const struct iot_desc *desc)
{
	return iot_effect(desc) == IOT_E_NONE && !(iot_moves(desc) && (iot_pauses || iot_families != iot_whole || iot_switched_off()));
}

/* Ends the process, or flushes a stream: no reason to begin another log when a job's
   log has the process's. */
static bool is_farewell(const struct iot_desc *desc)
{
	return desc->result == IOT_R_NORETURN ||
	       (desc->result == IOT_R_EOF && desc->n == 1 && desc->effect == IOT_E_NONE);
}

/* A call on a file that is written at its end.  Where a process writes to a description
   of its own, in one go, it is enough to ask afterwards how far it came. */
static IOT_COLD void appends(struct iot_call *c)
{
	const struct iot_desc *desc = c->desc;

	c->appends = true;
	if (desc->puts || (iot_moves(desc) && c->ofd &&
			   (desc->stream == IOT_S_DIRECT || c->ofd->owner != IOT_OFD_APPEND)))
		c->end = iot_end_of(c->fd);
}

/* A relative name begins in the directory that the call leaves. */
static IOT_COLD void leave_directory(struct iot_thread *t, const struct iot_desc *desc)
{
	if (iot_effect(desc) != IOT_E_CHDIR)
		return;
	iot_busy(t);
	iot_cwd_look(t);
	iot_idle(t);
}

/* The thread that records the call, or NULL. */
static IOT_COLD struct iot_thread *attach(struct iot_thread *t, const struct iot_desc *desc)
{
	if (iot_log_given && !iot_header && is_farewell(desc))
		return NULL;
	t = iot_attach_slow(t);
	iot_lost_desc = t ? NULL : desc;
	return t;
}

/* Looks at the call that this one is nested in.  False: what that does is on record as its own. */
static bool is_nested_well(struct iot_thread *t, const struct iot_desc *desc, uint32_t *internal, uintptr_t frame)
{
	const struct iot_slot *s = &iot_slots(t)[t->depth - 1];

	if (t->depth <= IOT_MAX_SLOTS && s->start && s->frame - frame - 1 >= IOT_NEAR) {
		iot_far(t, s->frame, frame);
		if (s->frame <= frame)
			iot_stale(t, frame);
	}
	if (IOT_LIBC_BY_NAME && t->depth && t->inner >> ((t->depth - 1) & 31) & 1) {
		*internal = IOT_INTERNAL;
		if (desc->flags & IOT_D_PARTS)
			return false;
	}
	return !t->depth || !is_backend(t, desc, *internal);
}

static void begin(struct iot_call *c, const struct iot_desc *desc, uint32_t internal, int fd)
{
	c->desc = desc;
	c->internal = internal;
	c->offset = c->end = IOT_UNKNOWN;
	c->appends = false;
	c->ofd = NULL;
	c->no_syscall = c->no_result = false;
	c->ticket = 0;
	c->handle = 0;
	c->fd = fd;
	c->untraced = c->looked = false;
	c->stream = NULL;
}

/* Looks at the descriptor.  NULL: the call is not to be recorded. */
static struct iot_fd *on_descriptor(struct iot_thread *t, struct iot_call *c, const struct iot_desc *desc)
{
	struct iot_fd *e;

	iot_busy(t);
	iot_fds_renew();
	e = iot_fd_get(t, c->fd);
	c->handle = e->handle;
	c->untraced = e->flags & IOT_FD_UNTRACED;
	c->silent |= c->untraced;
	c->ofd = e->ofd;
	iot_idle(t);
	if (c->silent && has_no_effect(desc) && (c->untraced || !iot_infers(desc)))
		return NULL;
	if (iot_unlikely(e->flags & IOT_FD_APPEND))
		appends(c);
	if (c->ofd && iot_moves(desc)) {
		c->offset = iot_ofd_enter(t, c->ofd, c->fd, &c->ticket);
		/* what was known of its name may have been no longer true */
		if (iot_unlikely(__atomic_load_n(&c->ofd->owner, __ATOMIC_RELAXED) == IOT_OFD_NONE && e->handle))
			c->handle = e->handle;
	}
	if (iot_unlikely(iot_offset_moving(t)) && !c->ticket)
		c->offset = IOT_UNKNOWN;
	return e;
}

bool iot_enter(struct iot_call *c, const struct iot_desc *desc, uint32_t internal, int fd, void *frame)
{
	struct iot_thread *t;
	struct iot_fd *e = NULL;

	c->t = NULL;
	/* before t is looked at: a handler that forks makes it out of date */
	c->generation = iot_each.generation;
	iot_barrier();
	t = iot_self;
	if (iot_unlikely(!t || t->state != IOT_IDLE)) {
		t = attach(t, desc);
		if (!t)
			return false;
		c->generation = iot_each.generation;
	}
#ifdef IOT_DYNAMIC
	t->stream_turn += desc->family != IOT_MEM;
#endif
	if (t->depth && !is_nested_well(t, desc, &internal, (uintptr_t)frame))
		return false;
	/* what moves anything beneath it is seen otherwise */
	c->silent = !iot_is_wanted(desc) || (desc->flags & IOT_D_QUIET && !iot_infers(desc));
	if (c->silent && has_no_effect(desc) && !iot_infers(desc))
		return false;
	begin(c, desc, internal, fd);
	if (fd >= 0) {
		e = on_descriptor(t, c, desc);
		if (!e)
			return false;
	} else if (iot_unlikely(desc->effect == IOT_E_CHDIR)) {
		leave_directory(t, desc);
	}
	c->own = iot_is_own(t, frame, e ? e->flags : 0);
	c->stack = c->silent ? 0 : stack_for(t, desc, internal, frame, e ? e->flags : 0);
	c->t = t;
	push(c, frame);
	if (iot_unlikely(c->own || desc->own & IOT_OWN_INSIDE) && IOT_HAS_MPI)
		iot_own_inside(t, c);
	return true;
}
