/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.c - what happened to which bytes of a file, byte ranges with the same history being
 * one piece.
 *
 * Pieces do not overlap.  They are a tree by their place, kept in balance by random weights (a
 * treap): a range is cut out of it, changed, and put back.
 */
#include "config.h"

#include <stdlib.h>

#include "constellation.h"

#define NONE UINT32_MAX

static uint32_t new_piece(struct iota_pieces *s, uint64_t start, uint64_t end)
{
	uint32_t at = s->free;

	if (s->n && at != NONE) {
		s->free = s->p[at].left;
	} else {
		if (!s->n) {
			s->free = s->free_reader = NONE;
			s->seed = 1;
		}
		IOTA_ROOM(s->p, s->n, s->cap);
		at = (uint32_t)s->n++;
	}
	/* xorshift */
	s->seed ^= s->seed << 13;
	s->seed ^= s->seed >> 17;
	s->seed ^= s->seed << 5;
	s->p[at] = (struct iota_piece){.start = start,
				       .end = end,
				       .writer = IOTA_NO_RUN,
				       .readers = NONE,
				       .left = NONE,
				       .right = NONE,
				       .weight = s->seed};
	return at;
}

void iota_pieces_reader(struct iota_pieces *s, struct iota_piece *piece, uint32_t run)
{
	uint32_t at = s->free_reader;

	if (at != NONE) {
		s->free_reader = s->reader[at].next;
	} else {
		IOTA_ROOM(s->reader, s->n_readers, s->cap_readers);
		at = (uint32_t)s->n_readers++;
	}
	s->reader[at] = (struct iota_reader){.run = run, .next = piece->readers};
	piece->readers = at;
}

void iota_pieces_forget_reader(struct iota_pieces *s, uint32_t *at)
{
	uint32_t gone = *at;

	*at = s->reader[gone].next;
	s->reader[gone].next = s->free_reader;
	s->free_reader = gone;
}

static uint32_t join(struct iota_pieces *s, uint32_t x, uint32_t y)
{
	if (x == NONE || y == NONE)
		return x == NONE ? y : x;
	if (s->p[x].weight >= s->p[y].weight) {
		s->p[x].right = join(s, s->p[x].right, y);
		return x;
	}
	s->p[y].left = join(s, x, s->p[y].left);
	return y;
}

/* All that lies before a place, and all that begins there or further on. */
static void split(struct iota_pieces *s, uint32_t root, uint64_t place, uint32_t *before,
		  uint32_t *behind)
{
	uint32_t rest, r;

	if (root == NONE) {
		*before = *behind = NONE;
		return;
	}
	if (s->p[root].start >= place) {
		split(s, s->p[root].left, place, before, &rest);
		s->p[root].left = rest;
		*behind = root;
		return;
	}
	split(s, s->p[root].right, place, &rest, behind);
	s->p[root].right = rest;
	*before = root;
	if (s->p[root].end <= place)
		return;
	/* it is the last one before, and becomes two */
	rest = new_piece(s, place, s->p[root].end);
	s->p[root].end = place;
	s->p[rest].writer = s->p[root].writer;
	for (r = s->p[root].readers; r != NONE; r = s->reader[r].next)
		iota_pieces_reader(s, &s->p[rest], s->reader[r].run);
	*behind = join(s, rest, *behind);
}

static void visit(struct iota_pieces *s, uint32_t at, iota_piece_fn *fn, void *arg)
{
	uint32_t right;

	if (at == NONE)
		return;
	visit(s, s->p[at].left, fn, arg);
	right = s->p[at].right;
	fn(arg, &s->p[at]);
	visit(s, right, fn, arg);
}

/* The tree with a piece of nobody's in each gap; from: where it may begin. */
static uint32_t fill(struct iota_pieces *s, uint32_t at, uint64_t *from)
{
	uint32_t left, right, gap = NONE;

	if (at == NONE)
		return NONE;
	left = fill(s, s->p[at].left, from);
	if (*from < s->p[at].start)
		gap = new_piece(s, *from, s->p[at].start);
	*from = s->p[at].end;
	right = fill(s, s->p[at].right, from);
	s->p[at].left = s->p[at].right = NONE;
	return join(s, join(s, join(s, left, gap), at), right);
}

static void forget(struct iota_pieces *s, uint32_t at)
{
	if (at == NONE)
		return;
	forget(s, s->p[at].left);
	forget(s, s->p[at].right);
	while (s->p[at].readers != NONE)
		iota_pieces_forget_reader(s, &s->p[at].readers);
	s->p[at].left = s->free;
	s->free = at;
}

void iota_pieces_visit(struct iota_pieces *s, uint32_t *root, uint64_t start, uint64_t end,
		       bool one, uint32_t writer, iota_piece_fn *fn, void *arg)
{
	uint32_t before, range, behind, new;
	uint64_t from = start;

	split(s, *root, start, &before, &range);
	split(s, range, end, &range, &behind);
	range = fill(s, range, &from);
	if (from < end) {
		new = new_piece(s, from, end);
		range = join(s, range, new);
	}
	visit(s, range, fn, arg);
	if (one) {
		forget(s, range);
		range = new_piece(s, start, end);
		s->p[range].writer = writer;
	}
	*root = join(s, join(s, before, range), behind);
}

void iota_pieces_free(struct iota_pieces *s)
{
	free(s->p);
	free(s->reader);
	*s = (struct iota_pieces){0};
}
