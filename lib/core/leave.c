/* SPDX-License-Identifier: BSD-3-Clause */
/* leave.c - how a call ends: its record. */
#include "conf.h"
#include "draft.h"
#include "hot.h"
#include "own.h"
#include "sys.h"
#include "unwind.h"
#ifdef IOT_DYNAMIC
#include "stream.h"
#endif

#define IOT_RWF_APPEND	 0x10u
#define IOT_RWF_NOAPPEND 0x20u		/* Linux 6.9 */

/* The call's place among the calls in progress is free again, and t idle: at once, so
   that there is a call as long as there is a recorder to be jumped out of.
   (t/model/log.pml) */
static void pop(struct iot_thread *t, uint32_t place)
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
static inline bool has_place(const struct iot_thread *t, const struct iot_call *c)
{
	const struct iot_slot *s = &iot_slots(t)[c->depth];

	return c->depth >= IOT_MAX_SLOTS || (s->frame == c->frame && s->start && c->depth < t->depth);
}

/* How many calls are in progress around one at that place.  One that has no start
   yet has not begun: this is a handler's call, and came before it. */
uint32_t iot_depth_of(const struct iot_thread *t, uint32_t place)
{
	uint32_t depth = place;

	for (uint32_t i = t->outer; i < place && i < IOT_MAX_SLOTS; i++)
		depth -= !iot_slots(t)[i].start;
	return depth;
}

/* Calls that were being begun when a handler came may have taken the time before
   that: they began after it. */
static void settle_starts(struct iot_thread *t, uint32_t depth)
{
	for (uint32_t i = t->outer; i < depth && i < IOT_MAX_SLOTS; i++)
		if (t->late >> i & 1 && iot_slots(t)[i].start && iot_slots(t)[i].start < t->late_start)
			iot_slots(t)[i].start = t->late_start;
}

static uint64_t start_of(struct iot_thread *t, const struct iot_call *c)
{
	uint64_t start;

	if (iot_likely(c->start > t->late_start) || c->depth >= IOT_MAX_SLOTS)
		return c->start;
	settle_starts(t, c->depth + 1);
	start = iot_slots(t)[c->depth].start;
	return start > c->start ? start : c->start;
}

/* What of a call a compact record says, beside its times; false if it has more to tell. */
struct compact {
	uint64_t size, low40;
	bool fixed;
};

static bool is_compact(const struct iot_call *c, const struct iot_draft *d, uint64_t ret, struct compact *x)
{
	const bool no_offset = d->offset == IOT_UNKNOWN;

	*x = (struct compact){ d->size, d->offset, false };
	switch ((enum iot_result)c->desc->result) {
	case IOT_R_BYTES:
	case IOT_R_STATUS:
	case IOT_R_ERRCODE:
	case IOT_R_EOF:
		/* the size of those that have one, 0 of the others */
		return !d->argc && ret == d->size && (no_offset || d->offset < IOT_NO_OFFSET40);
	case IOT_R_CHAR:
	case IOT_R_CHARS:
		x->size = ret;
		return !d->argc && !(d->present & IOT_HAS_SIZE) && no_offset;
	case IOT_R_ITEMS:
		if (d->argc != 1 || !no_offset)
			return false;
		x->low40 = d->word[0];
		x->fixed = true;
		return x->low40 && !((x->low40 | ret) >> 32) && ret * x->low40 == d->size;
	case IOT_R_POS:
		if (d->argc != 2 || c->desc->effect != IOT_E_SEEK)
			return false;
		x->size = iot_seek((int64_t)ret, (int64_t)d->word[0], (int)d->word[1]);
		x->low40 = ret;
		return true;
	default:
		return false;
	}
}

/* Most calls that took the slow way, for being nested or the like, can have the short
   record all the same.  Returns false if this one can't. */
