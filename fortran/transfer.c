/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transfer.c - READ, WRITE and PRINT: a call of the runtime that begins them, one
 * for each item, one that ends them.  Items may be values of functions with
 * statements of their own, and defined I/O has child statements on its parent's unit.
 *
 * Each is on the thread's chain of calls in progress from its begin to its end; its
 * frame is its caller's, since both come from there.
 */
#include <string.h>

#include "arena.h"
#include "gfortran.h"
#include "hooks.h"
#include "lost.h"
#include "desc_READ.h"

#define MAX_NESTED 16

struct transfer {
	struct iot_call call;		/* call.t == NULL: not recorded */
	const struct iot_f_dt *dt;
	const void *unit;		/* before it has begun: as it was met */
	int64_t before;			/* -1: not known */
	int64_t shift;			/* how much further on that lies in the file */
	uint32_t mode;
	bool internal;			/* on a character variable, as are its children */
	uint32_t begun;			/* of its unit, with it and what it has within */
	bool fresh;			/* no transfer has had its unit before; where, if it is one */
	int64_t stood;			/* that the program came with, its descriptor stood; or -1 */
	int64_t came;			/* to there by its items: a record of direct access may go on behind that; or -1 */
	uint64_t op;			/* what it leaves to the runtime's thread */
};
/* A thread has memory for them from its first one until it ends: thread-local storage is short
   where a program with LD_AUDIT preloads the recorder. */
static struct iot_pool tables = { .size = MAX_NESTED * sizeof(struct transfer) };
static __thread struct transfer *transfers;	/* MAX_NESTED of them; NULL: there was none yet */
static __thread uint32_t n_transfers;
static uint32_t n_begun[64];		/* transfers so far, by unit */

static bool reads(const struct transfer *x)
{
	return x->call.desc == &IOT_DESC_NAME(READ);
}

/* Those whose frames are gone were left by an error, an exception or longjmp; their
   parameters lie in their callers' frames. */
static void forget_left(const struct iot_f_dt *dt, const void *frame)
{
	while (n_transfers) {
		const struct iot_f_dt *last = transfers[n_transfers - 1].dt;

		if (last != dt && (last >= (const struct iot_f_dt *)frame || !iot_self ||
				   (uintptr_t)last < iot_self->stack_low))
			break;
		n_transfers--;
	}
}

/* The innermost that has this unit. */
static const struct transfer *parent(const struct transfer *x)
{
	for (uint32_t i = (uint32_t)(x - transfers); i > 0; i--)
		if (transfers[i - 1].unit == x->unit)
			return &transfers[i - 1];
	return NULL;
}

static uint32_t *begun_on(const void *unit)
{
	return &n_begun[(uintptr_t)unit / 64 % 64];
}

/* The descriptor of a unit that the program came with; -1: it is none. */
static int came_with(int32_t unit)
{
	return unit == 5 ? 0 : unit == 6 ? 1 : unit == 0 ? 2 : -1;
}

/* Whether the format may have written or read records before has_begun(). */
static bool may_go_on(const struct transfer *x)
{
	return x->dt->format && memchr(x->dt->format, '/', x->dt->format_len);
}

/* A format is gone through as far as its first item before has_begun() sees the unit:
   where was it until then?  Unless another thread takes it first. */
static void has_not_begun(struct transfer *x)
{
	const char *unit = iot_f_met(x->dt->common.unit);
	int64_t fresh = -1;

	if (!unit && !x->internal) {
		fresh = iot_f_fresh(x->dt->common.unit);
		iot_f_stands(x->dt->common.unit, -1);
	}
	if (!x->call.t || !(x->mode & IOT_F_FORMATTED) || x->mode & IOT_F_BY_RECORD ||
	    x->dt->common.flags & IOT_F_DT_POS)
		return;
	x->fresh = !unit;
	x->before = fresh;
	if (!unit) {
		if (came_with(x->dt->common.unit) >= 0 && may_go_on(x))
			x->stood = iot_f_raw_pos(came_with(x->dt->common.unit), reads(x));
		return;
	}
	x->begun = __atomic_load_n(begun_on(unit), __ATOMIC_ACQUIRE);
	if (iot_f_alone(unit)) {
		x->unit = unit;
		x->before = iot_f_where(unit, x->dt->common.unit, reads(x)).pos;
		x->shift = iot_f_shift(unit, x->before, reads(x), false);
	}
}

