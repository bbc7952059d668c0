/* SPDX-License-Identifier: BSD-3-Clause */
/* define.c - paths, handles, stacks and losses, as a log defines them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "read.h"

/* A handle may be read before the path that it refers to. */
struct iot_handle_def {
	struct iot_handle handle;
	uint64_t path;
	struct iot_handle_def *next;
};

static struct iot_path *path_new(struct iot_log *log, const char *bytes, size_t len)
{
	struct iot_path *path = iot_arena_alloc(&log->arena, sizeof(*path));

	path->name = iot_arena_copy(&log->arena, bytes, len);
	path->len = len;
	return path;
}

static bool define_path(struct iot_log *log, const uint64_t *p, size_t n)
{
	struct iot_path *path;
	const char *bytes;
	size_t len, words;

	if (n < 5 || !p[0] || !iot_inline_bytes(log, p + 4, n - 4, &bytes, &len, &words))
		return false;
	path = path_new(log, bytes, len);
	path->dev = p[1];
	path->ino = p[2];
	path->mode = (uint32_t)p[3];
	iot_idmap_put(&log->path, p[0], path);
	return true;
}

static bool define_handle(struct iot_log *log, const uint64_t *p, size_t n)
{
	struct iot_handle_def *d;
	const char *bytes;
	size_t len, words = 1;

	if (n < 4 || !p[0] || p[0] > UINT32_MAX)
		return false;
	d = iot_arena_alloc(&log->arena, sizeof(*d));
	d->handle.id = (uint32_t)p[0];
	d->handle.fd = (int)(uint32_t)p[1];
	if (p[2] & IOT_INLINE) {
		if (!iot_inline_bytes(log, p + 2, n - 2, &bytes, &len, &words) || words + 2 >= n)
			return false;
		if (len)
			d->handle.path = path_new(log, bytes, len);
	} else {
		d->path = p[2];
	}
	d->handle.mode = (uint32_t)p[2 + words];
	d->next = log->handle_defs;
	log->handle_defs = d;
	iot_idmap_put(&log->handle, p[0], &d->handle);
	return true;
}

static bool define_stack(struct iot_log *log, const uint64_t *p, size_t n)
{
	struct iot_stack_at *s;
	uint64_t *pc;

	if (n < 2 || !p[0] || p[0] > UINT32_MAX || p[1] > n - 2)
		return false;
	s = iot_arena_alloc(&log->arena, sizeof(*s));
	pc = iot_arena_alloc(&log->arena, p[1] * 8);
	memcpy(pc, p + 2, p[1] * 8);
	s->stack.id = (uint32_t)p[0];
	s->stack.n = (uint32_t)p[1];
	s->stack.pc = pc;
	iot_idmap_put(&log->stack, p[0], s);
	return true;
}

static bool define_lost(struct iot_log *log, const uint64_t *p, size_t n)
{
	if (n < 2)
		return false;
	log->lost_defs.calls += p[0];
	if (!log->lost_defs.reason)
		log->lost_defs.reason = p[1];
	return true;
}

static bool define_rank(struct iot_log *log, const uint64_t *p, size_t n)
{
	if (n < 2 || p[1] > INT32_MAX || p[0] >= p[1])
		return false;
	if (log->rank >= 0 && log->rank != (int)p[0] && !log->rank_checked)
		iot_say(log, IOT_NOTE, "is of rank %d, not %d as the launcher said", (int)p[0],
			log->rank);
	log->rank = (int)p[0];
	log->n_ranks = (int)p[1];
	log->rank_checked = true;
	return true;
}

void iot_define(struct iot_log *log, uint32_t process, unsigned kind, const uint64_t *p, size_t n)
{
	bool ok = true;

	switch (kind) {
	case IOT_DEF_TIME:
		ok = n >= 4;
		if (ok)
			iot_clock_anchor(log, &(struct iot_anchor){p[1], p[2], p[3]});
		break;
	case IOT_DEF_PATH:
		ok = define_path(log, p, n);
		break;
	case IOT_DEF_HANDLE:
		ok = define_handle(log, p, n);
		break;
	case IOT_DEF_STACK:
		ok = define_stack(log, p, n);
		break;
	case IOT_DEF_MAP:
		ok = iot_maps_add(log, process, p, n);
		break;
	case IOT_DEF_LOST:
		ok = define_lost(log, p, n);
		break;
	case IOT_DEF_RANK:
		ok = define_rank(log, p, n);
		break;
	case IOT_DEF_CLOCK:
		ok = n >= 3;
		if (ok)
			iot_clock_sync(log, p[0], p[1]);
		break;
	case IOT_DEF_SUM:
		ok = iot_sum_define(log, p, n);
		break;
	case IOT_DEF_PROCESS:
		ok = iot_process_define(log, p, n);
		break;
	}
	if (!ok)
		iot_say(log, IOT_DAMAGE, "a definition of kind %u makes no sense", kind);
}

void iot_defines_done(struct iot_log *log)
{
	struct iot_handle_def *d, *rest = log->handle_defs;

	log->handle_defs = NULL;
	while ((d = rest)) {
		rest = d->next;
		if (d->path)
			d->handle.path = iot_idmap_get(&log->path, d->path);
		if (d->path && !d->handle.path && log->live) {
			/* may still come */
			d->next = log->handle_defs;
			log->handle_defs = d;
		}
	}
	iot_maps_done(log);
}

struct iot_path *iot_log_path(const struct iot_log *log, uint32_t id)
{
	return iot_idmap_get(&log->path, id);
}

const struct iot_handle *iot_log_handle(const struct iot_log *log, uint32_t id)
{
	return iot_idmap_get(&log->handle, id);
}
