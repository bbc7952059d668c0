/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - the forms of records, taken apart.
 *
 * What records of a form mean is written here and nowhere else.  It is all inline:
 * reading in order (stream.c) takes a record in two steps, reading for sums (scan.c)
 * in one, and at some nanoseconds a record a function call counts.
 */
#ifndef IOT_RECORD_H
#define IOT_RECORD_H

#include "clock.h"

/* Word 0, taken apart. */
struct iot_word0 {
	unsigned call, form, depth, handle;
	bool internal;
	uint32_t dt;
};

static inline struct iot_word0 iot_word0(uint64_t w)
{
	return (struct iot_word0){
		.call = (unsigned)(w >> IOT_CALL_SHIFT) & (IOT_MAX_CALL - 1),
		.form = (unsigned)(w >> IOT_FORM_SHIFT) & 3,
		.internal = (w >> IOT_INTERNAL_SHIFT) & 1,
		.depth = (unsigned)(w >> IOT_DEPTH_SHIFT) & 7,
		.handle = (unsigned)(w >> IOT_HANDLE_SHIFT) & 0xffff,
		.dt = (uint32_t)(w >> IOT_DT_SHIFT),
	};
}

/* Words of the record at w, of which n are there; 0 if it makes no sense. */
static inline size_t iot_record_words(const uint64_t *w, size_t n)
{
	struct iot_word0 z;
	size_t words, least;

	if (n < 2)
		return 0;
	z = iot_word0(w[0]);
	switch (z.form) {
	case IOT_COMPACT:
		words = 3;
		break;
	case IOT_BRIEF:
		words = 2;
		break;
	case IOT_GENERAL:
		words = (w[1] >> 32) & 0xffff;
		least = z.call ? 4 + (size_t)__builtin_popcountll(w[1] >> 48) : 2;
		if (words < least)
			return 0;
		break;
	default:
		return 0;
	}
	if (!z.call && z.form != IOT_GENERAL)
		return 0;
	return words <= n ? words : 0;
}

/* Does the result of a compact record say how far the file offset moved? */
static inline bool iot_moves(const struct iot_schema *s)
{
	return s && s->result == IOT_KIND_BYTES;
}

static inline void iot_entry_compact(struct iot_log *log, const struct iot_word0 *z,
				     const uint64_t *w, uint32_t stamp, struct iot_entry *e)
{
	const struct iot_schema *s = log->schema[z->call];
	struct iot_last *last = &log->last[z->handle];

	if (last->stamp != stamp)
		*last = (struct iot_last){.offset = IOT_UNKNOWN, .stamp = stamp};
	if (z->form == IOT_COMPACT) {
		uint64_t off = w[2] & IOT_NO_OFFSET40;

		e->offset = off == IOT_NO_OFFSET40 ? IOT_UNKNOWN : off;
		e->stack = (uint32_t)(w[2] >> 40);
		if (s && (s->flags & IOT_CALL_HAS_ITEMS)) {
			e->itemsize = e->offset > UINT32_MAX ? 0 : (uint32_t)e->offset;
			e->offset = IOT_UNKNOWN;
			last->itemsize = e->itemsize;
		}
	} else {
		e->offset = last->offset;
		e->stack = last->stack;
		e->itemsize = last->itemsize;
	}
	last->stack = e->stack;
	last->offset = e->offset;
	if (e->offset != IOT_UNKNOWN && iot_moves(s))
		last->offset += w[1] >> 32;
}

static inline void iot_entry_general(const struct iot_word0 *z, const uint64_t *w,
				     struct iot_entry *e)
{
	unsigned status = (unsigned)(w[3] >> 32) & 0xff;

	if ((w[1] >> 48) & IOT_HAS_START)
		e->start = w[4];
	if (z->depth == IOT_DEPTH_MAX)
		e->depth = (uint16_t)(w[3] >> 16);
	e->stack = (uint32_t)(w[2] >> 32);
	if ((status & 3) == IOT_ST_NORETURN)
		e->status = IOT_NORETURN;
	else if ((status & 3) == IOT_ST_ABANDONED)
		e->status = IOT_ABANDONED;
}

