/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring-record.c - the records of requests to an io_uring and of their completions.  There
 * may be millions, none is a call that may be left in its middle, and what they have to tell
 * is known: so they are made without iot_enter, and have no length.
 */
#include "uring.h"

#include "conf.h"
#include "encode.h"
#include "lost.h"
#include "places.h"
#include "uring-ring.h"
#include "window.h"

#include "desc_iot_uring_completion.h"
#include "desc_iot_uring_request.h"
#include "desc_iot_uring_request_at.h"
#include "desc_iot_uring_request_time.h"

/* What both records have, and their arguments: their number, and the words. */
struct words {
	uint32_t n;
	uint64_t word[8];
};

/* Most begin after the block and fit into it, and their names are known: they are stored as
   they are.  t is busy.  False: iot_encode has to be asked. */
static bool store(struct iot_thread *t, const struct iot_desc *desc, const struct iot_operation *op, uint64_t at,
		  uint32_t stack, uint32_t has_ret, uint64_t ret, int err, const struct words *args)
{
	const uint64_t dt = at - t->base;
	const bool has_offset = op->offset != IOT_UNKNOWN;
	const uint32_t n = 5 + has_offset + has_ret + args->n, depth = t->depth;
	uint64_t *p = (uint64_t *)(t->data + t->used);

	if (dt > t->limit || dt >> 32 || at < t->block_base || t->used + 8 * n > t->cap || depth >= IOT_DEPTH_MAX ||
	    iot_depth_of(t, depth) < depth)
		return false;
	*p++ = desc->id | IOT_GENERAL << IOT_FORM_SHIFT | depth << IOT_DEPTH_SHIFT |
	       (uint64_t)(op->handle & 0xffff) << IOT_HANDLE_SHIFT | dt << IOT_DT_SHIFT;
	*p++ = iot_general_word1(0, n, IOT_HAS_SIZE | (has_offset ? IOT_HAS_OFFSET : 0) | (has_ret ? IOT_HAS_RET : 0));
	*p++ = op->handle | (uint64_t)stack << 32;
	*p++ = iot_general_word3((uint32_t)err, depth, IOT_ST_FINISHED, args->n);
	*p++ = op->size;
	if (has_offset)
		*p++ = op->offset;
	if (has_ret)
		*p++ = ret;
	for (uint32_t i = 0; i < args->n; i++)
		*p++ = args->word[i];
	iot_commit(t, n);
	return true;
}

static void put(struct iot_draft *d, uint64_t word)
{
	d->text[d->argc].s = NULL;
	d->word[d->argc++] = word;
	d->words++;
}

static void put_name(struct iot_thread *t, struct iot_draft *d, struct iot_kept *name)
{
	uint32_t id = name ? iot_kept_id(t, name) : 0;

	put(d, id);
	if (id || !name)
		return;
	d->text[d->argc - 1] = (struct iot_arg_text){ name->text, (uint32_t)strlen(name->text) };
	d->words += (d->text[d->argc - 1].len + 7) / 8;
}

/* What both have.  t is busy from here on. */
static void begin(struct iot_thread *t, struct iot_draft *d, const struct iot_ring *r, const struct iot_operation *op)
{
	iot_busy(t);
	iot_draft_init(d);
	d->size = op->size;
	d->offset = op->offset;
	d->present = IOT_HAS_SIZE;
	put(d, op->number);
	put_name(t, d, op->what);
	put(d, (uint32_t)r->fd);
}

static void end(struct iot_thread *t, const struct iot_desc *desc, const struct iot_draft *d, uint64_t at,
		uint32_t handle, uint32_t stack, uint64_t ret, int err)
{
	const struct iot_call c = { .t = t, .desc = desc, .start = at, .depth = t->depth, .handle = handle,
				    .stack = stack };

	iot_encode(t, &c, d, at, ret, err, IOT_ST_FINISHED);
	iot_idle(t);
}

