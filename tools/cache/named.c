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

struct parts {
	struct cache_part *part;
	size_t n, cap;
};

struct file {
	struct parts used, mapped; /* mappings count if there are no faults */
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
static void unite(struct parts *p)
{
	size_t to = 0;

	if (!p->n)
		return;
	qsort(p->part, p->n, sizeof(*p->part), by_start);
	for (size_t i = 1; i < p->n; i++) {
		if (p->part[i].start > p->part[to].end)
			p->part[++to] = p->part[i];
		else if (p->part[i].end > p->part[to].end)
			p->part[to].end = p->part[i].end;
	}
	p->n = to + 1;
}

/* Programs go on where they were. */
static bool widens(struct cache_part *last, struct cache_part new)
{
	if (new.start > last->end || new.end < last->start)
		return false;
	if (new.start < last->start)
		last->start = new.start;
	if (new.end > last->end)
		last->end = new.end;
	return true;
}

static void make_room(struct parts *p)
{
	unite(p);
	if (p->n < p->cap / 2)
		return;
	p->cap = p->cap ? 2 * p->cap : 16;
	p->part = reallocarray(p->part, p->cap, sizeof(*p->part));
	if (!p->part)
		iot_no_memory();
}

static void add(struct parts *p, struct cache_part new)
{
	if (p->n && widens(&p->part[p->n - 1], new))
		return;
	if (p->n == p->cap)
		make_room(p);
	p->part[p->n++] = new;
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
		add(&f->mapped, pages_of(call->offset, size));
		return;
	}
	f->faults |= !strcmp(name, "page_fault");
	add(&f->used, pages_of(call->offset, size));
}

static void end(const void *node, VISIT visit, int depth)
{
	struct file *f = *(struct file *const *)node;

	(void)depth;
	if (visit != postorder && visit != leaf)
		return;
	for (size_t i = 0; !f->faults && i < f->mapped.n; i++)
		add(&f->used, f->mapped.part[i]);
	unite(&f->used);
	tell(f->name, f->used.part, names_only || (f->program && !f->faults) ? 0 : f->used.n);
}

static void drop(void *node)
{
	struct file *f = node;

	free(f->used.part);
	free(f->mapped.part);
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
