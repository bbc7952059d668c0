/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - records, taken apart. */
#include "config.h"

#include <string.h>

#include "define.h"
#include "job.h"
#include "record.h"

bool iotr_inline_bytes(const struct iotr_log *log, const uint64_t *p, size_t n, const char **bytes,
		       size_t *len, size_t *words)
{
	uint64_t size;

	if (n < 1 || !(p[0] & IOT_INLINE))
		return false;
	if (p[0] & IOT_SHARED) {
		*words = 1;
		return log->job &&
		       iotr_job_string(log->job, p[0] & ~(IOT_INLINE | IOT_SHARED), bytes, len);
	}
	size = iot_inline_size(p[0]);
	if (size > (n - 1) * 8)
		return false;
	*bytes = (const char *)(p + 1);
	*len = (size_t)size;
	*words = 1 + (size_t)iot_inline_words(p[0]);
	return true;
}

bool iotr_records_walk(struct iotr_log *log, const struct iot_block *head, const uint64_t *words,
		       size_t n, iotr_record_fn *record, iotr_def_fn *def, void *arg,
		       struct iotr_in_block *in)
{
	return iotr_walk(log, head, words, n, record, def, arg, in);
}

/* ---- into struct iotr_call ---- */

static bool decode_value(struct iotr_log *log, enum iotr_as as, const uint64_t *p, size_t n,
			 struct iotr_value *v, size_t *words)
{
	*words = 1;
	if (n == 0)
		return false;
	if (iotr_as_text(as) && (p[0] & IOT_INLINE)) {
		size_t len = 0;

		v->type = IOTR_VAL_BYTES;
		if (!iotr_inline_bytes(log, p, n, &v->bytes, &len, words) || len > UINT32_MAX)
			return false;
		v->len = (uint32_t)len;
		return true;
	}
	v->type = IOTR_VAL_WORD;
	v->word = p[0];
	if (as == IOTR_AS_PATH && p[0]) {
		const struct iotr_path *path = iotr_idmap_get(&log->path, p[0]);

		v->type = path ? IOTR_VAL_PATH : IOTR_VAL_NONE;
		v->path = path;
		log->n_bad_refs += !path;
	} else if (as == IOTR_AS_HANDLE && p[0]) {
		const struct iotr_handle *h = iotr_idmap_get(&log->handle, p[0]);

		if (h) {
			v->type = IOTR_VAL_HANDLE;
			v->handle = h;
		}
	} else if (as == IOTR_AS_PAIR && p[0]) {
		v->type = IOTR_VAL_PAIR;
		v->pair[0] = iotr_idmap_get(&log->handle, (uint32_t)p[0]);
		v->pair[1] = iotr_idmap_get(&log->handle, p[0] >> 32);
	}
	return true;
}

/* ns between two moments in ticks */
static uint64_t elapsed(struct iotr_log *log, uint64_t from, uint64_t to)
{
	uint64_t a = iotr_clock_ns(&log->clock, from), b = iotr_clock_ns(&log->clock, to);

	return b > a ? b - a : 0;
}

/* end: of the call, in ticks */
static void decode_args(struct iotr_log *log, struct iotr_call *call, unsigned argc, uint64_t end,
			const uint64_t *p, size_t n)
{
	const struct iotr_schema *s = call->schema;
	size_t words;
	unsigned i;

	for (i = 0; i < s->n_params && argc; i++) {

		if (s->param[i].place != IOTR_AT_ARG)
			continue;
		if (!decode_value(log, s->param[i].as, p, n, &call->value[i], &words)) {
			call->value[i].type = IOTR_VAL_NONE;
			return;
		}
		if (s->param[i].kind == IOTR_KIND_ITEMSIZE)
			call->itemsize = call->value[i].word;
		if (s->param[i].as == IOTR_AS_ELAPSED && call->value[i].word)
			call->value[i].word = elapsed(log, call->value[i].word, end);
		if (s->param[i].none == IOTR_NONE_ONES && call->value[i].word == ~0ULL)
			call->value[i].type = IOTR_VAL_NONE;
		p += words;
		n -= words;
		argc--;
	}
	/* readdir: the name that it found */
	if (argc && s->result == IOTR_KIND_DIRENT &&
	    !decode_value(log, IOTR_AS_TEXT, p, n, &call->entry, &words))
		call->entry.type = IOTR_VAL_NONE;
}

/* What a result is that the record need not say. */
static void default_result(struct iotr_call *call)
{
	switch (call->schema->result) {
	case IOTR_KIND_ERRCODE:
	case IOTR_KIND_PROGRESS:
		call->ret = call->err;
		break;
	case IOTR_KIND_STATUS:
	case IOTR_KIND_EOF:
		call->ret = call->err ? -1 : 0;
		break;
	case IOTR_KIND_PTR:
	case IOTR_KIND_DIRENT:
		if (!call->err)
			return;
		call->ret = 0;
		break;
	case IOTR_KIND_VOID:
	case IOTR_KIND_NORETURN:
		return;
	default:
		if (!call->err)
			return;
		call->ret = -1;
	}
	call->has |= IOT_HAS_RET;
}

void iotr_decode_general(struct iotr_log *log, const struct iotr_entry *e, const uint64_t *w,
			 struct iotr_call *call)
{
	size_t words = iot_general_words(w[1]), pos = 4;
	unsigned present = iot_general_present(w[1]), status = iot_general_status(w[3]), bit;
	uint64_t dur = iot_record_dur(w);
	uint32_t handle = (uint32_t)w[2];

	call->has = present & (IOT_HAS_SIZE | IOT_HAS_OFFSET | IOT_HAS_RET);
	for (bit = 1; bit < 0x10000; bit <<= 1) {
		uint64_t v;

		if (!(present & bit))
			continue;
		v = w[pos++];
		switch (bit) {
		case IOT_HAS_SIZE:
			call->size = v;
			break;
		case IOT_HAS_OFFSET:
			call->offset = v;
			break;
		case IOT_HAS_RET:
			call->ret = (int64_t)v;
			break;
		case IOT_HAS_CACHED:
			call->cached = v;
			call->has |= IOTR_HAS_CACHED;
			break;
		case IOT_HAS_FETCHED:
			call->fetched = v;
			call->has |= IOTR_HAS_FETCHED;
			break;
		case IOT_HAS_DIRTIED:
			call->dirtied = v;
			call->has |= IOTR_HAS_DIRTIED;
			break;
		}
	}
	call->dur = iotr_clock_span(&log->clock, e->start, dur);
	call->err = (uint16_t)w[3];
	call->inferred = status & IOT_ST_INFERRED;
	call->no_syscall = status & IOT_ST_NO_SYSCALL;
	call->mpi_own = status & IOT_ST_MPI;
	if (handle) {
		call->handle = iotr_idmap_get(&log->handle, handle);
		log->n_bad_refs += !call->handle;
	}
	decode_args(log, call, iot_general_argc(w[3]), e->start + dur, w + pos, words - pos);
	if (!(call->has & IOT_HAS_RET) && call->status == IOTR_FINISHED)
		default_result(call);
}

void iotr_record_decode(struct iotr_log *log, const struct iotr_entry *e, const uint64_t *w,
			struct iotr_call *call)
{
	iotr_decode(log, e, w, call);
}
