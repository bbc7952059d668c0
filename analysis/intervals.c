/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intervals.c - whose the bytes of a file are.
 *
 * Intervals that do not overlap, in a tree in which those that overlap are equal: a search
 * for a range finds one that has bytes of it.  A byte belongs to whom had it last, by the time
 * that goes with it and not by the order in which ranges come: so threads and processes can
 * be read one after the other, and parts put together.  Neighbours of the same owner and time
 * are one.
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

static void add(struct iota_intervals *s, struct iota_interval new)
{
	struct iota_interval *i;

	if (new.start >= new.end)
		return;
	i = iota_malloc(sizeof(*i));
	*i = new;
	iota_tree_add(&s->tree, i, by_place);
	s->n++;
	s->bytes += new.end - new.start;
}

/* i is gone */
static void take(struct iota_intervals *s, struct iota_interval *i)
{
	tdelete(i, &s->tree, by_place);
	s->n--;
	s->bytes -= i->end - i->start;
	free(i);
}

static bool same(const struct iota_interval *i, const struct iota_interval *new)
{
	return i && i->owner == new->owner && i->time == new->time;
}

static void join_and_add(struct iota_intervals *s, struct iota_interval new)
{
	struct iota_interval *i = new.start ? find(s, new.start - 1, new.start) : NULL;

	if (same(i, &new)) {
		new.start = i->start;
		take(s, i);
	}
	i = new.end < UINT64_MAX ? find(s, new.end, new.end + 1) : NULL;
	if (same(i, &new)) {
		new.end = i->end;
		take(s, i);
	}
	add(s, new);
}

void iota_intervals_set(struct iota_intervals *s, struct iota_interval new)
{
	struct iota_interval *i, old, rest;

	while (new.start < new.end && (i = find(s, new.start, new.end))) {
		old = *i;
		if (old.time > new.time || (old.time == new.time && old.owner >= new.owner)) {
			/* what lies before it; a node has fewer below it than the tree is deep */
			rest = new;
			rest.end = old.start;
			iota_intervals_set(s, rest);
			new.start = old.end;
			continue;
		}
		take(s, i);
		rest = old;
		rest.end = new.start;
		add(s, rest);
		rest = old;
		rest.start = new.end;
		add(s, rest);
	}
	if (new.start < new.end)
		join_and_add(s, new);
}

void iota_intervals_free(struct iota_intervals *s)
{
	tdestroy(s->tree, free);
	*s = (struct iota_intervals){0};
}
