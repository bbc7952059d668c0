/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - what records mean: into struct iotr_entry, and into struct iotr_call.
 *
 * Their forms are iotrace-record.h's.  It is all inline: reading in order (stream.c) takes a
 * record in two steps, reading for sums (scan.c) in one, and at some nanoseconds a record a
 * function call counts.
 */
#ifndef IOTR_RECORD_H
#define IOTR_RECORD_H

#include <fcntl.h>

#include "block-files.h"
#include "blocks.h"
#include "clock.h"
#include "schema.h"

_Static_assert(IOTR_HAS_SIZE == IOT_HAS_SIZE && IOTR_HAS_OFFSET == IOT_HAS_OFFSET &&
		       IOTR_HAS_RET == IOT_HAS_RET,
	       "a call has what its record has");

/* false: that was all that is wanted of the block */
typedef bool iotr_record_fn(void *arg, const struct iotr_entry *e, const uint64_t *w, size_t n);
typedef void iotr_def_fn(void *arg, unsigned kind, const uint64_t *p, size_t n);
/* Walk the records of a block; false if something in it makes no sense.  in: which calls it
   has is noted there; NULL: that isn't asked for. */
bool iotr_records_walk(struct iotr_log *log, const struct iot_block *head, const uint64_t *words,
		       size_t n, iotr_record_fn *record, iotr_def_fn *def, void *arg,
		       struct iotr_in_block *in);
void iotr_decode_general(struct iotr_log *log, const struct iotr_entry *e, const uint64_t *w,
			 struct iotr_call *call);
/* Everything but what the stream knows: pid, tid, parent. */
void iotr_record_decode(struct iotr_log *log, const struct iotr_entry *e, const uint64_t *w,
			struct iotr_call *call);

/* Word 0, taken apart. */
struct iotr_word0 {
	unsigned call, form, depth, handle;
	bool internal;
	uint32_t dt;
};

static inline struct iotr_word0 iotr_word0(uint64_t w)
{
	return (struct iotr_word0){
		.call = iot_record_call(w),
		.form = iot_record_form(w),
		.internal = (w >> IOT_INTERNAL_SHIFT) & 1,
		.depth = iot_record_depth(w),
		.handle = iot_record_handle(w),
		.dt = iot_record_dt(w),
	};
}

/* Words of the record at w, of which n are there; 0 if it makes no sense. */
static inline size_t iotr_record_words(const uint64_t *w, size_t n)
{
	size_t words = n < 2 ? 0 : iot_record_words(w[0], w[1]);

	return words <= n ? words : 0;
}

/* false: a brief record without the one that it depends on */
static inline bool iotr_entry_compact(const struct iotr_log *log, const struct iotr_word0 *z,
				      const uint64_t *w, struct iot_recent *recent,
				      struct iotr_entry *e)
{
	const struct iotr_schema *s = log->calls->schema[z->call];
	struct iot_recent *r = &recent[IOT_RECENT_AT((uint32_t)w[0])];
	uint64_t low40, what = IOT_RECENT_WHAT(w[0]), size = iot_short_size(w[1]);
	bool items = s && (s->flags & IOTR_CALL_HAS_ITEMS || s->result == IOTR_KIND_TEXT);
	bool opens = s && (s->flags & IOTR_CALL_OPENS);

	if (z->form == IOT_COMPACT) {
		low40 = iot_compact_low40(w[2]);
		e->stack = iot_compact_stack(w[2]);
		iot_recent_compact(r, what | (uint64_t)e->stack << 32, low40, size, items || opens);
	} else {
		if ((uint32_t)r->key != what)
			return false;
		low40 = r->next;
		e->stack = (uint32_t)(r->key >> 32);
		iot_recent_brief(r, size, items || opens);
	}
	if (items)
		e->itemsize = low40 > UINT32_MAX ? 0 : (uint32_t)low40;
	else if (opens || low40 != IOT_NO_OFFSET40)
		e->offset = low40;
	return true;
}

/* The models of a block: where they are, + 1. */
struct iotr_models {
	uint32_t at[IOT_MODELS];
};

static inline void iotr_note_model(struct iotr_models *m, const struct iot_records *r, const uint64_t *words)
{
	const uint64_t model = iot_general_model(r->p[3]);

	if (model && iot_is_model(r->p, r->words))
		m->at[model - 1] = (uint32_t)(r->p - words) + 1;
}

