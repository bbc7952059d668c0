/* SPDX-License-Identifier: BSD-3-Clause */
/* unlisted.c - files that are not among the listed ones, but that calls are on that are drawn. */
#include "config.h"

#include <stdlib.h>

#include "draw.h"

static int by_file(const void *a, const void *b)
{
	const struct iota_unlisted *x = a, *y = b;

	return x->file < y->file ? -1 : x->file > y->file;
}

static void add(struct iota_picture *p, size_t file)
{
	if (file == SIZE_MAX || file < p->o.listed)
		return;
	p->unlisted = iota_grow(p->unlisted, p->n_unlisted + 1, sizeof(*p->unlisted));
	p->unlisted[p->n_unlisted++] = (struct iota_unlisted){file, NULL};
}

void iota_unlisted_find(struct iota_picture *p)
{
	size_t i, n = 0;

	for (i = 0; i < p->n_calls; i++)
		add(p, p->call[i].file);
	for (i = 0; i < p->arcs.n; i++)
		add(p, p->arcs.arc[i].file);
	for (i = 0; i < p->meets.n; i++)
		add(p, p->meets.meeting[i].file);
	if (p->n_unlisted)
		qsort(p->unlisted, p->n_unlisted, sizeof(*p->unlisted), by_file);
	for (i = 0; i < p->n_unlisted; i++)
		if (!n || p->unlisted[n - 1].file != p->unlisted[i].file)
			p->unlisted[n++] = p->unlisted[i];
	p->n_unlisted = n;
}

void iota_unlisted_end(struct iota_picture *p)
{
	const struct iota_table *t = iota_table(p->a, IOTA_BY_FILE);
	size_t i;

	iota_unlisted_find(p);
	for (i = 0; i < p->n_unlisted; i++)
		p->unlisted[i].path = t->row[p->unlisted[i].file]->name;
}
