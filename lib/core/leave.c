/* SPDX-License-Identifier: BSD-3-Clause */
/* leave.c - how a call ends: what it did, where, and what came of it. */
#include "cache.h"
#include "conf.h"
#include "effect.h"
#include "encode.h"
#include "hooks.h"
#include "hot.h"
#include "libc.h"
#include "log.h"
#include "lost.h"
#include "moved.h"
#include "mpi-own.h"
#include "places.h"
#include "result.h"
#include "seen.h"
#include "thread.h"
#include "window.h"
#ifdef IOT_DYNAMIC
#include "stream.h"
#endif

/* Whether libc found something wrong before it came to the system call. */
static bool came_to_none(struct iot_thread *t, const struct iot_call *c)
{
	if (t->dispatched && c->desc->sys && c->t == t) {
		const uint32_t *call = iot_noted(t, c->depth);

		return call && !(*call & IOT_SLOT_MADE);
	}
	return c->desc->flags & IOT_D_THIN && t->thin & IOT_THIN(c->depth) && !IOT_LIBC_OPAQUE;
}

/* pwritev2's flags. */
static uint64_t rwf(const struct iot_desc *desc, const uint64_t *arg)
{
	return desc->puts > 1 ? arg[desc->puts - 1] : 0;
}

/* Where a call took place that moves the offset, and how far it did. */
static uint64_t moved_at(struct iot_thread *t, const struct iot_call *c, const struct iot_draft *d,
			 const uint64_t *arg, long ret, bool failed)
{
	/* readv2 and its like are sequential if they are given no offset */
	uint64_t end = rwf(c->desc, arg) & IOT_RWF_NOAPPEND ? IOT_UNKNOWN : c->end;
	uint64_t at = iot_ofd_leave(t, c->ofd, c->fd, c->offset, end, c->ticket,
				    d->offset == IOT_UNKNOWN ? ret : 0);
	bool jumped = rwf(c->desc, arg) & IOT_RWF_APPEND && d->offset == IOT_UNKNOWN && ret > 0;

	if (jumped && !c->ticket && at != IOT_UNKNOWN) {
		iot_ofd_ask(t, c->ofd, c->fd);
		return c->ofd->pos - (uint64_t)ret;
	}
	/* of several calls beneath, the first may have been made */
	if (failed && c->desc->stream == IOT_S_DIRECT)
		iot_ofd_ask(t, c->ofd, c->fd);
	return at;
}

/* Where bytes went that were to go to that offset. */
static uint64_t landed(const struct iot_call *c, uint64_t offset, const uint64_t *arg, long ret)
{
	uint64_t flags = rwf(c->desc, arg);

	if (flags & IOT_RWF_NOAPPEND || !(c->appends || flags & IOT_RWF_APPEND))
		return offset;
	if (c->desc->result != IOT_R_BYTES || c->end == IOT_UNKNOWN)
		return IOT_UNKNOWN;
	return iot_end_of(c->fd) == c->end + (uint64_t)ret ? c->end : IOT_UNKNOWN;
}

/* How a call ends. */
struct ending {
	uint64_t end;		/* when */
	uint64_t at;		/* the offset that it began at, if it moves the offset */
	uint32_t status;
	bool made;		/* the call has returned; else it is about to be made, and won't return */
	bool failed;
	bool in_place;		/* the call still has its place among those in progress */
	bool recorded;		/* the call was taken for abandoned, and has a record as that */
};

/* What the program tells itself has no length, or is worth its record. */
static bool is_too_short(const struct iot_call *c, const struct ending *e)
{
	return iot_unlikely(iot_config.longer) && e->end - c->start < iot_config.longer && e->made &&
	       c->desc->family != IOT_USER;
}

/* The thread whose log has the record, or NULL. */
IOT_FAST struct iot_thread *recorder_of(struct iot_call *c, struct ending *e)
{
	struct iot_thread *t = c->t;

	if (iot_unlikely(t != iot_self && c->generation == iot_each.generation && !iot_is_mine(t))) {
		t = iot_moved(c);
		e->in_place = false;
	} else if (iot_unlikely(t->state != IOT_IDLE || c->generation != iot_each.generation)) {
		t = iot_survivor(c);
	} else if (iot_unlikely(!iot_has_place(t, c))) {
		e->in_place = false;
		e->recorded = t->returns = true;
	}
	return t;
}