/* What it is like; NULL: that is not there. */
static inline const uint64_t *iotr_model_of(const struct iotr_models *m, const struct iot_records *r,
					    const uint64_t *words)
{
	const uint32_t place = iot_alike_place(r->word1), at = place < IOT_MODELS ? m->at[place] : 0;

	return at && iot_is_alike(r->p, words + at - 1) ? words + at - 1 : NULL;
}

static inline void iotr_entry_general(const struct iotr_word0 *z, const uint64_t *w,
				      struct iotr_entry *e)
{
	unsigned status = iot_general_status(w[3]);

	if (z->depth == IOT_DEPTH_MAX)
		e->depth = (uint16_t)iot_general_depth(w[3]);
	e->stack = iot_general_stack(w[2]);
	if ((status & 3) == IOT_ST_NORETURN)
		e->status = IOTR_NORETURN;
	else if ((status & 3) == IOT_ST_ABANDONED)
		e->status = IOTR_ABANDONED;
}

static inline __attribute__((always_inline)) bool
iotr_walk(struct iotr_log *log, const struct iot_block *head, const uint64_t *words, size_t n,
	  iotr_record_fn *record, iotr_def_fn *def, void *arg, struct iotr_in_block *in)
{
	struct iot_records r = {.next = words, .end = words + n, .base = head->base};
	struct iotr_call_bits *const bits = in ? iotr_bits_get(log) : NULL;
	struct iotr_in_block seen = {.earliest = head->base};
	struct iotr_files_seen *const files = bits ? log->files_seen : NULL;
	struct iot_recent recent[IOT_RECENT] = {0};
	struct iotr_models models = {0};

	if (files)
		iotr_files_begin(files);
	while (iot_records_next(&r)) {
		const struct iotr_word0 z = iotr_word0(r.word0);
		struct iotr_entry e = {
			.pos = (uint32_t)(r.p - words),
			.offset = IOTR_UNKNOWN,
			.call = (uint16_t)z.call,
			.depth = (uint16_t)z.depth,
		};

		if (!z.call) {
			if (def)
				def(arg, z.handle, r.p + 2, r.words - 2);
			continue;
		}
		if (z.form == IOT_GENERAL) {
			e.start = iot_record_start(&r);
			iotr_entry_general(&z, r.p, &e);
			iotr_note_model(&models, &r, words);
		} else if (z.form == IOT_ALIKE) {
			const uint64_t *model = iotr_model_of(&models, &r, words);

			if (!model)
				return false;
			e.start = r.base + z.dt;
			e.offset = (uint64_t)(model - words);
			iotr_entry_general(&z, model, &e);
		} else {
			e.start = r.base + z.dt;
			if (!iotr_entry_compact(log, &z, r.p, recent, &e))
				return false;
		}
		if (bits)
			iotr_note_record(&seen, bits, &r);
		if (files)
			iotr_files_record(files, bits, r.p);
		if (!record(arg, &e, r.p, r.words))
			return true;
	}
	if (in)
		*in = seen;
	return r.next == r.end;
}

/* ---- into struct iotr_call ---- */

/* size holds the flags and offset the mode; the handle is the result. */
static inline void iotr_decode_opened(struct iotr_log *log, const struct iotr_entry *e,
				      const struct iotr_word0 *z, uint64_t size,
				      struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;
	const struct iotr_handle *h = iotr_idmap_get(&log->handle, z->handle);
	struct iotr_value *v = &call->value[s->n_params];

	log->n_bad_refs += !h;
	call->ret = h ? h->fd : -1;
	call->has |= IOT_HAS_RET;
	*--v = (struct iotr_value){.type = IOTR_VAL_WORD, .word = e->offset};
	*--v = (struct iotr_value){.type = IOTR_VAL_WORD, .word = (uint64_t)(int32_t)size};
	*--v = (struct iotr_value){.type = h && h->path ? IOTR_VAL_PATH : IOTR_VAL_NONE,
				   .path = h ? h->path : NULL};
	if (v > call->value)
		*--v = (struct iotr_value){.type = IOTR_VAL_WORD, .word = (uint64_t)AT_FDCWD};
}

/* The result is the offset; size tells how far, and from where. */
static inline void iotr_decode_sought(const struct iotr_entry *e, uint64_t size,
				      struct iotr_call *call)
{
	struct iotr_value *v = &call->value[call->schema->n_params];