/* A name is looked at by the usual way, which believes nothing of it. */
static void record_at(const struct iot_call *in, const struct iot_ring *r, const struct iot_ring_entry *e)
{
	const struct iot_operation *op = &e->op;
	const uint64_t words[] = { op->number, (uintptr_t)op->what, 0, op->size, op->offset, (uint32_t)r->fd,
				   IOT_U_OPCODE(op->flags), op->flags & IOT_U_SHOWN, e->op_flags, (uint64_t)e->fd,
				   (uintptr_t)e->path };
	struct iot_call c;

	if (!iot_enter(&c, &IOT_DESC_NAME(iot_uring_request_at), 0, -1, (void *)((uintptr_t)__builtin_frame_address(0) | 1)))
		return;
	c.stack = in->stack;
	iot_leave_status(&c, 0, 0, words, IOT_ST_FINISHED);
}

void iot_uring_record_request(const struct iot_call *in, const struct iot_ring *r, const struct iot_ring_entry *e)
{
	const struct iot_desc *desc = e->waits ? &IOT_DESC_NAME(iot_uring_request_time) : &IOT_DESC_NAME(iot_uring_request);
	const struct iot_operation *op = &e->op;
	struct iot_draft d;

	if (op->silent || !iot_is_wanted(desc))
		return;
	if (iot_unlikely(iot_config.longer)) {
		iot_leave_out();
		return;
	}
	if (e->path) {
		record_at(in, r, e);
		return;
	}
	if (!e->waits) {
		struct words args = { 6, { op->number, 0, (uint32_t)r->fd, IOT_U_OPCODE(op->flags),
					   op->flags & IOT_U_SHOWN, e->op_flags } };
		bool stored;

		iot_busy(in->t);
		args.word[1] = iot_kept_id(in->t, op->what);
		stored = args.word[1] && store(in->t, desc, op, op->start, in->stack, 0, 0, 0, &args);
		iot_idle(in->t);
		if (iot_likely(stored))
			return;
	}
	begin(in->t, &d, r, op);
	put(&d, IOT_U_OPCODE(op->flags));
	put(&d, op->flags & IOT_U_SHOWN);
	put(&d, e->op_flags);
	if (e->waits)
		put(&d, e->waits);
	end(in->t, desc, &d, op->start, op->handle, in->stack, 0, 0);
}

void iot_uring_record_completion(const struct iot_call *in, const struct iot_ring *r, const struct iot_operation *op,
				 const struct iot_cqe *cqe, bool bytes)
{
	const struct iot_desc *desc = &IOT_DESC_NAME(iot_uring_completion);
	const uint64_t now = iot_ticks(), ret = cqe->res < 0 ? ~0ULL : bytes ? (uint64_t)cqe->res : 0;
	const uint32_t stack = op->stack ? op->stack : in->stack;
	const int err = cqe->res < 0 ? -cqe->res : 0;
	struct words args = { 7, { op->number, 0, (uint32_t)r->fd, 0, op->start, cqe->flags,
				   bytes || cqe->res < 0 ? 0 : (uint64_t)cqe->res } };
	struct iot_draft d;
	bool stored;

	if (op->silent || !iot_is_wanted(desc))
		return;
	if (iot_unlikely(iot_config.longer) && now - op->start < iot_config.longer) {
		iot_leave_out();
		return;
	}
	iot_busy(in->t);
	args.word[1] = iot_kept_id(in->t, op->what);
	args.word[3] = op->by ? iot_kept_id(in->t, op->by) : 0;
	stored = args.word[1] && (args.word[3] || !op->by) &&
		 store(in->t, desc, op, now, stack, 1, ret, err, &args);
	iot_idle(in->t);
	if (iot_likely(stored))
		return;
	begin(in->t, &d, r, op);
	d.present |= IOT_HAS_RET;
	put_name(in->t, &d, op->by);
	put(&d, op->start);
	put(&d, cqe->flags);
	put(&d, args.word[6]);
	end(in->t, desc, &d, now, op->handle, stack, ret, err);
}
