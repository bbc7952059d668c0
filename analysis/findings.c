/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - what was found: a list, put in order. */
#include "config.h"

#include <stdlib.h>

#include "spots.h"

size_t iota_lines(const struct iota_finding *f)
{
	return f->chain ? f->chain->n : 0;
}

struct iota_line iota_line(const struct iota_finding *f, size_t n)
{
	const struct iota_place *p = f->chain->at[n];

	return (struct iota_line){p->func, p->file, p->module, p->line, p->offset};
}

void iota_finding_add(struct iota *a, struct iota_finding f)
{
	if (a->n_findings == a->cap_findings) {
		a->cap_findings = a->cap_findings ? a->cap_findings * 2 : 16;
		a->findings = iota_grow(a->findings, a->cap_findings, sizeof(*a->findings));
	}
	a->findings[a->n_findings++] = f;
}

bool iota_is_found(const struct iota *a, const char *id)
{
	size_t i;

	for (i = 0; i < a->n_findings; i++)
		if (!strcmp(a->findings[i].rule->id, id))
			return true;
	return false;
}

/* from has the same file, and is to be forgotten */
static void add_up(struct iota_finding *to, const struct iota_finding *from)
{
	to->count += from->count;
	to->calls += from->calls;
	to->time += from->time;
	to->saves[0] += from->saves[0];
	to->saves[1] += from->saves[1];
}

void iota_finding_of_file(struct iota *a, struct iota_finding f)
{
	size_t i;

	for (i = 0; i < a->n_findings; i++) {
		struct iota_finding *there = &a->findings[i], first = *there;

		if (there->rule != f.rule || there->name != f.name || there->name_len != f.name_len)
			continue;
		if (f.time > first.time)
			*there = f;
		add_up(there, f.time > first.time ? &first : &f);
		return;
	}
	iota_finding_add(a, f);
}

void iota_findings_free(struct iota *a)
{
	free(a->findings);
	free(a->added_up);
}

static int by_time(const void *a, const void *b)
{
	const struct iota_finding *x = a, *y = b;
	int order;

	if (x->rule->is_cause != y->rule->is_cause)
		return x->rule->is_cause ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	order = strcmp(x->rule->id, y->rule->id);
	if (order || !x->name || !y->name)
		return order;
	order = memcmp(x->name, y->name, x->name_len < y->name_len ? x->name_len : y->name_len);
	return order ? order : (x->name_len > y->name_len) - (x->name_len < y->name_len);
}

void iota_findings_sort(struct iota *a)
{
	if (a->n_findings)
		qsort(a->findings, a->n_findings, sizeof(*a->findings), by_time);
}

void iota_findings_join(struct iota *a)
{
	size_t i, n = 0;

	for (i = 0; i < a->n_findings; i++) {
		struct iota_finding *f = &a->findings[i], *last = n ? &a->findings[n - 1] : NULL;

		if (last && f->rule->joins && !by_time(f, last)) {
			last->count += f->count;
			last->bytes += f->bytes;
			if (f->chain && (!last->chain || iota_chain_compare(f->chain, last->chain) < 0))
				last->chain = f->chain; /* one of them, whatever the order */
		} else {
			a->findings[n++] = *f;
		}
	}
	a->n_findings = n;
}
