/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linux-aio.c - the kernel's asynchronous I/O: the operations that io_submit(2) begins and
 * io_getevents(2) reports.
 *
 * Control blocks are read once the kernel has read them itself.  An operation has the name that
 * the kernel gives back: its context, and its control block's address.  Completions are taken
 * from the context's ring (linux-ring.c), in each call that submits or collects, before the context
 * is destroyed, which waits for what is in flight, and when the program ends.  One that is not
 * found behind io_getevents(2) may have been there since the look before: its record says so.
 */
#include <sys/uio.h>
#include <time.h>

#include "libaio.h"
#include "linux-ring.h"
#include "linux-submits.h"
#include "record-draft.h"
#include "requests.h"
#include "sys.h"

/* linux/aio_abi.h, which musl comes without */
struct control_block {
	uint64_t data;
	uint32_t key, rw_flags;
	uint16_t opcode;
	int16_t priority;
	uint32_t fd;
	uint64_t buf, nbytes;
	int64_t offset;
	uint64_t reserved;
	uint32_t flags, eventfd;
};
enum { PREAD, PWRITE, FSYNC, FDSYNC, POLL = 5, NOOP, PREADV, PWRITEV, OPCODES };
#define HAS_EVENTFD 1u

#define AT_ONCE 32			/* blocks, or events, that are read with one copy of ours */
#define PATIENCE 20000			/* naps of 50 us, a second or two */

static struct iot_kept submits = { .text = "io_submit" }, anything = { .text = "?" };
static struct iot_kept names[OPCODES] = {
	[PREAD] = { .text = "pread" },	 [PWRITE] = { .text = "pwrite" },   [FSYNC] = { .text = "fsync" },
	[FDSYNC] = { .text = "fdatasync" }, [POLL] = { .text = "poll" },    [NOOP] = { .text = "noop" },
	[PREADV] = { .text = "preadv" }, [PWRITEV] = { .text = "pwritev" },
};

/* What the control block asks for. */
static void describe(struct iot_thread *t, struct iot_operation *op, const struct control_block *b)
{
	op->what = b->opcode < OPCODES && names[b->opcode].text ? &names[b->opcode] : &anything;
	op->flags = b->rw_flags;
	op->eventfd = b->flags & HAS_EVENTFD ? b->eventfd : 0;
	op->size = 0;
	op->offset = IOT_UNKNOWN;
	switch (b->opcode) {
	case PREAD:
	case PWRITE:
		op->size = b->nbytes;
		op->offset = (uint64_t)b->offset;
		break;
	case PREADV:
	case PWRITEV:
		iot_busy(t);
		op->size = iot_vectors_sum(t, (const struct iovec *)b->buf, b->nbytes);
		iot_idle(t);
		op->offset = (uint64_t)b->offset;
		break;
	case POLL:
		op->flags = b->buf;
		break;
	}
	iot_request_on(t, op, (int)b->fd);
	if (b->opcode == PWRITE || b->opcode == PWRITEV)
		iot_request_puts(op, b->rw_flags);
}

static void submitted(const struct iot_call *c, uintptr_t context, uint32_t n, const uintptr_t *list)
{
	struct iot_aio_ring *r = iot_aio_ring_hold(context);
	const uintptr_t queue = iot_aio_ring_queue(context);
	uintptr_t block[AT_ONCE];

	if (r)
		iot_aio_ring_let_go(r);
	for (uint32_t i = 0; i < n; i++) {
		/* a program may use a block again as soon as the kernel has read it; of a ring that is
		   followed no end is missed, so that the oldest is the one that ends */
		struct iot_operation op = { .queue = queue, .start = c->start, .by = &submits, .repeats = r };
		struct control_block b;

		if (i % AT_ONCE == 0 && !iot_fetch_used(c->t, block, list + i,
							(n - i < AT_ONCE ? n - i : AT_ONCE) * sizeof(*block)))
			return;
		op.name = block[i % AT_ONCE];
		if (!iot_fetch_used(c->t, &b, (const void *)op.name, sizeof(b)))
			continue;
		describe(c->t, &op, &b);
		iot_operation_begin(&op);
		iot_request_record(c, &op);
	}
}

