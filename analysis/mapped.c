/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapped.c - which file the memory is of that a call is about: msync(), madvise(), munmap(),
 * mremap().
 *
 * Mappings of a process that do not overlap, in a tree in which those that overlap are equal.
 * What one thread maps and another one uses is found if the first is read before the second.
 *
 * A forked child has the mappings that its parent had then.  The parent is read before it, to its
 * end: so of processes with children it is kept what they had, and until when.
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
	uint64_t since, until; /* ticks */
};

/* Of a process, once its mappings are asked for. */
struct maps {
	const struct iotr_log *log;
	uint32_t process;
	struct mapping *past; /* what it had */
	size_t n_past;
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

static int by_process(const void *a, const void *b)
{
	const struct maps *x = a, *y = b;

	if (x->log != y->log)
		return x->log < y->log ? -1 : 1;
	return x->process < y->process ? -1 : x->process > y->process;
}

/* The part of what the parent has now that it had when it forked. */
static void inherit_within(struct iota *a, uint32_t child, uint64_t forked, struct mapping within)
{
	struct mapping *m = find(a, &within), mine, before = within, behind = within;

	if (!m)
		return;
	mine = *m;
	before.end = m->start;
	behind.start = m->end;
	mine.process = child;
	if (m->since <= forked)
		add(a, &mine);
	inherit_within(a, child, forked, before);
	inherit_within(a, child, forked, behind);
}

static struct maps *maps_of(struct iota *a, const struct iotr_log *log, uint32_t process);

static void inherit(struct iota *a, const struct iotr_log *log, uint32_t process)
{
	const struct iotr_process *p = iotr_log_process(log, process), *parent = p ? iotr_process_parent(log, p) : NULL;
	struct maps *had;

	if (!parent)
		return;
	had = maps_of(a, log, parent->number);
	inherit_within(a, process, p->ticks,
		       (struct mapping){.log = log, .process = parent->number, .end = UINT64_MAX});
	for (size_t i = 0; i < had->n_past; i++) {
		struct mapping m = had->past[i];

		m.process = process;
		if (m.since <= p->ticks && p->ticks < m.until && !find(a, &m))
			add(a, &m);
	}
}

static struct maps *maps_of(struct iota *a, const struct iotr_log *log, uint32_t process)
{
	struct maps wanted = {.log = log, .process = process}, **there = tfind(&wanted, &a->maps, by_process), *new;

	if (there)
		return *there;
	new = iota_malloc(sizeof(*new));
	*new = wanted;
	iota_tree_add(&a->maps, new, by_process);
	inherit(a, log, process);
	return new;
}

/* It had that until then, which only its children ask for. */
static void keep(struct iota *a, const struct mapping *m, uint64_t until)
{
	struct maps *maps;

	if (iotr_log_processes(m->log) < 2)
		return;
	maps = maps_of(a, m->log, m->process);
	maps->past = iota_grow(maps->past, maps->n_past + 1, sizeof(*maps->past));
	maps->past[maps->n_past] = *m;
	maps->past[maps->n_past++].until = until;
}

/* What of mappings lies there is gone; what they have before and behind it stays. */
static void forget(struct iota *a, const struct mapping *gone)
{
	struct mapping *m, before, behind;

	while ((m = find(a, gone))) {
		keep(a, m, gone->since);
		before = behind = *m;
		before.end = gone->start;
		behind.start = gone->end;
		before.since = behind.since = gone->since;
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
				.since = call->ticks,
				.end = iota_sum_of_sizes(start, call->has & IOTR_HAS_SIZE ? call->size : 0)};
}

void iota_mapped_add(struct iota *a, const struct iotr_call *call, struct iota_row *row)
{
	struct mapping new = of_call(call, (uint64_t)call->ret);

	if (strcmp(call->schema->name, "mmap") != 0 || iotr_call_failed(call) || new.start >= new.end)
		return;
	maps_of(a, call->log, call->process);
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
	maps_of(a, call->log, call->process);
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

static void free_maps(void *p)
{
	free(((struct maps *)p)->past);
	free(p);
}

void iota_mapped_free(struct iota *a)
{
	tdestroy(a->maps, free_maps);
	tdestroy(a->mappings, free);
	a->maps = a->mappings = NULL;
}