/* Whether what is known of the unit from before the transfer, as it was met then, is
   still true. */
static bool holds(const struct transfer *x, const struct iot_f_where *w, const void *unit, uint32_t begun)
{
	if (x->before < 0 || x->before > w->pos)
		return false;
	return x->fresh || (unit == x->unit && begun + 1 == x->begun);
}

/* Where the transfer began.  Of the first on a unit that is not known if its format may
   have written or read records already. */
static int64_t begin_at(const struct transfer *x, const struct iot_f_where *w, const void *unit,
			uint32_t begun, bool child)
{
	if (!(x->mode & IOT_F_FORMATTED))
		return w->pos;
	if (x->mode & IOT_F_BY_RECORD && w->recl > 0)
		return (x->dt->rec - 1) * w->recl;
	if (x->dt->common.flags & IOT_F_DT_POS)
		return x->dt->pos - 1;
	if (holds(x, w, unit, begun))
		return x->before;
	if (may_go_on(x))
		return -1;
	return reads(x) || child ? w->pos : w->record;
}

/* The runtime has taken the unit, and come to the record. */
static void has_begun(struct transfer *x)
{
	const void *unit = x->unit;
	uint32_t begun = x->begun;
	const struct transfer *p;
	struct iot_f_where w;
	int64_t before;

	x->unit = x->dt->current_unit;
	p = parent(x);
	x->internal |= p && p->internal;
	x->begun = __atomic_add_fetch(begun_on(x->unit), 1, __ATOMIC_ACQ_REL);
	/* those around it have this thread's children, and no others */
	for (struct transfer *around = transfers; around < x; around++)
		if (begun_on(around->unit) == begun_on(x->unit))
			around->begun++;
	/* another thread's was the first */
	if (x->fresh && iot_f_met(x->dt->common.unit))
		x->before = -1;
	/* for those that come after it, recorded or not */
	if (!x->internal && x->unit)
		iot_f_meet(x->dt->common.unit, x->unit);
	if (!x->call.t)
		return;
	w = iot_f_where(x->unit, x->dt->common.unit, reads(x));
	/* without a buffer it stands where its descriptor does */
	if (x->fresh && w.raw && w.fd <= 2 && x->before >= 0)
		x->before = w.fd == came_with(x->dt->common.unit) ? x->stood : -1;
	/* a child of internal I/O is no more I/O than that is */
	if (x->internal || w.internal) {
		x->call.silent = true;
		return;
	}
	if (w.fd >= 0) {
		iot_f_learn(x->dt->common.unit, w.fd);
		iot_f_found(&x->call, w.fd);
	}
	if (w.access == IOT_F_STREAM)
		x->mode |= IOT_F_BY_BYTE;
	if (!iot_f_queue(x->unit) || x->dt->common.flags & IOT_F_RESULT)
		x->op = 0;
	/* if there is no such record it came nowhere */
	if (x->op || w.pos < 0 ||
	    (x->mode & IOT_F_BY_RECORD && (x->dt->common.flags & IOT_F_RESULT) == IOT_F_ERROR)) {
		x->before = -1;
		return;
	}
	before = begin_at(x, &w, unit, begun, p);
	if (!unit || before != x->before)
		x->shift = x->mode & IOT_F_BY_RECORD ? 0 : iot_f_shift(x->unit, before, reads(x), true);
	x->before = before;
	/* it has written or read the record's marker */
	if (x->mode & IOT_F_UNFORMATTED && w.access == IOT_F_SEQUENTIAL && !p &&
	    !(x->dt->common.flags & IOT_F_RESULT))
		x->before -= iot_f_marker;
}

/* The thread has ended, and its transfers. */
void iot_f_thread_gone(void)
{
	n_transfers = 0;
	iot_barrier();
	iot_pool_disown(&tables, &transfers);
}

