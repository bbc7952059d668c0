/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapped.c - which file the memory is of that a call is about: msync(), madvise().
 *
 * Mappings of a process that do not overlap, in a tree in which those that overlap are equal.
 * What one thread maps and another one uses is found if the first is read before the second.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "internal.h"

struct mapping {
	const struct iotr_log *log;
	uint32_t process;
	uint64_t start, end;
	struct iota_row *row;
};

static int by_place(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	if (x->log != y->log)
		return x->log < y->log ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->end <= y->start)
		return -1;
	return x->start >= y->end;
}

static struct mapping *find(struct iota *a, const struct mapping *wanted)
{
	struct mapping **there = wanted->start < wanted->end ? tfind(wanted, &a->mappings, by_place) : NULL;

	return there ? *there : NULL;
}

/* What overlaps it even in part. */
static void forget(struct iota *a, const struct mapping *wanted)
{
	struct mapping *m;

	while ((m = find(a, wanted))) {
		tdelete(m, &a->mappings, by_place);
		free(m);
	}
}

static struct mapping of_call(const struct iotr_call *call, uint64_t start)
{
	return (struct mapping){.log = call->log,
				.process = call->process,
				.start = start,
				.end = iota_sum_of_sizes(start, call->has & IOTR_HAS_SIZE ? call->size : 0)};
}

void iota_mapped_add(struct iota *a, const struct iotr_call *call, struct iota_row *row)
{
	struct mapping new = of_call(call, (uint64_t)call->ret), *m;

	if (strcmp(call->schema->name, "mmap") != 0 || iotr_call_failed(call) || new.start >= new.end)
		return;
	forget(a, &new);
	m = iota_malloc(sizeof(*m));
	*m = new;
	m->row = row;
	iota_tree_add(&a->mappings, m, by_place);
}

struct iota_row *iota_mapped_row(struct iota *a, const struct iotr_call *call)
{
	struct mapping wanted, *m;
	uint64_t start;

	if (!iota_param(call, IOTR_KIND_PTR, &start))
		return NULL;
	/* memory of no file takes the place of what was there */
	wanted = of_call(call, strcmp(call->schema->name, "mmap") ? start : (uint64_t)call->ret);
	if (!strcmp(call->schema->name, "munmap") || !strcmp(call->schema->name, "mmap")) {
		if (!iotr_call_failed(call))
			forget(a, &wanted);
		return NULL;
	}
	m = find(a, &wanted);
	return m ? m->row : NULL;
}

void iota_mapped_free(struct iota *a)
{
	tdestroy(a->mappings, free);
}
