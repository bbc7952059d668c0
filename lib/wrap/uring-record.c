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

/* A record: what both have, and its arguments, in the schema's order. */
struct record {
	const struct iot_desc *desc;
	const struct iot_operation *op;
	uint64_t at;
	uint32_t stack;
	uint64_t ret;			/* of a completion */
	int err;
	struct iot_kept *by;		/* likewise: the name that word 3 is the id of; or NULL */
	uint32_t n;
	uint64_t word[IOT_MODEL_ARGS];	/* word 1 is the id of op->what; id 0: of a name that has none yet */
};

/* The word has a bit if it is not the model's. */
IOT_FAST uint32_t own(uint64_t **to, uint64_t is, uint64_t models, uint32_t bit)
{
	**to = is;
	*to += is != models;
	return is != models ? bit : 0;
}

#define MOST_OWN 4u			/* with more a record may as well be a model */
#define STARTED	 4u			/* the word of a completion that says when its request began */

/* Whether but for the offset, and when the request began, all is as the model has it. */
IOT_FAST bool is_usual(const struct iot_model *m, const struct record *r, uint32_t n, bool has_ret)
{
	uint64_t differs = r->op->size ^ m->size;

	if (has_ret)
		differs |= r->ret ^ m->ret;
#pragma GCC unroll 8
	for (uint32_t i = 1; i < n; i++)
		if (!has_ret || i != STARTED)
			differs |= r->word[i] ^ m->arg[i];
	return !differs;
}

/* Where any of it may be another than the model's. */
static __attribute__((noinline)) uint64_t *put_own(uint64_t *to, uint32_t *bits, const struct iot_model *m,
						   const struct record *r, bool has_ret)
{
	*bits = own(&to, r->op->size, m->size, IOT_HAS_SIZE);
	*bits |= own(&to, r->op->offset, m->offset, IOT_HAS_OFFSET);
	if (has_ret)
		*bits |= own(&to, r->ret, m->ret, IOT_HAS_RET);
	for (uint32_t i = 1; i < r->n; i++)
		*bits |= own(&to, r->word[i], m->arg[i], 1u << (8 + i));
	return to;
}

/* Like the model, from word 1 on; returns where it ends, NULL: too much of it is not. */
IOT_FAST uint64_t *put_alike(uint64_t *p, uint32_t place, const struct iot_model *m, const struct record *r, uint32_t n,
			     bool has_ret)
{
	const int64_t more = (int64_t)(r->word[0] - m->arg[0]);
	uint64_t *to = p + 1;
	uint32_t bits;

	if (iot_likely(is_usual(m, r, n, has_ret))) {
		bits = own(&to, r->op->offset, m->offset, IOT_HAS_OFFSET);
		if (has_ret)
			bits |= own(&to, r->word[STARTED], m->arg[STARTED], 1u << (8 + STARTED));
	} else {
		to = put_own(to, &bits, m, r, has_ret);
	}
	*p = iot_alike_word1(place, bits, (int32_t)more);
	return to - p <= 1 + MOST_OWN && more == (int32_t)more ? to : NULL;
}

/* In full, from word 1 on. */
static uint64_t *put_general(uint64_t *p, const struct record *r, uint32_t n, uint32_t depth, uint32_t present,
			     uint64_t model)
{
	const struct iot_operation *op = r->op;

	*p++ = iot_general_word1(0, 4 + iot_count_bits(present) + n, present);
	*p++ = op->handle | (uint64_t)r->stack << 32;
	*p++ = iot_general_word3((uint32_t)r->err, depth, IOT_ST_FINISHED, n) | model;
	*p++ = op->size;
	if (present & IOT_HAS_OFFSET)
		*p++ = op->offset;
	if (present & IOT_HAS_RET)
		*p++ = r->ret;
	for (uint32_t i = 0; i < n; i++)
		*p++ = r->word[i];
	return p;
}

static void become_model(struct iot_thread *t, uint32_t place, uint64_t what, uint64_t from, const struct record *r)
{
	struct iot_model *m = &t->model[place];

	m->what = what;
	m->from = from;
	m->size = r->op->size;
	m->offset = r->op->offset;
	m->ret = r->ret;
	for (uint32_t i = 0; i < r->n; i++)
		m->arg[i] = r->word[i];
	t->models |= 1u << place;
}

/* Most begin after the block and fit into it, and their names are known: they are stored as
   they are, like one before or in full.  False: encode has to be asked.  n and has_ret are known
   where this is inlined. */