/* An end that comes before the record of its beginning, or without: what its control block
   says now is what it was.  If a call submits the block now, and has not told of it yet, that began it. */
static void unknown(const struct iot_call *c, struct iot_operation *op)
{
	const uint64_t start = iot_aio_submitting(op->queue, op->name);
	struct control_block b;
	uint64_t now;

	*op = (struct iot_operation){ .queue = op->queue, .name = op->name, .by = &submits };
	if (iot_fetch(&b, (const void *)op->name, sizeof(b)))
		describe(c->t, op, &b);
	else
		op->what = &anything;
	/* this call may have begun before that which submitted it */
	op->start = now = iot_ticks();
	iot_operation_early(op);
	if (op->start == now)
		op->start = start;
}

static void collected(const struct iot_call *c, uintptr_t context, uint32_t n, const struct iot_aio_event *events)
{
	const uintptr_t queue = iot_aio_ring_queue(context);
	struct iot_aio_event e[AT_ONCE];

	for (uint32_t i = 0; i < n; i++) {
		const struct iot_aio_event *this = &e[i % AT_ONCE];
		struct iot_operation op = { .queue = queue };

		if (i % AT_ONCE == 0 &&
		    !iot_fetch_used(c->t, e, events + i, (n - i < AT_ONCE ? n - i : AT_ONCE) * sizeof(*e)))
			return;
		op.name = this->block;
		if (!iot_operation_take(queue, op.name, &op))
			unknown(c, &op);
		iot_completion_record(c, &op, this->res);
	}
}

/* Records what has completed since the last look.  False: the ring is not followed.  bounded: it
   may have completed at any time since then. */
static bool look(const struct iot_call *c, uintptr_t context, bool bounded)
{
	struct iot_aio_ring *r = iot_aio_ring_hold(context);
	struct iot_aio_event e;
	struct iot_operation op;
	uint64_t since;

	if (!r)
		return false;
	since = iot_aio_ring_empty(r);
	while (iot_aio_ring_next(r, &e, &op)) {
		if (!op.number)
			unknown(c, &op);
		if (bounded)
			op.pending = op.start > since ? op.start : since;
		iot_completion_record(c, &op, e.res);
	}
	iot_aio_ring_let_go(r);
	return true;
}

static void in_flight(const struct iot_operation *op, void *n)
{
	*(uint32_t *)n += op->what != &names[POLL];
}

/* The ring goes with the context, and with it the ends of what is in flight.  io_destroy(2)
   waits for these, but for what it gives up: polls, and what some drivers do.  So they are
   waited for here, as long as any ends. */
static void await(const struct iot_call *c, uintptr_t context)
{
	const struct timespec nap = { .tv_nsec = 50000 };
	uint32_t before = ~0u, left;

	for (int idle = 0; idle < PATIENCE && look(c, context, true); idle++) {
		left = 0;
		iot_operations_each(iot_aio_ring_queue(context), in_flight, &left);
		if (!left || !iot_sys_allowed(SYS_nanosleep))
			return;
		if (left != before)
			idle = 0;
		before = left;
		iot_syscall(SYS_nanosleep, &nap, NULL);
	}
}

/* A poll that is given up has found nothing, the kernel says. */
static void given_up(const struct iot_operation *op, void *in)
{
	const struct iot_call *c = in;
	struct iot_operation ends = *op;

	if (op->what != &names[POLL])
		return;
	ends.pending = op->start > c->start ? op->start : c->start;
	iot_completion_record(c, &ends, 0);
}

static void all_over(const struct iot_call *c, uintptr_t queue)
{
	iot_operations_each(queue, given_up, (void *)c);
	iot_operations_gone(queue);
}