	call->ret = (int64_t)e->offset;
	call->has |= IOT_HAS_RET;
	*--v = (struct iotr_value){.type = IOTR_VAL_WORD,
				   .word = (uint64_t)iot_seek_whence((uint32_t)size)};
	*--v = (struct iotr_value){.type = IOTR_VAL_WORD,
				   .word = (uint64_t)iot_seek_by(call->ret, (uint32_t)size)};
}

static inline void iotr_decode_compact(struct iotr_log *log, const struct iotr_entry *e,
				       const struct iotr_word0 *z, const uint64_t *w,
				       struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;
	uint64_t size = iot_short_size(w[1]);

	call->dur = iotr_clock_span(&log->clock, e->start, (uint32_t)w[1]);
	if (s->flags & IOTR_CALL_OPENS) {
		iotr_decode_opened(log, e, z, size, call);
		return;
	}
	if (s->flags & IOTR_CALL_HAS_SIZE) {
		call->size = size;
		call->has |= IOT_HAS_SIZE;
	}
	if (s->flags & IOTR_CALL_SEEKS) {
		iotr_decode_sought(e, size, call);
	} else if (e->offset != IOTR_UNKNOWN) {
		call->offset = e->offset;
		call->has |= IOT_HAS_OFFSET;
	}
	call->itemsize = e->itemsize;
	switch (s->result) {
	case IOTR_KIND_VOID:
	case IOTR_KIND_NORETURN:
		break;
	case IOTR_KIND_STATUS:
	case IOTR_KIND_EOF:
	case IOTR_KIND_ERRCODE:
		call->ret = 0;
		call->has |= IOT_HAS_RET;
		break;
	case IOTR_KIND_ITEMS:
		call->ret = e->itemsize ? (int64_t)(size / e->itemsize) : 0;
		call->has |= IOT_HAS_RET;
		break;
	case IOTR_KIND_TEXT:
		call->ret = (int64_t)size;
		call->has |= IOT_HAS_RET;
		call->size = e->itemsize;
		call->itemsize = 0;
		break;
	case IOTR_KIND_NONNEG:
		call->ret = iot_text_result(size, s->param[0].kind == IOTR_KIND_LINE);
		call->has |= IOT_HAS_RET;
		break;
	case IOTR_KIND_POS:
		break;
	default:
		call->ret = (int64_t)size;
		call->has |= IOT_HAS_RET;
	}
	if (z->handle) {
		call->handle = iotr_idmap_get(&log->handle, z->handle);
		log->n_bad_refs += !call->handle;
	}
}

/* w lies in its block's records, as e says. */
static inline void iotr_decode_alike(struct iotr_log *log, const struct iotr_entry *e, const uint64_t *w,
				     struct iotr_call *call)
{
	uint64_t general[IOT_MODEL_WORDS];

	iot_alike_general(w, w - e->pos + e->offset, general);
	iotr_decode_general(log, e, general, call);
}

/* Everything but what the stream knows: pid, tid, parent. */
static inline __attribute__((always_inline)) void iotr_decode(struct iotr_log *log,
							      const struct iotr_entry *e,
							      const uint64_t *w,
							      struct iotr_call *call)
{
	struct iotr_word0 z = iotr_word0(w[0]);
	unsigned i;

	call->log = log;
	call->schema = iotr_schema_get(log, z.call);
	call->ticks = e->start;
	call->start = iotr_clock_ns(&log->clock, e->start);
	call->depth = e->depth;
	call->status = (enum iotr_status)e->status;
	call->inferred = call->no_syscall = call->mpi_own = false;
	call->internal = z.internal;
	call->has = 0;
	call->err = 0;
	call->itemsize = 0;
	call->handle = NULL;
	call->parent = NULL;
	call->entry.type = IOTR_VAL_NONE;
	call->stack = e->stack;
	for (i = 0; i < call->schema->n_params; i++)
		call->value[i].type = IOTR_VAL_NONE;
	if (z.form == IOT_GENERAL)
		iotr_decode_general(log, e, w, call);
	else if (z.form == IOT_ALIKE)
		iotr_decode_alike(log, e, w, call);
	else
		iotr_decode_compact(log, e, &z, w, call);
}

#endif