/* Whether the process is about to end, or to become another program. */
static IOT_COLD void now_leaves(struct iot_thread *t, bool leaves)
{
	t->left = leaves;
	iot_log_leaves(leaves);
	if (leaves)
		iot_usage_define(t);
}

/* libc's errno says nothing where the result is the error. */
static int error_of(const struct iot_desc *desc, long ret, int err, const uint64_t *arg)
{
	if (desc->result == IOT_R_ERRCODE || desc->result == IOT_R_PROGRESS)
		err = (int)ret;
	else if (desc->result == IOT_R_NEGATIVE)
		err = -(int)ret;
	return iot_stream_error(desc, arg, err);
}

/* Where the call took place. */
IOT_FAST void find_place(struct iot_thread *t, const struct iot_call *c, struct iot_draft *d, long ret,
		       const uint64_t *arg, struct ending *e)
{
	if (c->ofd && iot_moves(c->desc)) {
		e->at = moved_at(t, c, d, arg, ret, e->failed);
		if (d->offset == IOT_UNKNOWN && c->desc->stream != IOT_S_DIRECT)
			d->offset = e->at;
		else if (d->offset != IOT_UNKNOWN && c->desc->puts && !e->failed)
			d->offset = landed(c, d->offset, arg, ret);
	} else if (c->desc->puts && d->offset != IOT_UNKNOWN && !e->failed && e->made) {
		d->offset = landed(c, d->offset, arg, ret);
	}
}

static void take_effect(struct iot_thread *t, const struct iot_call *c, const struct iot_draft *d, long ret,
			const uint64_t *arg)
{
	iot_effect_do(t, c, ret, arg, d);
	if (iot_unlikely(c->own))
		iot_own_made(t, c->desc, arg, (int)ret);
}

#ifdef IOT_DYNAMIC
/* Records what libc.so did within the call, as the state of the stream tells. */
static void tell_beneath(struct iot_thread *t, struct iot_call *c, long ret, const uint64_t *arg,
			 const struct ending *e)
{
	struct iot_moved moved;

	iot_stream_after(t, c, arg, ret, &moved);
	if (c->stream)
		iot_stream_unlock(c);
	if (c->stream && c->ofd)
		iot_fd_shared(c->fd);
	if (c->desc->flags & IOT_D_QUIET && !moved.n)
		c->silent = true;
	if (!is_too_short(c, e))
		iot_beneath(t, c, &moved, e->end, e->at);
}
#endif

/* The result as it is recorded, and whether the call is to be recorded at all. */
IOT_FAST uint64_t find_result(struct iot_thread *t, struct iot_call *c, struct iot_draft *d, long ret,
			    struct ending *e)
{
	uint64_t value = 0;

	if (e->made && c->desc->result != IOT_R_VOID && !c->no_result) {
		value = iot_result_value(c->desc, ret, e->failed);
		d->present |= IOT_HAS_RET;
	}
	if (c->no_syscall || (e->made && e->in_place && came_to_none(t, c)))
		e->status |= IOT_ST_NO_SYSCALL;
	if (!c->silent && is_too_short(c, e)) {
		iot_leave_out();
		c->silent = true;
	}
	return value;
}

/* What the call did, and its record.  t is busy, and idle afterwards. */
IOT_FAST void settle(struct iot_thread *t, struct iot_call *c, long ret, int err, const uint64_t *arg,
		   struct ending *e)
{
	struct iot_draft d;
	uint64_t value;