void iot_f_begin(void (*real)(struct iot_f_dt *), struct iot_f_dt *dt, const struct iot_desc *desc,
		 void *frame)
{
	struct transfer *x;
	struct iot_call c;
	bool internal = dt->common.flags & IOT_F_DT_INTERNAL;

	forget_left(dt, frame);
	if (n_transfers == MAX_NESTED || !iot_pool_own(&tables, &transfers)) {
		iot_lost(1, IOT_LOST_DEPTH);
		real(dt);
		return;
	}
	c.t = NULL;
	if (!internal && iot_f_enter(&c, desc, &dt->common, -1, frame) && c.depth < IOT_MAX_SLOTS)
		iot_slots(c.t)[c.depth].frame = c.frame = (uintptr_t)frame + 2 * sizeof(void *);
	x = &transfers[n_transfers++];
	*x = (struct transfer){ .call = c, .dt = dt, .before = -1, .stood = -1, .came = -1, .mode = iot_f_mode(dt),
				.internal = internal };
	if (c.t && x->mode & IOT_F_ASYNCHRONOUS)
		x->op = iot_f_issue(dt, reads(x), c.start);
	has_not_begun(x);
	real(dt);
	/* a handler's transfers, in between, are over */
	has_begun(x);
}

/* Where it began, and how far it came.  Another thread that took the unit since has
   moved it on. */
static int64_t moved(struct transfer *x, uint64_t *offset)
{
	struct iot_f_where now;

	*offset = IOT_UNKNOWN;
	if (x->before < 0 || x->dt->current_unit != x->unit)
		return -1;
	if (x->before + x->shift >= 0)
		*offset = (uint64_t)(x->before + x->shift);
	now = iot_f_where(x->unit, x->dt->common.unit, reads(x));
	/* before somebody else moves it */
	if (reads(x))
		iot_f_shift(x->unit, now.pos, true, false);
	if (now.pos < x->before || !iot_f_alone(x->unit))
		return -1;
	return (x->came >= x->before && x->came < now.pos ? x->came : now.pos) - x->before;
}

static void record(struct transfer *x)
{
	int iostat = iot_f_iostat(&x->dt->common), was = errno;
	char at[IOT_F_AT_MAX];
	uint64_t offset;
	int64_t ret = moved(x, &offset);
	const uint64_t words[] = {
		(uintptr_t)iot_f_at(at, &x->dt->common), (uint64_t)x->dt->common.unit, x->mode,
		x->mode & IOT_F_BY_RECORD ? (uint64_t)x->dt->rec : 0, offset, x->op,
		(uint64_t)(long)(x->op && x->dt->common.flags & IOT_F_DT_ID ? *x->dt->id : INT32_MIN),
		iostat == INT32_MAX ? 0 : (uint64_t)(long)iostat,
	};

	/* another thread had the unit in between */
	if (__atomic_load_n(begun_on(x->unit), __ATOMIC_ACQUIRE) != x->begun)
		ret = -1;
	x->call.no_result = ret < 0 && iostat <= 0;
	iot_leave_status(&x->call, iostat > 0 ? -1 : ret, iostat > 0 && iostat < 4096 ? iostat : 0, words,
			 iot_f_ending ? IOT_ST_NORETURN : IOT_ST_FINISHED);
	errno = was;
}

/* The program ends within these, the outermost first. */
void iot_f_transfers_end(void)
{
	for (uint32_t i = 0; i < n_transfers; i++)
		if (iot_f_goes_on(&transfers[i].call))
			record(&transfers[i]);
}

/* The innermost, if any is in progress and recorded. */
const struct iot_f_common *iot_f_transfer(void)
{
	const struct transfer *x = n_transfers ? &transfers[n_transfers - 1] : NULL;

	return x && iot_f_has_place(&x->call) ? &x->dt->common : NULL;
}

void iot_f_end(void (*real)(struct iot_f_dt *), struct iot_f_dt *dt)
{
	struct transfer *x = NULL;

	for (uint32_t i = n_transfers; i > 0 && !x; i--)
		if (transfers[i - 1].dt == dt)
			x = &transfers[i - 1];
	/* what is left of the record is filled up, or passed over, without an item */
	if (x && x->call.t && x->mode & IOT_F_UNFORMATTED && x->mode & IOT_F_BY_RECORD && dt->current_unit == x->unit)
		x->came = iot_f_where(x->unit, dt->common.unit, reads(x)).pos;
	real(dt);
	if (!x)
		return;
	if (x->call.t)
		record(x);
	n_transfers = (uint32_t)(x - transfers);
}
