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
#include "desc_iot_uring_completion_copy.h"
#include "desc_iot_uring_request.h"
#include "desc_iot_uring_request_at.h"
#include "desc_iot_uring_request_copy.h"
#include "desc_iot_uring_request_time.h"

/* A record: what both have, and its arguments, in the schema's order. */
struct record {
	const struct iot_desc *desc;
	const struct iot_operation *op;
	uint64_t at;
	uint32_t stack;
	uint64_t ret;			/* of a completion */
	int err;
	bool has_ret;
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
IOT_FAST bool is_usual(const struct iot_model *m, const struct record *r)
{
	uint64_t differs = (r->op->size ^ m->size) | (r->word[1] ^ m->arg[1]) | (r->word[2] ^ m->arg[2]) |
			   (r->word[3] ^ m->arg[3]) | (r->word[5] ^ m->arg[5]);

	if (r->n > 6)
		differs |= r->word[6] ^ m->arg[6];
	return !(differs | (r->has_ret ? r->ret ^ m->ret : r->word[STARTED] ^ m->arg[STARTED]));
}

/* Like the model but for those, from word 1 on; returns where it ends. */
IOT_FAST uint64_t *put_usual(uint64_t *p, uint32_t place, const struct iot_model *m, const struct record *r)
{
	uint64_t *to = p + 1;
	uint32_t bits = own(&to, r->op->offset, m->offset, IOT_HAS_OFFSET);

	if (r->has_ret)
		bits |= own(&to, r->word[STARTED], m->arg[STARTED], 1u << (8 + STARTED));
	*p = iot_alike_word1(place, bits, (int32_t)(r->word[0] - m->arg[0]));
	return to;
}

/* Like the model, of which any may be another; NULL: too much of it is. */
static uint64_t *put_own(uint64_t *p, uint32_t place, const struct iot_model *m, const struct record *r)
{
	uint64_t *to = p + 1;
	uint32_t bits = own(&to, r->op->size, m->size, IOT_HAS_SIZE);

	bits |= own(&to, r->op->offset, m->offset, IOT_HAS_OFFSET);
	if (r->has_ret)
		bits |= own(&to, r->ret, m->ret, IOT_HAS_RET);
	for (uint32_t i = 1; i < r->n; i++)
		bits |= own(&to, r->word[i], m->arg[i], 1u << (8 + i));
	*p = iot_alike_word1(place, bits, (int32_t)(r->word[0] - m->arg[0]));
	return to - p <= 1 + MOST_OWN ? to : NULL;
}

/* In full, from word 1 on. */
static uint64_t *put_general(uint64_t *p, const struct record *r, uint32_t depth, uint32_t present, uint64_t model)
{
	const struct iot_operation *op = r->op;

	*p++ = iot_general_word1(0, 4 + iot_count_bits(present) + r->n, present);
	*p++ = op->handle | (uint64_t)r->stack << 32;
	*p++ = iot_general_word3((uint32_t)r->err, depth, IOT_ST_FINISHED, r->n) | model;
	*p++ = op->size;
	if (present & IOT_HAS_OFFSET)
		*p++ = op->offset;
	if (present & IOT_HAS_RET)
		*p++ = r->ret;
	for (uint32_t i = 0; i < r->n; i++)
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

/* Where a record that is like it has its model, by what is likely to be the same. */
IOT_FAST uint32_t place_of(const struct record *r)
{
	return (IOT_U_OPCODE(r->op->flags) * 5 + r->stack * 3 + !!r->err) % 8 + (r->has_ret ? 8 : 0);
}

IOT_FAST uint32_t present(const struct record *r)
{
	return IOT_HAS_SIZE | (r->op->offset != IOT_UNKNOWN ? IOT_HAS_OFFSET : 0) | (r->has_ret ? IOT_HAS_RET : 0);
}

/* What it has in common with its model, if it is like one. */
IOT_FAST uint64_t what_of(const struct record *r)
{
	return r->desc->id | (uint64_t)present(r) << 32 | (uint64_t)r->n << 48;
}

IOT_FAST uint64_t from_of(const struct record *r)
{
	return (uint32_t)r->err | (uint64_t)r->stack << 32;
}

/* Whether the model there is of its kind, and its number near. */
IOT_FAST bool has_model(const struct iot_thread *t, const struct record *r, uint32_t place)
{
	const struct iot_model *m = &t->model[place];
	const int64_t more = (int64_t)(r->word[0] - m->arg[0]);

	return t->models >> place & 1 && m->what == what_of(r) && m->from == from_of(r) && more == (int32_t)more;
}

/* Whether it begins after the block, and fits into it. */
IOT_FAST bool is_simple(const struct iot_thread *t, const struct record *r)
{
	const uint64_t dt = r->at - t->base;

	return dt <= t->limit && !(dt >> 32) && r->at >= t->block_base && t->used + 8 * IOT_MODEL_WORDS <= t->cap &&
	       t->depth < IOT_DEPTH_MAX && !(r->op->handle >> 16) && iot_depth_of(t, t->depth) >= t->depth;
}

/* It is in the block, up to there. */
IOT_FAST void stored(struct iot_thread *t, const struct record *r, uint64_t *p, const uint64_t *end, uint64_t form)
{
	*p = r->desc->id | form << IOT_FORM_SHIFT | t->depth << IOT_DEPTH_SHIFT |
	     (uint64_t)r->op->handle << IOT_HANDLE_SHIFT | (r->at - t->base) << IOT_DT_SHIFT;
	iot_set_used(t, t->used + (uint32_t)((const char *)end - (const char *)p));
}

static void store(struct iot_thread *t, const struct record *r)
{
	const uint32_t place = place_of(r);
	uint64_t *p = (uint64_t *)(t->data + t->used);
	uint64_t *end = has_model(t, r, place) ? put_own(p + 1, place, &t->model[place], r) : NULL;

	if (end) {
		stored(t, r, p, end, IOT_ALIKE);
		return;
	}
	end = put_general(p + 1, r, t->depth, present(r), iot_model_word3(place));
	become_model(t, place, what_of(r), from_of(r), r);
	stored(t, r, p, end, IOT_GENERAL);
}

static void encode(struct iot_thread *t, const struct record *r)
{
	const struct iot_call c = { .t = t, .desc = r->desc, .start = r->at, .depth = t->depth,
				    .handle = r->op->handle, .stack = r->stack };
	struct iot_draft d;

	iot_draft_init(&d);
	d.size = r->op->size;
	d.offset = r->op->offset;
	d.present = IOT_HAS_SIZE | (r->has_ret ? IOT_HAS_RET : 0);
	d.argc = d.words = r->n;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct iot_kept *name = r->word[i] ? NULL : i == 1 ? r->op->what : i == 3 ? r->by : NULL;

		d.word[i] = r->word[i];
		d.text[i] = (struct iot_arg_text){ name ? name->text : NULL, name ? (uint32_t)strlen(name->text) : 0 };
		d.words += (d.text[i].len + 7) / 8;
	}
	iot_encode(t, &c, &d, r->at, r->has_ret ? r->ret : 0, r->err, IOT_ST_FINISHED);
}

/* The words that are names, which are looked up. */
static bool find_names(struct iot_thread *t, struct record *r)
{
	r->word[1] = iot_kept_id(t, r->op->what);
	if (r->by)
		r->word[3] = iot_kept_id(t, r->by);
	return r->word[1] && (!r->by || r->word[3]);
}

static void record(struct iot_thread *t, struct record *r)
{
	iot_busy(t);
	if (find_names(t, r) && is_simple(t, r))
		store(t, r);
	else
		encode(t, r);
	iot_idle(t);
}

/* Most are like one before, and their names are known.  False: this one is not.  r stays in registers, as
   long as nobody has its address. */
IOT_FAST bool record_usual(struct iot_thread *t, struct record *r)
{
	const uint32_t place = place_of(r);
	const struct iot_model *m = &t->model[place];
	bool usual = true;

	iot_busy(t);
	/* no model is without this one */
	r->word[1] = iot_kept_known(r->op->what);
	if (r->by) {
		r->word[3] = iot_kept_known(r->by);
		usual = r->word[3] != 0;
	}
	usual = usual && has_model(t, r, place) && is_usual(m, r) && is_simple(t, r);
	if (iot_likely(usual)) {
		uint64_t *p = (uint64_t *)(t->data + t->used);

		stored(t, r, p, put_usual(p + 1, place, m, r), IOT_ALIKE);
	}
	iot_idle(t);
	return usual;
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

IOT_FAST struct record request(const struct iot_call *in, const struct iot_ring *r, const struct iot_ring_entry *e)
{
	const struct iot_operation *op = &e->op;
	const bool waits = e->waits != 0;

	return (struct record){
		.desc = waits ? &IOT_DESC_NAME(iot_uring_request_time) : &IOT_DESC_NAME(iot_uring_request),
		.op = op, .at = op->start, .stack = in->stack, .n = waits ? 7 : 6,
		.word = { op->number, 0, r->shown, IOT_U_OPCODE(op->flags), op->flags & IOT_U_SHOWN, e->op_flags, e->waits },
	};
}

static __attribute__((noinline)) void record_request(const struct iot_call *in, const struct iot_ring *r,
						      const struct iot_ring_entry *e)
{
	struct record of = request(in, r, e);

	if (e->op.flags & IOT_U_COPIES) {
		of.desc = &IOT_DESC_NAME(iot_uring_request_copy);
		of.word[6] = IOT_U_OTHER(e->op.flags);
		of.word[7] = e->off_out;
		of.n = 8;
	}
	if (iot_config.longer)
		iot_leave_out();
	else if (e->path)
		record_at(in, r, e);
	else
		record(in->t, &of);
}

void iot_uring_record_request(const struct iot_call *in, const struct iot_ring *r, const struct iot_ring_entry *e)
{
	struct record of;

	if (e->op.silent || !iot_is_wanted(e->waits ? &IOT_DESC_NAME(iot_uring_request_time) : &IOT_DESC_NAME(iot_uring_request)))
		return;
	if (iot_likely(!iot_config.longer && !e->path && !e->waits && !(e->op.flags & IOT_U_COPIES))) {
		of = request(in, r, e);
		if (iot_likely(record_usual(in->t, &of)))
			return;
	}
	record_request(in, r, e);
}

IOT_FAST struct record completion(const struct iot_call *in, const struct iot_ring *r, const struct iot_operation *op,
				  const struct iot_cqe *cqe, bool bytes, uint64_t now)
{
	const bool failed = cqe->res < 0;

	return (struct record){
		.desc = &IOT_DESC_NAME(iot_uring_completion), .op = op, .at = now,
		.stack = op->stack ? op->stack : in->stack, .has_ret = true,
		.ret = failed ? ~0ULL : bytes ? (uint64_t)cqe->res : 0, .err = failed ? -cqe->res : 0, .by = op->by, .n = 7,
		.word = { op->number, 0, r->shown, 0, op->start, cqe->flags, bytes || failed ? 0 : (uint64_t)cqe->res },
	};
}

static __attribute__((noinline)) void record_completion(const struct iot_call *in, const struct iot_ring *r,
							 const struct iot_operation *op, const struct iot_cqe *cqe,
							 bool bytes, uint64_t now)
{
	struct record of = completion(in, r, op, cqe, bytes, now);

	if (op->flags & IOT_U_COPIES) {
		of.desc = &IOT_DESC_NAME(iot_uring_completion_copy);
		of.word[7] = IOT_U_OTHER(op->flags);
		of.n = 8;
	}
	record(in->t, &of);
}

void iot_uring_record_completion(const struct iot_call *in, const struct iot_ring *r, const struct iot_operation *op,
				 const struct iot_cqe *cqe, bool bytes, uint64_t now)
{
	struct record of;

	if (op->silent || !iot_is_wanted(&IOT_DESC_NAME(iot_uring_completion)))
		return;
	if (iot_unlikely(iot_config.longer) && now - op->start < iot_config.longer) {
		iot_leave_out();
		return;
	}
	of = completion(in, r, op, cqe, bytes, now);
	if (iot_likely(!(op->flags & IOT_U_COPIES) && record_usual(in->t, &of)))
		return;
	record_completion(in, r, op, cqe, bytes, now);
}