static bool store_compact(struct iot_thread *t, const struct iot_call *c, uint32_t depth,
			  const struct iot_draft *d, uint64_t dur, uint64_t ret, uint32_t status)
{
	struct compact x;
	uint64_t dt;

	if (status || c->err || !(d->present & IOT_HAS_RET) || depth >= IOT_DEPTH_MAX || !is_compact(c, d, ret, &x) ||
	    (dur | x.size | (uint64_t)c->handle << 16 | (uint64_t)c->stack << 8) >> 32)
		return false;
	iot_reserve(t, 3);
	dt = c->start - t->base;
	if (dt >> 32)
		return false;
	iot_put_compact(t,
			c->desc->id | c->internal | depth << IOT_DEPTH_SHIFT |
				c->handle << IOT_HANDLE_SHIFT,
			dt, dur, x.size, x.low40 & IOT_NO_OFFSET40, c->stack, x.fixed);
	return true;
}

/* A handler's call, at that place, came before some that it interrupted had begun.
   The new base takes those off the fast way, should they have an earlier start. */
static void begin_later(struct iot_thread *t, uint32_t place)
{
	settle_starts(t, place);
	t->late = 0;
	for (uint32_t i = t->outer; i < place && i < IOT_MAX_SLOTS; i++)
		t->late |= (uint32_t)!iot_slots(t)[i].start << i & ~t->vacant;
	if (!t->late)
		return;
	t->late_start = iot_ticks();
	iot_rebase(t, t->late_start);
}

/* Of a thread of MPI's the blocks say it. */
static uint32_t own_status(const struct iot_thread *t, const struct iot_call *c)
{
	return c->own && !(t->flags & IOT_BLOCK_MPI) ? IOT_ST_MPI : 0;
}

/* Stores the record.  t is busy. */
static void store(struct iot_thread *t, const struct iot_call *c, const struct iot_draft *d, uint64_t end,
		  uint64_t ret, int err, uint32_t status)
{
	uint32_t present = d->present, words, depth = iot_depth_of(t, c->depth);
	uint64_t dur = end - c->start, *p, *q;

	if (end - t->base > t->limit)
		iot_rebase(t, c->start > t->base ? c->start : end);
	if (store_compact(t, c, depth, d, dur, ret, status)) {
		if (iot_unlikely(depth < c->depth))
			begin_later(t, c->depth);
		return;
	}
	if (d->offset != IOT_UNKNOWN)
		present |= IOT_HAS_OFFSET;
	if (dur >> 32)
		present |= IOT_HAS_DUR;
	/* iot_reserve may begin a new block and with it a new base: room for all */
	p = iot_reserve(t, 4 + 5 + d->words);
	if (c->start < t->base || (c->start - t->base) >> 32)
		present |= IOT_HAS_START;
	q = p + 4;
	if (present & IOT_HAS_START)
		*q++ = c->start;
	if (present & IOT_HAS_DUR)
		*q++ = dur;
	if (present & IOT_HAS_SIZE)
		*q++ = d->size;
	if (present & IOT_HAS_OFFSET)
		*q++ = d->offset;
	if (present & IOT_HAS_RET)
		*q++ = ret;
	for (uint32_t i = 0; i < d->argc; i++) {
		if (d->text[i].s)
			q = iot_put_bytes(q, d->text[i].s, d->text[i].len);
		else
			*q++ = d->word[i];
	}
	words = (uint32_t)(q - p);
	p[0] = c->desc->id | IOT_GENERAL << IOT_FORM_SHIFT | c->internal |
	       (uint64_t)(depth < IOT_DEPTH_MAX ? depth : IOT_DEPTH_MAX) << IOT_DEPTH_SHIFT |
	       (uint64_t)(c->handle & 0xffff) << IOT_HANDLE_SHIFT |
	       (present & IOT_HAS_START ? 0 : (c->start - t->base) << IOT_DT_SHIFT);
	p[1] = (present & IOT_HAS_DUR ? 0 : dur) | (uint64_t)words << 32 | (uint64_t)present << 48;
	p[2] = c->handle | (uint64_t)c->stack << 32;
	p[3] = (uint64_t)err | (uint64_t)depth << 16 | (uint64_t)status << 32 | (uint64_t)d->argc << 40;
	if (c->start < t->block_base)
		t->win->n_late = ++t->n_late;
	iot_commit(t, words);
	if (iot_unlikely(depth < c->depth))
		begin_later(t, c->depth);
}