void iot_linux_aio_begun(const struct iot_call *c, long number, const unsigned long *a)
{
	if (!c->t || !iot_follows_requests())
		return;
	if (number == SYS_io_submit) {
		if (!look(c, a[0], true))
			iot_aio_ring_new(a[0]);
		iot_aio_submits(c, iot_aio_ring_queue(a[0]), a[1], a[2]);
	} else if (number == SYS_io_destroy) {
		const uintptr_t queue = iot_aio_ring_queue(a[0]);

		await(c, a[0]);
		iot_aio_ring_gone(a[0]);
		/* of a ring that was moved nobody knows the first address any more behind the call */
		if (queue != a[0])
			all_over(c, queue);
	}
}

static void look_at_end(uintptr_t context, void *c)
{
	look(c, context, true);
}

void iot_linux_aio_exits(struct iot_call *c)
{
	if (c->t == iot_self && c->t->state == IOT_IDLE && iot_follows_requests())
		iot_aio_rings_each(look_at_end, c);
}

static void made(const uintptr_t *at)
{
	uintptr_t context;

	if (iot_fetch(&context, at, sizeof(context)))
		iot_aio_ring_new(context);
}

static void submission_ends(const struct iot_call *c, const unsigned long *a, long ret)
{
	if (ret > 0)
		submitted(c, a[0], (uint32_t)ret, (const uintptr_t *)a[2]);
	/* see iot_linux_aio_begun() */
	if (c->t)
		iot_aio_submitted(c);
}

void iot_linux_aio(const struct iot_call *c, long number, const unsigned long *a, long ret)
{
	if (number == SYS_io_submit && iot_follows_requests())
		submission_ends(c, a, ret);
	/* one that could not be destroyed goes on */
	if (number == SYS_io_destroy && ret < 0)
		iot_aio_ring_new(a[0]);
	if (ret < 0 || !iot_follows_requests())
		return;
	switch (number) {
	case SYS_io_setup:
		made((const uintptr_t *)a[1]);
		break;
	case SYS_io_getevents:
	case SYS_io_pgetevents:
		if (!look(c, a[0], false))
			collected(c, a[0], (uint32_t)ret, (const struct iot_aio_event *)a[3]);
		break;
	case SYS_io_cancel:
		/* kernels since 5.2 or so report it like any other */
		collected(c, a[0], 1, (const struct iot_aio_event *)a[2]);
		break;
	case SYS_io_destroy:
		all_over(c, a[0]);
		break;
	}
}

/* libaio looks at the ring itself if it is not to wait: with nothing there it makes no call.
   The call is seen if it is made by syscall(2), as Debian's libaio does. */
static bool looked_only(const struct iot_call *c, const uint64_t *words, int ret)
{
	const uint32_t *noted = iot_noted(c->t, c->depth);
	bool collects = c->desc->sys == SYS_io_getevents + 1 || c->desc->sys == SYS_io_pgetevents + 1;

	return collects && !ret && !words[4] && !(noted && *noted & IOT_SLOT_MADE);
}

long iot_libaio(iot_libaio_fn *real, const struct iot_desc *desc, void *frame, const unsigned long a[6])
{
	struct iot_call c IOT_CLEANUP;
	uint64_t words[6];
	long whole;
	int ret;

	if (!iot_enter(&c, desc, 0, -1, frame))
		return real(a[0], a[1], a[2], a[3], a[4], a[5]);
	iot_raw_words(desc, a, words);
	iot_linux_aio_begun(&c, desc->sys - 1, a);
	whole = real(a[0], a[1], a[2], a[3], a[4], a[5]);
	/* it returns errors as the kernel does */
	ret = (int)whole;
	c.no_syscall = looked_only(&c, words, ret);
	iot_linux_aio(&c, desc->sys - 1, a, ret);
	iot_leave_status(&c, ret < 0 ? -1 : ret, ret < 0 ? -ret : 0, words, IOT_ST_FINISHED);
	c.t = NULL;
	return whole;
}
