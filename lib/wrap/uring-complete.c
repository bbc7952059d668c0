/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring-complete.c - completions of an io_uring.  The queue is only read, from where the
 * last look ended to where the kernel is: which of them the program has taken does not
 * matter, as long as the kernel has not written over them.
 *
 * Of several requests with the same user_data the first is taken to have ended first.
 */
#include "uring.h"

#include <string.h>

#include "logfd.h"
#include "lost.h"
#include "sys.h"
#include "uring-ring.h"

/* What it did to descriptors. */
static IOT_COLD void effects(struct iot_thread *t, struct iot_ring *r, const struct iot_operation *op, int32_t res)
{
	const uint32_t slot = IOT_U_OTHER(op->flags);

	if (op->flags & IOT_U_PLACES) {
		iot_uring_placed(r, op, res);
	} else if (op->flags & IOT_U_CLOSE && res >= 0 && !(op->flags & IOT_U_DIRECT)) {
		iot_fd_closed(t, (int)slot);
	} else if (op->flags & IOT_U_FD && op->flags & IOT_U_DIRECT) {
		if (res < 0 && slot != IOT_FILE_ALLOC)
			iot_uring_file(r, slot - 1, 0, 0);
		else if (res >= 0 && slot == IOT_FILE_ALLOC)
			/* an accepted socket is not the one that it came by */
			iot_uring_file(r, (uint32_t)res, IOT_U_OPCODE(op->flags) == IOT_OP_ACCEPT ? 0 : op->handle,
				       iot_request_flags(op));
	} else if (op->flags & IOT_U_FD && res >= 0) {
		/* the kernel says what it is, once it is used */
		iot_log_reached(res);
		iot_fd_closed(t, res);
	}
}

/* The kernel is through with the buffer of what it has sent; its result says how, and moves nothing. */
static IOT_COLD void notified(const struct iot_call *c, struct iot_ring *r, const struct iot_operation *op,
			      const struct iot_cqe *cqe, uint64_t now)
{
	const struct iot_cqe moved_nothing = { cqe->user_data, 0, cqe->flags };

	iot_uring_record_completion(c, r, op, &moved_nothing, false, now);
}

IOT_FAST void ended(const struct iot_call *c, struct iot_ring *r, const struct iot_operation *op, const struct iot_cqe *cqe,
		    uint64_t now)
{
	if (iot_unlikely(cqe->flags & IOT_CQE_NOTIF)) {
		notified(c, r, op, cqe, now);
		return;
	}
	if (iot_unlikely(op->flags & (IOT_U_FD | IOT_U_CLOSE | IOT_U_PLACES)))
		effects(c->t, r, op, cqe->res);
	if (iot_unlikely(op->flags & IOT_U_HEADED && cqe->res > 0)) {
		const struct iot_cqe moved = { cqe->user_data, cqe->res - (int32_t)IOT_U_OTHER(op->flags), cqe->flags };

		iot_uring_record_completion(c, r, op, &moved, op->flags & IOT_U_BYTES, now);
		return;
	}
	iot_uring_record_completion(c, r, op, cqe, op->flags & IOT_U_BYTES, now);
}

/* Whether no other process has taken it for one of its own. */
static bool is_ours(const struct iot_ring *r, const uint32_t *at)
{
	return iot_likely(!r->common) || !at || iot_ring_takes_completion(r, *at);
}

/* Of one that is not followed; or of none that is known: another process's; or it was held back, and
   has its record; or another ring's message. */
static void other_ended(const struct iot_call *c, struct iot_ring *r, const struct iot_cqe *cqe, const uint32_t *at,
			uint64_t now)
{
	static struct iot_kept unknown = { .text = "unknown" };
	struct iot_operation op;

	if (iot_uring_take_quiet(r, cqe->user_data, &op)) {
		const bool ours = is_ours(r, at);

		if (ours)
			ended(c, r, &op, cqe, now);
		if (!ours || cqe->flags & IOT_CQE_MORE)
			iot_uring_quiet(r, &op);
	} else if (!r->shared && !r->told) {
		op = (struct iot_operation){ .queue = (uintptr_t)r, .what = &unknown, .offset = IOT_UNKNOWN };
		iot_uring_record_completion(c, r, &op, cqe, false, now);
	}
}

bool iot_uring_complete(const struct iot_call *c, struct iot_ring *r, const struct iot_cqe *cqe, const uint32_t *at,
			uint64_t now)
{
	struct iot_operation room;
	bool ours;
	const struct iot_operation *op = iot_line_take(r->line, (uintptr_t)r, cqe->user_data, &room);

	if (iot_unlikely(!op)) {
		if (iot_uring_is_behind(r))
			return false;
		/* a thread of the kernel's may have taken it since the last look */
		if (r->flags & IOT_SETUP_SQPOLL)
			iot_uring_claim(c, r, 0, NULL, NULL);
		/* it may have been read since */
		op = iot_line_take(r->line, (uintptr_t)r, cqe->user_data, &room);
	}
	if (iot_unlikely(!op)) {
		other_ended(c, r, cqe, at, now);
		return true;
	}
	ours = is_ours(r, at);
	if (iot_likely(ours))
		ended(c, r, op, cqe, now);
	iot_line_leave(r->line, op, &room, !ours || cqe->flags & IOT_CQE_MORE);
	return true;
}