IOT_FAST bool store(struct iot_thread *t, const struct record *r, uint32_t n, bool has_ret)
{
	const struct iot_operation *op = r->op;
	const uint64_t dt = r->at - t->base;
	const uint32_t depth = t->depth;
	/* one for what is likely to be the same */
	const uint32_t place = (IOT_U_OPCODE(op->flags) * 5 + r->stack * 3 + !!r->err) % 8 + (has_ret ? 8 : 0);
	const uint32_t present = IOT_HAS_SIZE | (op->offset != IOT_UNKNOWN ? IOT_HAS_OFFSET : 0) | (has_ret ? IOT_HAS_RET : 0);
	const uint64_t what = r->desc->id | (uint64_t)present << 32 | (uint64_t)n << 48;
	const uint64_t from = (uint32_t)r->err | (uint64_t)r->stack << 32;
	const struct iot_model *m = &t->model[place];
	uint64_t *p = (uint64_t *)(t->data + t->used), *end = NULL, form = IOT_ALIKE;

	if (iot_unlikely(dt > t->limit || dt >> 32 || r->at < t->block_base || t->used + 8 * IOT_MODEL_WORDS > t->cap ||
			 depth >= IOT_DEPTH_MAX || op->handle >> 16 || iot_depth_of(t, depth) < depth))
		return false;
	/* in a register: its members are looked at one after the other */
	__asm__("" : "+r"(m));
	if (iot_likely(t->models >> place & 1 && m->what == what && m->from == from))
		end = put_alike(p + 1, place, m, r, n, has_ret);
	if (iot_unlikely(!end)) {
		end = put_general(p + 1, r, n, depth, present, iot_model_word3(place));
		become_model(t, place, what, from, r);
		form = IOT_GENERAL;
	}
	*p = r->desc->id | form << IOT_FORM_SHIFT | depth << IOT_DEPTH_SHIFT | (uint64_t)op->handle << IOT_HANDLE_SHIFT |
	     dt << IOT_DT_SHIFT;
	iot_set_used(t, t->used + (uint32_t)((char *)end - (char *)p));
	return true;
}

static void encode(struct iot_thread *t, const struct record *r, bool has_ret)
{
	const struct iot_call c = { .t = t, .desc = r->desc, .start = r->at, .depth = t->depth,
				    .handle = r->op->handle, .stack = r->stack };
	struct iot_draft d;

	iot_draft_init(&d);
	d.size = r->op->size;
	d.offset = r->op->offset;
	d.present = IOT_HAS_SIZE | (has_ret ? IOT_HAS_RET : 0);
	d.argc = d.words = r->n;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct iot_kept *name = r->word[i] ? NULL : i == 1 ? r->op->what : i == 3 ? r->by : NULL;

		d.word[i] = r->word[i];
		d.text[i] = (struct iot_arg_text){ name ? name->text : NULL, name ? (uint32_t)strlen(name->text) : 0 };
		d.words += (d.text[i].len + 7) / 8;
	}
	iot_encode(t, &c, &d, r->at, has_ret ? r->ret : 0, r->err, IOT_ST_FINISHED);
}

/* The words that are names are looked up here. */
IOT_FAST void record(struct iot_thread *t, struct record *r, uint32_t n, bool has_ret)
{
	bool known;

	iot_busy(t);
	r->n = n;
	r->word[1] = iot_kept_id(t, r->op->what);
	known = r->word[1] != 0;
	if (has_ret && r->by) {
		r->word[3] = iot_kept_id(t, r->by);
		known &= r->word[3] != 0;
	}
	if (iot_unlikely(!known || !store(t, r, n, has_ret)))
		encode(t, r, has_ret);
	iot_idle(t);
}

/* A name is looked at by the usual way, which believes nothing of it. */
static void record_at(const struct iot_call *in, const struct iot_ring *r, const struct iot_ring_entry *e)
{
	const struct iot_operation *op = &e->op;
	const uint64_t words[] = { op->number, (uintptr_t)op->what, 0, op->size, op->offset, r->shown,
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
	struct record of;

	of.desc = e->waits ? &IOT_DESC_NAME(iot_uring_request_time) : &IOT_DESC_NAME(iot_uring_request);
	if (op->silent || !iot_is_wanted(of.desc))
		return;
	of.op = op;
	of.at = op->start;
	of.stack = in->stack;
	of.err = 0;
	of.word[0] = op->number;
	of.word[2] = r->shown;
	of.word[3] = IOT_U_OPCODE(op->flags);
	of.word[4] = op->flags & IOT_U_SHOWN;
	of.word[5] = e->op_flags;
	of.word[6] = e->waits;
	of.by = NULL;
	of.ret = 0;
	if (iot_unlikely(iot_config.longer))
		iot_leave_out();
	else if (iot_unlikely(e->path != NULL))
		record_at(in, r, e);
	else if (iot_likely(!e->waits))
		record(in->t, &of, 6, false);
	else
		record(in->t, &of, 7, false);
}

void iot_uring_record_completion(const struct iot_call *in, const struct iot_ring *r, const struct iot_operation *op,
				 const struct iot_cqe *cqe, bool bytes, uint64_t now)
{
	const bool failed = cqe->res < 0;
	struct record of;

	of.desc = &IOT_DESC_NAME(iot_uring_completion);
	if (op->silent || !iot_is_wanted(of.desc))
		return;
	of.op = op;
	of.at = now;
	of.stack = op->stack ? op->stack : in->stack;
	of.ret = failed ? ~0ULL : bytes ? (uint64_t)cqe->res : 0;
	of.err = failed ? -cqe->res : 0;
	of.by = op->by;
	of.word[0] = op->number;
	of.word[2] = r->shown;
	of.word[3] = 0;
	of.word[4] = op->start;
	of.word[5] = cqe->flags;
	of.word[6] = bytes || failed ? 0 : (uint64_t)cqe->res;
	if (iot_unlikely(iot_config.longer) && now - op->start < iot_config.longer)
		iot_leave_out();
	else
		record(in->t, &of, 7, true);
}
