/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intervals.c - whose the bytes of a file are.
 *
 * Intervals that do not overlap, in a tree in which those that overlap are equal: a search
 * for a range finds one that has bytes of it.  Neighbours of the same owner are one.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "internal.h"

static int by_place(const void *a, const void *b)
{
	const struct iota_interval *x = a, *y = b;

	if (x->end <= y->start)
		return -1;
	return x->start >= y->end;
}

static struct iota_interval *find(const struct iota_intervals *s, uint64_t start, uint64_t end)
{
	struct iota_interval range = {.start = start, .end = end}, **there;

	there = tfind(&range, &s->tree, by_place);
	return there ? *there : NULL;
}

static void add(struct iota_intervals *s, uint64_t start, uint64_t end, uint32_t owner)
{
	struct iota_interval *i;

	if (start >= end)
		return;
	i = iota_malloc(sizeof(*i));
	*i = (struct iota_interval){.start = start, .end = end, .owner = owner};
	iota_tree_add(&s->tree, i, by_place);
	s->n++;
}

/* i is gone */
static void take(struct iota_intervals *s, struct iota_interval *i)
{
	tdelete(i, &s->tree, by_place);
	s->n--;
	free(i);
}

uint64_t iota_intervals_set(struct iota_intervals *s, uint64_t start, uint64_t end, uint32_t owner)
{
	uint64_t others = 0;
	struct iota_interval *i;

	if (start >= end)
		return 0;
	while ((i = find(s, start, end))) {
		struct iota_interval old = *i;
		uint64_t from = old.start > start ? old.start : start;
		uint64_t to = old.end < end ? old.end : end;

		if (old.owner == owner && old.start <= start && old.end >= end)
			return others;
		if (old.owner != owner)
			others += to - from;
		take(s, i);
		add(s, old.start, start, old.owner);
		add(s, end, old.end, old.owner);
	}
	i = start ? find(s, start - 1, start) : NULL;
	if (i && i->owner == owner) {
		start = i->start;
		take(s, i);
	}
	i = end < UINT64_MAX ? find(s, end, end + 1) : NULL;
	if (i && i->owner == owner) {
		end = i->end;
		take(s, i);
	}
	add(s, start, end, owner);
	return others;
}

void iota_intervals_free(struct iota_intervals *s)
{
	tdestroy(s->tree, free);
	*s = (struct iota_intervals){0};
}
