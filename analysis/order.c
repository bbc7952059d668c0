/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order.c - what can be found only in the order of time, across threads and processes.
 *
 * Sums need no order, and reading without is several times as fast.  So rules that need it
 * say of each file, when the sums are there, whether it can be a case of theirs.  If none
 * is, nothing is read again; if some are, only accesses to these are looked at.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "internal.h"

bool iota_wants_order(struct iota *a)
{
	const struct iota_table *files = &a->table[IOTA_BY_FILE];
	const struct iota_rule *rule;
	size_t i;

	for (i = 0; i < files->n; i++) {
		for (rule = a->rules; rule->id; rule++) {
			struct iota_watch *w;

			if (rule->off || !rule->wants || !rule->wants(rule, files->row[i]))
				continue;
			w = iota_alloc(&a->memory, sizeof(*w));
			w->rule = rule;
			w->next_of_file = files->row[i]->watch;
			files->row[i]->watch = w;
			w->next = a->watches;
			a->watches = w;
		}
	}
	return a->watches;
}

/* ---- processes, as numbers from 1 on ---- */

static int by_process(const void *a, const void *b)
{
	const struct iota_actor *x = a, *y = b;

	if (x->log != y->log)
		return x->log < y->log ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static uint32_t actor(struct iota *a, const struct iotr_call *call)
{
	struct iota_actor wanted = {.log = call->log, .process = call->process, .pid = call->pid};
	struct iota_actor **there = tfind(&wanted, &a->actors, by_process), *new;

	if (there)
		return (*there)->number;
	new = iota_alloc(&a->memory, sizeof(*new));
	*new = wanted;
	new->number = ++a->n_actors;
	iota_tree_add(&a->actors, new, by_process);
	return new->number;
}

/* ---- calls ---- */

void iota_call_in_order(struct iota *a, const struct iotr_call *call)
{
	const struct iotr_path *path = call->handle ? call->handle->path : NULL;
	struct iota_access access;
	struct iota_sample s;
	struct iota_watch *w;

	if (!path || !(call->has & IOTR_HAS_OFFSET))
		return;
	w = iota_file_row(a, path)->watch;
	if (!w)
		return;
	iota_sample(a, &s, call);
	if (!s.is_syscall || !s.moved ||
	    (s.does != IOTA_DOES_READ && s.does != IOTA_DOES_WRITE && s.does != IOTA_DOES_COPY))
		return;
	access = (struct iota_access){
		.writes = s.does == IOTA_DOES_WRITE,
		.start = call->offset,
		.end = iota_sum_of_sizes(call->offset, s.moved),
		.actor = actor(a, call),
	};
	for (; w; w = w->next_of_file)
		w->rule->see(w, &access);
}

void iota_order_free(struct iota *a)
{
	struct iota_watch *w;

	for (w = a->watches; w; w = w->next)
		iota_intervals_free(&w->intervals);
	while (a->actors)
		tdelete(*(void **)a->actors, &a->actors, by_process);
}