	iot_draft_init(&d);
	if (e->in_place)
		c->start = iot_start_of(t, c);
	c->err = e->failed ? error_of(c->desc, ret, err, arg) : 0;
	iot_draft_args(t, &d, c, arg, ret, !e->made ? IOT_NOT_MADE : e->failed ? IOT_HAS_FAILED : IOT_SUCCEEDED);
	/* stacks are for certain paths only, and this call turns out to be on none */
	if (iot_unlikely(iot_config.has_stack_paths) && !c->handle &&
	    (!d.name || d.path_flags & IOT_FD_NOSTACK))
		c->stack = 0;
	find_place(t, c, &d, ret, arg, e);
	if (iot_unlikely(c->looked))
		iot_cache_tell(c, &d, ret);
#ifdef IOT_DYNAMIC
	if (iot_f_beneath && (c->err || iot_effect(c->desc) == IOT_E_OPEN || c->desc->kind[1] == IOT_K_IOV))
		iot_f_beneath(c, arg);
#endif
	if (!e->failed && e->made && iot_effect(c->desc))
		take_effect(t, c, &d, ret, arg);
	value = find_result(t, c, &d, ret, e);
#ifdef IOT_DYNAMIC
	if (c->stream || (c->desc->stream == IOT_S_DIRECT && !c->untraced))
		tell_beneath(t, c, ret, arg, e);
#endif
	if (!c->silent && !e->recorded && !(d.path_flags & IOT_FD_UNTRACED) &&
	    !(c->own && iot_own_count(t, c, e->end, e->failed)))
		iot_encode(t, c, &d, e->end, value, c->err, e->status | iot_own_status(t, c));
	iot_barrier();
	if (e->in_place && e->made)
		iot_place_free(t, c->depth);
	else
		t->state = IOT_IDLE;
}

void iot_leave_status(struct iot_call *c, long ret, int err, const uint64_t *arg, uint32_t status)
{
	struct ending e = { .end = iot_ticks(), .at = IOT_UNKNOWN, .status = status,
			    .made = status != IOT_ST_NORETURN, .in_place = true };
	struct iot_thread *t = recorder_of(c, &e);

	e.failed = e.made && iot_failed(c->desc, ret);
	if (!t)
		return;
	/* one that the program ends within is not the innermost */
	if (iot_unlikely(t->depth > c->depth + 1 && e.in_place) && e.made)
		iot_left_above(t, c);
	t->state = IOT_BUSY;
	iot_barrier();
	if (iot_unlikely(e.made == t->left))
		now_leaves(t, !e.made);
	settle(t, c, ret, err, arg, &e);
	if (iot_posix_carried && (c->internal || t->flags & IOT_BLOCK_HELPER) && e.in_place && t == c->t)
		iot_posix_carried(c, arg, ret);
}

/* Before a call that closes its descriptor: another thread may be given the number
   at once. */
void iot_closes(struct iot_call *c)
{
	if (iot_effect(c->desc))
		iot_fd_closed(c->t, c->fd);
}

void iot_hot_give_up(struct iot_hot h, struct iot_thread *t, const struct iot_desc *desc, int fd,
		     void *frame, long ret, const uint64_t *arg, struct iot_stream *was)
{
	struct iot_call c = { .t = t, .desc = desc, .start = h.start, .offset = h.offset, .ofd = h.ofd,
			      .handle = h.handle, .stack = h.stack, .generation = iot_each.generation,
			      .frame = (uintptr_t)frame, .fd = fd, .stream = was };

	iot_leave_status(&c, ret, errno, arg, IOT_ST_FINISHED);
}

void iot_leave(struct iot_call *c, long ret, const uint64_t *arg)
{
	iot_leave_status(c, ret, errno, arg, IOT_ST_FINISHED);
	c->t = NULL;
}

/* What has completed since the last look. */
void iot_requests_end(struct iot_call *c)
{
	if (iot_uring_exits)
		iot_uring_exits(c);
	if (iot_posix_exits)
		iot_posix_exits(c);
	if (iot_linux_aio_exits)
		iot_linux_aio_exits(c);
}

/* Before a call that will not return: its record, and those of the calls around
   it, which will not return either, are in their slots. */
void iot_noreturn(struct iot_call *c, const uint64_t *arg)
{
	iot_requests_end(c);
	iot_leave_status(c, 0, 0, arg, IOT_ST_NORETURN);
	/* another program takes the place of this one; at its end see iot_log_ended */
	if (c->desc->family == IOT_PROC && c->desc->result != IOT_R_NORETURN) {
		if (iot_faults_finish)
			iot_faults_finish();
		iot_window_seal(c->t);
	}
}