#ifdef IOT_DYNAMIC
/* Bytes that went beneath a call, within its time: by how many calls is not known.  at:
   the offset of the first. */
static void store_beneath(struct iot_thread *t, const struct iot_call *around, const struct iot_moved *m,
			  uint64_t end, uint64_t at)
{
	for (uint32_t i = 0; i < m->n; i++) {
		struct iot_call c = { .desc = m->of[i].desc, .start = around->start, .stack = around->stack,
				      .depth = around->depth + !around->silent, .internal = IOT_INTERNAL };
		struct iot_draft d;

		if (!iot_is_wanted(c.desc))
			continue;
		if (around->desc && around->desc->stream != IOT_S_DIRECT)
			iot_fd_shared(m->of[i].fd);
		c.handle = m->of[i].fd == around->fd ? around->handle : iot_fd_handle(t, m->of[i].fd);
		iot_draft_init(&d);
		d.size = m->of[i].bytes;
		d.offset = i ? IOT_UNKNOWN : at;
		d.present = IOT_HAS_SIZE | IOT_HAS_RET;
		store(t, &c, &d, end, d.size, 0, IOT_ST_INFERRED | own_status(t, around));
	}
}

/* Behind all that the program's exit calls: what libc will do yet. */
void iot_infer_exit(void)
{
	struct iot_thread *t = iot_mine();
	struct iot_call c = { .fd = -1, .silent = true };
	struct iot_moved m;

	if (t)
		iot_window_unseal(t);
	if (!t || t->state != IOT_IDLE || !iot_families)
		return;
	m.n = 0;
	/* how long it will take is not known */
	if (iot_families >> IOT_POSIX & 1 && !iot_config.longer)
		iot_stream_at_exit(t, &m);
	c.start = iot_ticks();
	c.depth = t->depth;
	iot_busy(t);
	store_beneath(t, &c, &m, c.start, IOT_UNKNOWN);
	iot_usage_define(t);
	iot_idle(t);
}
#endif