/* Whether the kernel may have written to that place since it was read there: not before the program
   has taken what was there. */
static bool may_be_another(const struct iot_ring *r, uint32_t at, const char *from, const struct iot_cqe *cqe)
{
	struct iot_cqe again;
	uint32_t tail;

	return !iot_ring_read(r, &again, from, sizeof(again)) || memcmp(cqe, &again, sizeof(again)) ||
	       !iot_ring_word(r, r->cq, r->cq_tail, &tail) || tail - at > r->cq_entries;
}

/* The completion at that place in the queue; false: it is no longer there.  Once the program has
   taken it the kernel may be writing another over it: then two readings differ. */
static bool read_one(const struct iot_ring *r, uint32_t at, struct iot_cqe *cqe)
{
	const char *from = r->cq + r->cqes + (uint64_t)(at & (r->cq_entries - 1)) * (r->flags & IOT_SETUP_CQE32 ? 32 : 16);
	uint32_t head;

	if (!iot_ring_read(r, cqe, from, sizeof(*cqe)))
		return false;
	iot_barrier();
	return (iot_ring_word(r, r->cq, r->cq_head, &head) && (int32_t)(at - head) >= 0) ||
	       !may_be_another(r, at, from, cqe);
}

/* Of those that other processes have in flight nothing is known; readers name ours, which never end. */
static void count_lost(const struct iot_ring *r, uint32_t n)
{
	if (!r->shared)
		iot_lost(n, iot_ring_loss(r));
}

static void count_overflow(struct iot_ring *r)
{
	uint32_t n, lost;

	if (!iot_ring_word(r, r->cq, r->cq_overflow, &n) || n == r->overflown)
		return;
	lost = r->common ? iot_ring_overflows(r, n) : n - r->overflown;
	if (lost)
		iot_lost(lost, IOT_LOST_QUEUE);
	r->overflown = n;
}

/* False: the rest is left to the call that is reading its request. */
static bool read_all(const struct iot_call *c, struct iot_ring *r)
{
	uint32_t tail, was = r->seen;
	uint64_t now = 0;
	struct iot_cqe cqe;

	while (iot_ring_word(r, r->cq, r->cq_tail, &tail) && r->seen != tail) {
		uint32_t at = r->seen;

		/* those that were there at one look are seen at one moment, which is behind it; but
		   records are shorter if they don't begin before their block */
		if (tail != was || now < c->t->block_base)
			now = iot_ticks();
		was = tail;

		if (tail - at > r->cq_entries) {
			r->seen = tail - r->cq_entries;
			count_lost(r, r->seen - at);
			continue;
		}
		if (!read_one(r, at, &cqe)) {
			r->seen++;
			count_lost(r, 1);
			continue;
		}
		r->seen += r->flags & IOT_SETUP_CQE_MIXED && cqe.flags & IOT_CQE_32 ? 2 : 1;
		if (r->flags & IOT_SETUP_CQE_MIXED && cqe.flags & IOT_CQE_FILLER)
			continue;
		cqe.flags = (cqe.flags & IOT_CQE_FLAGS) | (r->full ? IOT_CQE_HELD : 0);
		if (iot_unlikely(!iot_uring_complete(c, r, &cqe, &at, now))) {
			r->seen = at;
			return false;
		}
	}
	count_overflow(r);
	return true;
}

void iot_uring_resized(const struct iot_call *c, struct iot_ring *r, const struct iot_uring_params *p)
{
	struct iot_thread *is = NULL;
	uint32_t depth = r->reader_depth;
	bool seen;

	/* what the program has taken is not in the new queue */
	iot_uring_collect(c, r);
	while (!__atomic_compare_exchange_n(&r->reader, &is, c->t, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) && is != c->t) {
		is = NULL;
		iot_syscall(SYS_sched_yield);
	}
	r->reader_depth = is ? depth : c->depth;
	seen = iot_ring_resize(r, p);
	if (!is)
		__atomic_store_n(&r->reader, NULL, __ATOMIC_RELEASE);
	if (seen)
		return;
	iot_lost(1, IOT_LOST_RING);
	iot_ring_drop(r->fd);
}

/* One thread at a time; another leaves it to that one, which looks again.  A handler may have
   left the recorder for good while it did: the thread itself then goes on. */
void iot_uring_collect(const struct iot_call *c, struct iot_ring *r)
{
	uint32_t tail;
	bool through;

	do {
		struct iot_thread *is = NULL;

		if (!iot_ring_word(r, r->cq, r->cq_tail, &tail) || __atomic_load_n(&r->seen, __ATOMIC_RELAXED) == tail)
			return;
		if (!__atomic_compare_exchange_n(&r->reader, &is, c->t, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) &&
		    (is != c->t || c->depth > r->reader_depth))
			return;
		r->reader_depth = c->depth;
		through = read_all(c, r) || !iot_uring_is_behind(r);
		__atomic_store_n(&r->reader, NULL, __ATOMIC_RELEASE);
	} while (through && iot_ring_word(r, r->cq, r->cq_tail, &tail) && r->seen != tail);
}
