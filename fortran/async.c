/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * async.c - asynchronous transfers.  A unit that was opened for them has a thread of
 * the runtime's, which takes what statements want from a queue.  What it does for one
 * of them is a TRANSFER, with the calls that it makes beneath, and names the number
 * that the statement has.
 *
 * That number is handed over in the statement's parameters, of which the runtime makes a
 * copy for the thread: in the places of specifiers that the statement does not have.
 */
#include "gfortran.h"
#include "desc_TRANSFER.h"

/* of a queue: lock that is held during a transfer, ..., its parameters, thread, ..., error:
   ..., whether there was one, ..., number */
#define QUEUE_PARAMETERS 272
#define QUEUE_THREAD 280
#define QUEUE_FAILED 320
#define QUEUE_ERROR 328
#define QUEUE_SIZE 336

#define AT(type, p, offset) (*(const type *)(const void *)((const char *)(p) + (offset)))

static uint64_t last_op;

/* what this thread does */
static __thread struct {
	struct iot_call call;		/* call.t == NULL: nothing, or not recorded */
	const char *unit;
	int64_t before;			/* where the unit stood */
} work;

uint64_t iot_f_issue(struct iot_f_dt *dt, bool reads, uint64_t start)
{
	uint64_t op;

	if (dt->common.flags & IOT_F_DT_SIZE)
		return 0;
	op = __atomic_add_fetch(&last_op, 1, __ATOMIC_RELAXED);
	/* where the length and the size would go */
	dt->iolength = (const void *)(op << 1 | reads);
	dt->size = (const void *)start;
	return op;
}

/* The unit's queue, if this is its thread; if not, this is another release. */
static const char *queue_of(const char *unit)
{
	const char *queue = iot_f_queue(unit);
	char copy[QUEUE_SIZE];

	if (!queue || !iot_fetch(copy, queue, sizeof(copy)) ||
	    AT(const void *, copy, QUEUE_THREAD) != (const void *)iot_thread_pointer())
		return NULL;
	return queue;
}

static struct iot_f_where where(const char *unit, bool reading)
{
	return iot_f_where(unit, AT(int32_t, unit, 0), reading);
}

/* This thread has taken the next from the queue.  frame: the wrapper's. */
void iot_f_work(const char *unit, void *frame)
{
	struct iot_f_where w = where(unit, true);

	work.call.t = NULL;
	if (w.fd < 0 || !queue_of(unit) || !iot_enter(&work.call, &IOT_DESC_NAME(TRANSFER), 0, w.fd, frame))
		return;
	/* what it calls does not lie beneath the wrapper, but beneath its caller */
	if (work.call.depth < IOT_MAX_SLOTS)
		iot_slots(work.call.t)[work.call.depth].frame = work.call.frame = (uintptr_t)frame + 2 * sizeof(void *);
	work.unit = unit;
	work.before = w.pos;
}

/* Where it began: it may have begun elsewhere than where the one before had ended. */
static int64_t began(const struct iot_f_dt *dt, const struct iot_f_where *w)
{
	if (work.before < 0 || w->pos < 0)
		return -1;
	if (dt->common.flags & IOT_F_DT_REC)
		return (dt->rec - 1) * w->recl;
	return dt->common.flags & IOT_F_DT_POS ? dt->pos - 1 : work.before;
}

static void record(const struct iot_f_dt *dt, const char *queue)
{
	uint64_t what = (uintptr_t)dt->iolength;
	struct iot_f_where w = where(work.unit, what & 1);
	int64_t from = began(dt, &w), ret = from >= 0 && w.pos >= from ? w.pos - from : -1;
	int iostat = AT(bool, queue, QUEUE_FAILED) ? AT(int, queue, QUEUE_ERROR) : 0, was = errno;
	uint32_t mode = iot_f_mode(dt) | (w.access == IOT_F_STREAM ? IOT_F_BY_BYTE : 0u);
	char at[IOT_F_AT_MAX];
	const uint64_t words[] = {
		(uintptr_t)iot_f_at(at, &dt->common), (uint64_t)dt->common.unit, mode,
		dt->common.flags & IOT_F_DT_REC ? (uint64_t)dt->rec : 0,
		from < 0 ? IOT_UNKNOWN : (uint64_t)from, what >> 1,
		(uintptr_t)(what & 1 ? "READ" : "WRITE"), (uintptr_t)dt->size,
		iostat == IOT_F_OS_ERROR ? 0 : (uint64_t)(long)iostat,
	};

	work.call.no_result = ret < 0 && iostat <= 0;
	iot_leave_status(&work.call, iostat > 0 ? -1 : ret, 0, words, IOT_ST_FINISHED);
	errno = was;
}

/* It is done.  After an error what is left in the queue is not begun. */
void iot_f_worked(void)
{
	const char *queue = work.call.t ? queue_of(work.unit) : NULL;

	if (queue)
		record(AT(const struct iot_f_dt *, queue, QUEUE_PARAMETERS), queue);
	work.call.t = NULL;
}
