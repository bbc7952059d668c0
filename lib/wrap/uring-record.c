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

/* The arguments of a record, in the schema's order. */
struct words {
	uint32_t n;
	uint64_t word[7];
	struct iot_kept *name[4];	/* of the first ones: NULL, or the word is this one's id */
};

/* What both records have. */
struct record {
	const struct iot_desc *desc;
	const struct iot_operation *op;
	uint64_t at;
	uint32_t stack;
	bool has_ret;
	uint64_t ret;
	int err;
};

/* Most begin after the block and fit into it, and their names are known: they are stored as
   they are.  False: encode has to be asked.  n and has_ret are known where this is inlined. */
IOT_FAST bool store(struct iot_thread *t, const struct record *r, const struct words *args, uint32_t n, bool has_ret)
{
	const struct iot_operation *op = r->op;
	const uint64_t dt = r->at - t->base;
	const bool has_offset = op->offset != IOT_UNKNOWN;
	const uint32_t words = 5 + has_offset + has_ret + n, depth = t->depth;
	uint64_t *p = (uint64_t *)(t->data + t->used);

	if (iot_unlikely(dt > t->limit || dt >> 32 || r->at < t->block_base || t->used + 8 * words > t->cap ||
			 depth >= IOT_DEPTH_MAX || iot_depth_of(t, depth) < depth))
		return false;
	*p++ = r->desc->id | IOT_GENERAL << IOT_FORM_SHIFT | depth << IOT_DEPTH_SHIFT |
	       (uint64_t)(op->handle & 0xffff) << IOT_HANDLE_SHIFT | dt << IOT_DT_SHIFT;
	*p++ = iot_general_word1(0, words, IOT_HAS_SIZE | (has_offset ? IOT_HAS_OFFSET : 0) | (has_ret ? IOT_HAS_RET : 0));
	*p++ = op->handle | (uint64_t)r->stack << 32;
	*p++ = iot_general_word3((uint32_t)r->err, depth, IOT_ST_FINISHED, n);
	*p++ = op->size;
	if (has_offset)
		*p++ = op->offset;
	if (has_ret)
		*p++ = r->ret;
#pragma GCC unroll 8
	for (uint32_t i = 0; i < n; i++)
		p[i] = args->word[i];
	iot_set_used(t, t->used + 8 * words);
	return true;
}

static void encode(struct iot_thread *t, const struct record *r, const struct words *args)
{
	const struct iot_call c = { .t = t, .desc = r->desc, .start = r->at, .depth = t->depth,
				    .handle = r->op->handle, .stack = r->stack };
	struct iot_draft d;

	iot_draft_init(&d);
	d.size = r->op->size;
	d.offset = r->op->offset;
	d.present = IOT_HAS_SIZE | (r->has_ret ? IOT_HAS_RET : 0);
	d.argc = d.words = args->n;
	for (uint32_t i = 0; i < args->n; i++) {
		const struct iot_kept *name = i < 4 && !args->word[i] ? args->name[i] : NULL;

		d.word[i] = args->word[i];
		d.text[i] = (struct iot_arg_text){ name ? name->text : NULL, name ? (uint32_t)strlen(name->text) : 0 };
		d.words += (d.text[i].len + 7) / 8;
	}
	iot_encode(t, &c, &d, r->at, r->ret, r->err, IOT_ST_FINISHED);
}

/* The words that are names are looked up here. */
IOT_FAST void record(struct iot_thread *t, const struct record *r, struct words *args, uint32_t n, bool has_ret)
{
	bool known = true;

	iot_busy(t);
#pragma GCC unroll 4
	for (uint32_t i = 0; i < 4; i++)
		if (args->name[i]) {
			args->word[i] = iot_kept_id(t, args->name[i]);
			known &= args->word[i] != 0;
		}
	if (iot_unlikely(!known || !store(t, r, args, n, has_ret)))
		encode(t, r, args);
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
	const struct iot_operation *op = &e->op;
	const struct record of = { e->waits ? &IOT_DESC_NAME(iot_uring_request_time) : &IOT_DESC_NAME(iot_uring_request),
				   op, op->start, in->stack, false, 0, 0 };
	struct words args = { 6 + (e->waits != 0), { op->number, 0, (uint32_t)r->fd, IOT_U_OPCODE(op->flags),
			      op->flags & IOT_U_SHOWN, e->op_flags, e->waits }, { NULL, op->what, NULL, NULL } };

	if (op->silent || !iot_is_wanted(of.desc))
		return;
	if (iot_unlikely(iot_config.longer))
		iot_leave_out();
	else if (iot_unlikely(e->path != NULL))
		record_at(in, r, e);
	else if (iot_likely(!e->waits))
		record(in->t, &of, &args, 6, false);
	else
		record(in->t, &of, &args, 7, false);
}

void iot_uring_record_completion(const struct iot_call *in, const struct iot_ring *r, const struct iot_operation *op,
				 const struct iot_cqe *cqe, bool bytes, uint64_t now)
{
	const bool failed = cqe->res < 0;
	const struct record of = { &IOT_DESC_NAME(iot_uring_completion), op, now, op->stack ? op->stack : in->stack, true,
				   failed ? ~0ULL : bytes ? (uint64_t)cqe->res : 0, failed ? -cqe->res : 0 };
	struct words args = { 7, { op->number, 0, (uint32_t)r->fd, 0, op->start, cqe->flags,
				   bytes || failed ? 0 : (uint64_t)cqe->res }, { NULL, op->what, NULL, op->by } };

	if (op->silent || !iot_is_wanted(of.desc))
		return;
	if (iot_unlikely(iot_config.longer) && now - op->start < iot_config.longer)
		iot_leave_out();
	else
		record(in->t, &of, &args, 7, true);
}
