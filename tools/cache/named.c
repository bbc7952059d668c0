/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named.c - see named.h.  A call that moved bytes at a known offset used these; a mapping used
 * all that was mapped, but where page faults were recorded as well (IOTRACE_FAULTS): then
 * only the pages that were touched.  The program itself is used as a whole.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/tool.h"
#include "named.h"

struct file {
	struct cache_part *part, *map; /* mappings count if there are no faults */
	size_t n, cap, n_map, cap_map;
	bool faults, program;
	char name[];
};

static void *tree; /* of struct file */
static bool names_only;
static cache_named_fn *tell;

static int by_name(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int by_start(const void *a, const void *b)
{
	const struct cache_part *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static struct file *file_of(const char *name, size_t len)
{
	struct file *f = calloc(1, sizeof(*f) + len + 1), **there;

	if (!f)
		iot_no_memory();
	memcpy(f->name, name, len);
	there = tsearch(f, &tree, by_name);
	if (!there)
		iot_no_memory();
	if (*there != f)
		free(f);
	return *there;
}

/* Sorts the parts, and makes one of those that overlap or touch. */
static size_t unite(struct cache_part *part, size_t n)
{
	size_t to = 0;

	if (!n)
		return 0;
	qsort(part, n, sizeof(*part), by_start);
	for (size_t i = 1; i < n; i++) {
		if (part[i].start > part[to].end)
			part[++to] = part[i];
		else if (part[i].end > part[to].end)
			part[to].end = part[i].end;
	}
	return to + 1;
}

static void add(struct cache_part **part, size_t *n, size_t *cap, struct cache_part new)
{
	/* programs go on where they were */
	if (*n && new.start <= (*part)[*n - 1].end && new.end >= (*part)[*n - 1].start) {
		struct cache_part *last = &(*part)[*n - 1];

		if (new.start < last->start)
			last->start = new.start;
		if (new.end > last->end)
			last->end = new.end;
		return;
	}
	if (*n == *cap) {
		*n = unite(*part, *n);
		if (*n >= *cap / 2) {
			*cap = *cap ? 2 * *cap : 16;
			*part = reallocarray(*part, *cap, sizeof(**part));
			if (!*part)
				iot_no_memory();
		}
	}
	(*part)[(*n)++] = new;
}

/* Whole pages, since the page cache has nothing less. */
static struct cache_part pages_of(uint64_t offset, uint64_t size)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = offset + size < offset ? UINT64_MAX : offset + size;

	return (struct cache_part){offset - offset % page, end > UINT64_MAX - page ? UINT64_MAX : (end + page - 1) / page * page};
}

static void on_call(void *unused, const struct iotr_call *call)
{
	const struct iotr_path *path = call->handle ? call->handle->path : NULL;
	const bool moves = call->schema->result == IOTR_KIND_BYTES && call->has & IOTR_HAS_RET;
	const uint64_t size = moves ? (uint64_t)call->ret : call->size;
	const char *name = call->schema->name;
	struct file *f;

	(void)unused;
	if (!path || !S_ISREG(path->mode) || path->len == 0 || *path->name != '/' || iotr_call_failed(call) ||
	    !(call->has & IOTR_HAS_OFFSET) || (!moves && !(call->has & IOTR_HAS_SIZE)) || !size)
		return;
	if (!path->user)
		((struct iotr_path *)path)->user = file_of(path->name, path->len);
	f = path->user;
	if (names_only)
		return;
	if (!strcmp(name, "mmap")) {
		add(&f->map, &f->n_map, &f->cap_map, pages_of(call->offset, size));
		return;
	}
	f->faults |= !strcmp(name, "page_fault");
	add(&f->part, &f->n, &f->cap, pages_of(call->offset, size));
}

static void end(const void *node, VISIT visit, int depth)
{
	struct file *f = *(struct file *const *)node;

	(void)depth;
	if (visit != postorder && visit != leaf)
		return;
	for (size_t i = 0; !f->faults && i < f->n_map; i++)
		add(&f->part, &f->n, &f->cap, f->map[i]);
	f->n = unite(f->part, f->n);
	tell(f->name, f->part, names_only || (f->program && !f->faults) ? 0 : f->n);
}

static void drop(void *node)
{
	struct file *f = node;

	free(f->part);
	free(f->map);
	free(f);
}

void cache_named_each(char **logs, bool whole, cache_named_fn *fn)
{
	struct iotr_set *set = iot_set_new();

	names_only = whole;
	tell = fn;
	iotr_set_mute(set);
	iot_logs_add(set, logs);
	for (size_t i = 0; i < iotr_set_size(set); i++) {
		size_t len = 0;
		const char *exe = iotr_log_key(iotr_set_log(set, i), "exe", &len);

		if (exe && *exe == '/')
			file_of(exe, len)->program = true;
	}
	iotr_set_scan(set, on_call, NULL);
	if (iotr_set_failed(set))
		iot_no_memory();
	twalk(tree, end);
	tdestroy(tree, drop);
	tree = NULL;
	iotr_set_free(set);
}
