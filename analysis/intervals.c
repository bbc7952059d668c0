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

/* The one that was found last is often the next, too. */
static struct iota_interval *find(struct iota_intervals *s, uint64_t start, uint64_t end)
{
	struct iota_interval range = {.start = start, .end = end}, **there;

	if (s->found && !by_place(&range, s->found))
		return s->found;
	there = tfind(&range, &s->tree, by_place);
	return there ? s->found = *there : NULL;
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
	if (s->found == i)
		s->found = NULL;
	free(i);
}

static bool same(const struct iota_interval *i, const struct iota_interval *new)
{
	return i && i->owner == new->owner && i->time == new->time;
}

static struct iota_interval *neighbour_before(struct iota_intervals *s, const struct iota_interval *new)
{
	struct iota_interval *i = new->start ? find(s, new->start - 1, new->start) : NULL;

	return same(i, new) ? i : NULL;
}

static struct iota_interval *neighbour_behind(struct iota_intervals *s, const struct iota_interval *new)
{
	struct iota_interval *i = new->end < UINT64_MAX ? find(s, new->end, new->end + 1) : NULL;

	return same(i, new) ? i : NULL;
}

static void join_and_add(struct iota_intervals *s, struct iota_interval new)
{
	struct iota_interval *before = neighbour_before(s, &new), *behind = neighbour_behind(s, &new);

	if (behind) {
		new.end = behind->end;
		if (before)
			take(s, behind);
	}
	/* a node that grows into nobody's bytes stays where it is in the tree */
	if (before) {
		s->bytes += new.end - before->end;
		before->end = new.end;
	} else if (behind) {
		s->bytes += behind->start - new.start;
		behind->start = new.start;
	} else {
		add(s, new);
	}
}

/* All of its bytes have another owner; false if it is to be joined with a neighbour. */
static bool set_in_place(struct iota_intervals *s, struct iota_interval *i, const struct iota_interval *new)
{
	if (i->start != new->start || i->end != new->end || neighbour_before(s, new) ||
	    neighbour_behind(s, new))
		return false;
	i->owner = new->owner;
	i->time = new->time;
	return true;
}

/* What of an older interval is new's it has no more. */
static void cut(struct iota_intervals *s, struct iota_interval *i, const struct iota_interval *new)
{
	struct iota_interval rest = *i;

	if (i->start >= new->start && i->end <= new->end) {
		take(s, i);
		return;
	}
	s->bytes -= i->end - i->start;
	if (i->start < new->start) {
		i->end = new->start;
		rest.start = new->end;
		add(s, rest); /* nothing, if it ends before */
	} else {
		i->start = new->end;
	}
	s->bytes += i->end - i->start;
}

void iota_intervals_set(struct iota_intervals *s, struct iota_interval new)
{
	struct iota_interval *i, rest;

	while (new.start < new.end && (i = find(s, new.start, new.end))) {
		if (i->time > new.time || (i->time == new.time && i->owner >= new.owner)) {
			/* what lies before it; a node has fewer below it than the tree is deep */
			rest = new;
			rest.end = i->start;
			new.start = i->end;
			iota_intervals_set(s, rest);
			continue;
		}
		if (set_in_place(s, i, &new))
			return;
		cut(s, i, &new);
	}
	if (new.start < new.end)
		join_and_add(s, new);
}

void iota_intervals_free(struct iota_intervals *s)
{
	tdestroy(s->tree, free);
	*s = (struct iota_intervals){0};
}