static inline __attribute__((always_inline)) bool
iot_walk(struct iot_log *log, const struct iot_block *head, const uint64_t *words, size_t n,
	 iot_record_fn *record, iot_def_fn *def, void *arg)
{
	uint64_t base = head->base;
	uint32_t stamp = ++log->stamp;
	size_t pos = 0;

	while (pos < n) {
		const uint64_t *w = words + pos;
		size_t len = iot_record_words(w, n - pos);
		struct iot_word0 z;
		struct iot_entry e = {.pos = (uint32_t)pos, .offset = IOT_UNKNOWN};

		if (!len)
			return false;
		z = iot_word0(w[0]);
		if (!z.call) {
			if (z.handle == IOT_DEF_TIME && len >= 6)
				base = w[2];
			if (def)
				def(arg, z.handle, w + 2, len - 2);
			pos += len;
			continue;
		}
		e.call = (uint16_t)z.call;
		e.depth = (uint16_t)z.depth;
		e.start = base + z.dt;
		if (z.form == IOT_GENERAL)
			iot_entry_general(&z, w, &e);
		else
			iot_entry_compact(log, &z, w, stamp, &e);
		record(arg, &e, w, len);
		pos += len;
	}
	return true;
}

/* ---- into struct iot_call ---- */

static inline void iot_decode_compact(struct iot_log *log, const struct iot_entry *e,
				      const struct iot_word0 *z, const uint64_t *w,
				      struct iot_call *call)
{
	const struct iot_schema *s = call->schema;
	uint64_t size = w[1] >> 32;

	call->dur = iot_clock_span(log, e->start, (uint32_t)w[1]);
	if (s->flags & IOT_CALL_HAS_SIZE) {
		call->size = size;
		call->has |= IOT_HAS_SIZE;
	}
	if (e->offset != IOT_UNKNOWN) {
		call->offset = e->offset;
		call->has |= IOT_HAS_OFFSET;
	}
	call->itemsize = e->itemsize;
	switch (s->result) {
	case IOT_KIND_VOID:
	case IOT_KIND_NORETURN:
		break;
	case IOT_KIND_STATUS:
	case IOT_KIND_EOF:
	case IOT_KIND_ERRCODE:
		call->ret = 0;
		call->has |= IOT_HAS_RET;
		break;
	case IOT_KIND_ITEMS:
		call->ret = e->itemsize ? (int64_t)(size / e->itemsize) : 0;
		call->has |= IOT_HAS_RET;
		break;
	default:
		call->ret = (int64_t)size;
		call->has |= IOT_HAS_RET;
	}
	if (z->handle) {
		call->handle = iot_idmap_get(&log->handle, z->handle);
		log->n_bad_refs += !call->handle;
	}
}

/* Everything but what the stream knows: pid, tid, parent. */
static inline __attribute__((always_inline)) void
iot_decode(struct iot_log *log, const struct iot_entry *e, const uint64_t *w, struct iot_call *call)
{
	struct iot_word0 z = iot_word0(w[0]);
	unsigned i;

	call->log = log;
	call->schema = iot_schema_get(log, z.call);
	call->ticks = e->start;
	call->start = iot_clock_ns(log, e->start);
	call->depth = e->depth;
	call->status = (enum iot_status)e->status;
	call->inferred = call->no_syscall = false;
	call->internal = z.internal;
	call->has = 0;
	call->err = 0;
	call->itemsize = 0;
	call->handle = NULL;
	call->parent = NULL;
	call->entry.type = IOT_VAL_NONE;
	call->stack = e->stack;
	for (i = 0; i < call->schema->n_params; i++)
		call->value[i].type = IOT_VAL_NONE;
	if (z.form == IOT_GENERAL)
		iot_decode_general(log, e, w, call);
	else
		iot_decode_compact(log, e, &z, w, call);
}

#endif