/* After a fork inside the call: the recorder of this process, if it has one. */
static IOT_COLD struct iot_thread *survivor(struct iot_call *c)
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
	uint64_t at = iot_ofd_leave(t, c->ofd, c->fd, c->offset, c->end, c->ticket,
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

/* What the program tells itself has no length, or is worth its record. */
static bool is_too_short(const struct iot_call *c, uint64_t end, uint32_t status)
{
	return iot_unlikely(iot_config.longer) && end - c->start < iot_config.longer &&
	       status != IOT_ST_NORETURN && c->desc->family != IOT_USER;
}

void iot_leave_status(struct iot_call *c, long ret, int err, const uint64_t *arg, uint32_t status)
{
	uint64_t end = iot_ticks(), value = 0, at = IOT_UNKNOWN;
	struct iot_thread *t = c->t;
	struct iot_draft d;
	bool failed = status != IOT_ST_NORETURN && iot_failed(c->desc, ret);
	bool in_place = true, recorded = false;

	iot_draft_init(&d);
	if (iot_unlikely(t != iot_self && c->generation == iot_each.generation && !iot_is_mine(t))) {
		t = iot_moved(c);
		in_place = false;
	} else if (iot_unlikely(t->state != IOT_IDLE || c->generation != iot_each.generation)) {
		t = survivor(c);
	} else if (iot_unlikely(!has_place(t, c))) {
		/* what was taken for abandoned is on record as that */
		in_place = false;
		recorded = t->returns = true;
	}
	if (!t)
		return;
	/* one that the program ends within is not the innermost */
	if (iot_unlikely(t->depth > c->depth + 1 && in_place) && status != IOT_ST_NORETURN)
		iot_left_above(t, c);
	t->state = IOT_BUSY;
	iot_barrier();
	if (iot_unlikely((status == IOT_ST_NORETURN) != t->left)) {
		t->left = !t->left;
		iot_log_leaves(t->left);
		if (t->left)
			iot_usage_define(t);
	}
	if (in_place)
		c->start = start_of(t, c);
	if (c->desc->result == IOT_R_ERRCODE || c->desc->result == IOT_R_PROGRESS)
		err = (int)ret;
	c->err = failed ? iot_stream_error(c->desc, arg, err) : 0;
	iot_draft_args(t, &d, c, arg, ret,
		       status == IOT_ST_NORETURN ? IOT_NOT_MADE : failed ? IOT_HAS_FAILED : IOT_SUCCEEDED);
	/* stacks are for certain paths only, and this call turns out to be on none */
	if (iot_unlikely(iot_config.has_stack_paths) && !c->handle &&
	    (!d.name || d.path_flags & IOT_FD_NOSTACK))
		c->stack = 0;
	if (c->ofd && iot_moves(c->desc)) {
		at = moved_at(t, c, &d, arg, ret, failed);
		if (d.offset == IOT_UNKNOWN && c->desc->stream != IOT_S_DIRECT)
			d.offset = at;
		else if (d.offset != IOT_UNKNOWN && c->desc->puts && !failed)
			d.offset = landed(c, d.offset, arg, ret);
	} else if (c->desc->puts && d.offset != IOT_UNKNOWN && !failed && status != IOT_ST_NORETURN) {
		d.offset = landed(c, d.offset, arg, ret);
	}
	if (!failed && status != IOT_ST_NORETURN && iot_effect(c->desc)) {
		iot_effect_do(t, c, ret, arg, &d);
		if (iot_unlikely(c->own))
			iot_own_made(t, c->desc, arg, (int)ret);
	}
	if (status != IOT_ST_NORETURN && c->desc->result != IOT_R_VOID && !c->no_result) {
		value = iot_result_value(c->desc, ret, failed);
		d.present |= IOT_HAS_RET;
	}
	if (c->no_syscall || (status != IOT_ST_NORETURN && in_place && came_to_none(t, c)))
		status |= IOT_ST_NO_SYSCALL;
	if (!c->silent && is_too_short(c, end, status)) {
		iot_leave_out();
		c->silent = true;
	}
#ifdef IOT_DYNAMIC
	if (c->stream || (c->desc->stream == IOT_S_DIRECT && !c->untraced)) {
		struct iot_moved moved;

		iot_stream_after(t, c, arg, ret, &moved);
		if (c->stream)
			iot_stream_unlock(c);
		if (c->stream && c->ofd)
			iot_fd_shared(c->fd);
		if (!is_too_short(c, end, status))
			store_beneath(t, c, &moved, end, at);
	}
#endif
	if (!c->silent && !recorded && !(d.path_flags & IOT_FD_UNTRACED) &&
	    !(c->own && iot_own_count(t, c, end, failed)))
		store(t, c, &d, end, value, c->err, status | own_status(t, c));
	iot_barrier();
	if (in_place && (status & 3) != IOT_ST_NORETURN)
		pop(t, c->depth);
	else
		t->state = IOT_IDLE;
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

/* Before a call that will not return: its record, and those of the calls around
   it, which will not return either, are in their slots. */
void iot_noreturn(struct iot_call *c, const uint64_t *arg)
{
	iot_leave_status(c, 0, 0, arg, IOT_ST_NORETURN);
	/* another program takes the place of this one; at its end see iot_log_ended */
	if (c->desc->family == IOT_PROC && c->desc->result != IOT_R_NORETURN)
		iot_window_seal(c->t);
}

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
	iot_draft_init(&d);
	c.start = start;
	c.start = start_of(t, &c);
	c.handle = s->handle;
	c.stack = s->stack;
	c.internal = s->call & IOT_SLOT_INTERNAL ? IOT_INTERNAL : 0;
	if (s->name) {
		d.argc = d.words = 1;
		d.word[0] = s->name;
		d.text[0].s = NULL;
	}
	iot_busy(t);
	store(t, &c, &d, end, 0, 0, IOT_ST_ABANDONED);
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
		pop(t, depth);
	}
}

void iot_abandon_one(struct iot_thread *t, uint32_t place)
{
	abandon_one(t, place, iot_ticks());
}
