/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapped.c - which file the memory is of that a call is about: msync(), madvise(), munmap(),
 * mremap().
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

static void add(struct iota *a, const struct mapping *new)
{
	struct mapping *m;

	if (new->start >= new->end)
		return;
	m = iota_malloc(sizeof(*m));
	*m = *new;
	iota_tree_add(&a->mappings, m, by_place);
}

/* What of mappings lies there is gone; what they have before and behind it stays. */
static void forget(struct iota *a, const struct mapping *gone)
{
	struct mapping *m, before, behind;

	while ((m = find(a, gone))) {
		before = behind = *m;
		before.end = gone->start;
		behind.start = gone->end;
		tdelete(m, &a->mappings, by_place);
		free(m);
		add(a, &before);
		add(a, &behind);
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
	struct mapping new = of_call(call, (uint64_t)call->ret);

	if (strcmp(call->schema->name, "mmap") != 0 || iotr_call_failed(call) || new.start >= new.end)
		return;
	forget(a, &new);
	new.row = row;
	add(a, &new);
}

/* It lies elsewhere now, or is longer or shorter. */
static void move(struct iota *a, const struct iotr_call *call, struct mapping *old, struct iota_row *row)
{
	struct mapping new = of_call(call, (uint64_t)call->ret);

	forget(a, old);
	forget(a, &new);
	new.row = row;
	add(a, &new);
}

struct iota_row *iota_mapped_row(struct iota *a, const struct iotr_call *call)
{
	const char *name = call->schema->name;
	bool maps = !strcmp(name, "mmap"), moves = !strcmp(name, "mremap");
	uint64_t start, size;
	struct mapping wanted, *m;
	struct iota_row *row;

	if (!iota_param(call, IOTR_KIND_PTR, &start))
		return NULL;
	wanted = of_call(call, maps ? (uint64_t)call->ret : start);
	if (moves && iota_param(call, IOTR_KIND_ULONG, &size))
		wanted.end = iota_sum_of_sizes(start, size);
	m = maps ? NULL : find(a, &wanted);
	row = m ? m->row : NULL;
	if (iotr_call_failed(call))
		return row;
	if (moves && row)
		move(a, call, &wanted, row);
	/* memory of no file takes the place of what was there */
	else if (maps || moves || !strcmp(name, "munmap"))
		forget(a, &wanted);
	return row;
}

void iota_mapped_free(struct iota *a)
{
	tdestroy(a->mappings, free);
}
