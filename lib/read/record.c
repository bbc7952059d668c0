/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - records, taken apart. */
#include "config.h"

#include <string.h>

#include "read.h"

/* Words of the record at w, of which n are there; 0 if it makes no sense. */
size_t iot_record_words(const uint64_t *w, size_t n)
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

bool iot_inline_bytes(const uint64_t *p, size_t n, const char **bytes, size_t *len, size_t *words)
{
	uint64_t size;

	if (n < 1 || !(p[0] & IOT_INLINE))
		return false;
	size = p[0] & ~IOT_INLINE;
	if (size > (n - 1) * 8)
		return false;
	*bytes = (const char *)(p + 1);
	*len = (size_t)size;
	*words = 1 + ((size_t)size + 7) / 8;
	return true;
}

/* Does the result of a compact record say how far the file offset moved? */
static bool moves(const struct iot_schema *s)
{
	return s && s->result == IOT_KIND_BYTES;
}

static void entry_compact(struct iot_log *log, const struct iot_word0 *z, const uint64_t *w,
			  uint32_t stamp, struct iot_entry *e)
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
	if (e->offset != IOT_UNKNOWN && moves(s))
		last->offset += w[1] >> 32;
}

static void entry_general(const struct iot_word0 *z, const uint64_t *w, struct iot_entry *e)
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

bool iot_records_walk(struct iot_log *log, const struct iot_block *head, const uint64_t *words,
		      size_t n, iot_record_fn *record, iot_def_fn *def, void *arg)
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
			entry_general(&z, w, &e);
		else
			entry_compact(log, &z, w, stamp, &e);
		record(arg, &e, w, len);
		pos += len;
	}
	return true;
}

/* ---- into struct iot_call ---- */

static bool is_text(enum iot_kind kind)
{
	switch (kind) {
	case IOT_KIND_PATH:
	case IOT_KIND_RELPATH:
	case IOT_KIND_LINK:
	case IOT_KIND_STR:
	case IOT_KIND_WSTR:
	case IOT_KIND_ADDR:
		return true;
	default:
		return false;
	}
}

static bool decode_value(struct iot_log *log, enum iot_kind kind, const uint64_t *p, size_t n,
			 struct iot_value *v, size_t *words)
{
	*words = 1;
	if (n == 0)
		return false;
	if (is_text(kind) && (p[0] & IOT_INLINE)) {
		v->type = IOT_VAL_BYTES;
		return iot_inline_bytes(p, n, &v->bytes, &v->len, words);
	}
	v->type = IOT_VAL_WORD;
	v->word = p[0];
	if ((kind == IOT_KIND_PATH || kind == IOT_KIND_RELPATH) && p[0]) {
		const struct iot_path *path = iot_idmap_get(&log->path, p[0]);

		v->type = path ? IOT_VAL_PATH : IOT_VAL_NONE;
		v->path = path;
		log->n_bad_refs += !path;
	} else if (kind == IOT_KIND_FD2 && p[0]) {
		const struct iot_handle *h = iot_idmap_get(&log->handle, p[0]);

		if (h) {
			v->type = IOT_VAL_HANDLE;
			v->handle = h;
		}
	} else if (kind == IOT_KIND_PIPEFDS && p[0]) {
		v->type = IOT_VAL_PAIR;
		v->pair[0] = iot_idmap_get(&log->handle, (uint32_t)p[0]);
		v->pair[1] = iot_idmap_get(&log->handle, p[0] >> 32);
	}
	return true;
}

static void decode_args(struct iot_log *log, struct iot_call *call, unsigned argc,
			const uint64_t *p, size_t n)
{
	const struct iot_schema *s = call->schema;
	size_t words;
	unsigned i;

	for (i = 0; i < s->n_params && argc; i++) {

		if (s->param[i].place != IOT_AT_ARG)
			continue;
		if (!decode_value(log, s->param[i].kind, p, n, &call->value[i], &words)) {
			call->value[i].type = IOT_VAL_NONE;
			return;
		}
		if (s->param[i].kind == IOT_KIND_ITEMSIZE)
			call->itemsize = call->value[i].word;
		p += words;
		n -= words;
		argc--;
	}
	/* readdir: the name that it found */
	if (argc && s->result == IOT_KIND_DIRENT &&
	    !decode_value(log, IOT_KIND_STR, p, n, &call->entry, &words))
		call->entry.type = IOT_VAL_NONE;
}

/* What a result is that the record need not say. */
static void default_result(struct iot_call *call)
{
	switch (call->schema->result) {
	case IOT_KIND_ERRCODE:
		call->ret = call->err;
		break;
	case IOT_KIND_STATUS:
	case IOT_KIND_EOF:
		call->ret = call->err ? -1 : 0;
		break;
	case IOT_KIND_PTR:
	case IOT_KIND_DIRENT:
		if (!call->err)
			return;
		call->ret = 0;
		break;
	case IOT_KIND_VOID:
	case IOT_KIND_NORETURN:
		return;
	default:
		if (!call->err)
			return;
		call->ret = -1;
	}
	call->has |= IOT_HAS_RET;
}

static void decode_general(struct iot_log *log, const struct iot_entry *e, const uint64_t *w,
			   struct iot_call *call)
{
	size_t words = (w[1] >> 32) & 0xffff, pos = 4;
	unsigned present = (unsigned)(w[1] >> 48), status = (unsigned)(w[3] >> 32) & 0xff;
	unsigned argc = (unsigned)(w[3] >> 40) & 0xff, bit;
	uint64_t dur = (uint32_t)w[1];
	uint32_t handle = (uint32_t)w[2];

	for (bit = 1; bit < 0x10000; bit <<= 1) {
		uint64_t v;

		if (!(present & bit))
			continue;
		v = w[pos++];
		switch (bit) {
		case IOT_HAS_DUR:
			dur = v;
			break;
		case IOT_HAS_SIZE:
			call->size = v;
			break;
		case IOT_HAS_OFFSET:
			call->offset = v;
			break;
		case IOT_HAS_RET:
			call->ret = (int64_t)v;
			break;
		}
	}
	call->has = present & (IOT_HAS_SIZE | IOT_HAS_OFFSET | IOT_HAS_RET);
	call->dur = iot_clock_span(log, e->start, dur);
	call->err = (uint16_t)w[3];
	call->inferred = status & IOT_ST_INFERRED;
	call->no_syscall = status & IOT_ST_NO_SYSCALL;
	if (handle) {
		call->handle = iot_idmap_get(&log->handle, handle);
		log->n_bad_refs += !call->handle;
	}
	decode_args(log, call, argc, w + pos, words - pos);
	if (!(call->has & IOT_HAS_RET) && call->status == IOT_FINISHED)
		default_result(call);
}

static void decode_compact(struct iot_log *log, const struct iot_entry *e,
			   const struct iot_word0 *z, const uint64_t *w, struct iot_call *call)
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
void iot_record_decode(struct iot_log *log, const struct iot_entry *e, const uint64_t *w,
		       struct iot_call *call)
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
		decode_general(log, e, w, call);
	else
		decode_compact(log, e, &z, w, call);
}
