/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.c - what happened to which bytes of a file, byte ranges with the same history being
 * one piece.
 *
 * Pieces do not overlap.  They lie in a tree in the order of their places, many to a node, so
 * that few of a large tree's nodes are fetched from memory to find one.  An inner node has the
 * start of the first piece beneath each of its children.
 */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "constellation.h"

#define NONE UINT32_MAX
#define MOST 64		 /* pieces or children of a node */
#define FEW 4		 /* pieces that the node of a small file has room for */
#define MOST_LEVELS 16	 /* each level multiplies by half of MOST, at least, when it grows */

struct iota_piece_node {
	unsigned level; /* 0: it has pieces */
	unsigned n, cap;
	union {
		struct iota_piece piece[MOST];
		struct {
			uint64_t start[MOST];
			struct iota_piece_node *child[MOST];
		};
	};
};

/* A place in the tree: by level, the node, and which of its pieces or children. */
struct cursor {
	struct iota_piece_node *node[MOST_LEVELS];
	unsigned i[MOST_LEVELS];
	struct iota_piece_node **root;
};

void iota_readers_add(struct iota_readers *readers, struct iota_piece *piece, uint32_t run)
{
	uint32_t at = readers->free;

	if (at != NONE) {
		readers->free = readers->cell[at].next;
	} else {
		IOTA_ROOM(readers->cell, readers->n, readers->cap);
		at = (uint32_t)readers->n++;
	}
	readers->cell[at] = (struct iota_reader){.run = run, .next = piece->readers};
	piece->readers = at;
}

void iota_readers_remove(struct iota_readers *readers, uint32_t *at)
{
	uint32_t gone = *at;

	*at = readers->cell[gone].next;
	readers->cell[gone].next = readers->free;
	readers->free = gone;
}

/* ---- the tree ---- */

static struct iota_piece_node *new_node(struct iota_piece_node *old, unsigned level, unsigned cap)
{
	struct iota_piece_node *node;
	size_t size = level ? sizeof(node->start) + sizeof(node->child) : cap * sizeof(node->piece[0]);

	node = iota_grow(old, 1, offsetof(struct iota_piece_node, piece) + size);
	if (!old)
		node->n = 0;
	node->level = level;
	node->cap = cap;
	return node;
}

static unsigned root_level(const struct cursor *c)
{
	return (*c->root)->level;
}

/* How many of them begin there or before. */
static unsigned begun(const struct iota_piece_node *node, uint64_t place)
{
	unsigned low = 0, high = node->n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if ((node->level ? node->start[middle] : node->piece[middle].start) <= place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first piece that ends behind a place. */
static void find(struct cursor *c, uint64_t place)
{
	struct iota_piece_node *node = *c->root;
	unsigned i;

	for (; node->level; node = node->child[i]) {
		i = begun(node, place);
		i -= i > 0;
		c->node[node->level] = node;
		c->i[node->level] = i;
	}
	i = begun(node, place);
	c->node[0] = node;
	c->i[0] = i && node->piece[i - 1].end > place ? i - 1 : i;
}

/* The piece there; NULL: there is none any more. */
static struct iota_piece *here(struct cursor *c)
{
	unsigned level = 0, top = root_level(c);

	if (c->i[0] < c->node[0]->n)
		return &c->node[0]->piece[c->i[0]];
	while (++level <= top && c->i[level] + 1 >= c->node[level]->n)
		;
	if (level > top)
		return NULL;
	c->i[level]++;
	while (level--) {
		c->node[level] = c->node[level + 1]->child[c->i[level + 1]];
		c->i[level] = 0;
	}
	return c->node[0]->piece;
}

/* The first of a node on that level begins elsewhere now. */
static void first_moved(struct cursor *c, unsigned level)
{
	const struct iota_piece_node *node = c->node[level];
	uint64_t start = level ? node->start[0] : node->piece[0].start;

	while (level++ < root_level(c)) {
		c->node[level]->start[c->i[level]] = start;
		if (c->i[level])
			return;
	}
}

/* Makes room for n more in front of the i-th, or closes up (n < 0). */
static void shift(struct iota_piece_node *node, unsigned i, int n)
{
	size_t rest = node->n - i;

	if (node->level) {
		memmove(node->start + i + n, node->start + i, rest * sizeof(node->start[0]));
		memmove(node->child + i + n, node->child + i, rest * sizeof(node->child[0]));
	} else {
		memmove(node->piece + i + n, node->piece + i, rest * sizeof(node->piece[0]));
	}
	node->n += (unsigned)n;
}

static void make_room(struct cursor *c, unsigned level);

/* The node on that level, which is full, gives its upper half to a new one.  Where things are
   put at the end of it, as when a file is written from front to back, it stays full. */
static void halve(struct cursor *c, unsigned level)
{
	struct iota_piece_node *node = c->node[level], *new = new_node(NULL, level, MOST), *up;
	unsigned keep = c->i[level] == node->n ? node->n - 1 : node->n / 2;

	if (level == root_level(c)) {
		up = new_node(NULL, level + 1, MOST);
		up->n = 1;
		up->start[0] = level ? node->start[0] : node->piece[0].start;
		up->child[0] = node;
		*c->root = c->node[level + 1] = up;
		c->i[level + 1] = 0;
	}
	make_room(c, level + 1);
	up = c->node[level + 1];
	new->n = node->n - keep;
	if (level) {
		memcpy(new->start, node->start + keep, new->n * sizeof(new->start[0]));
		memcpy(new->child, node->child + keep, new->n * sizeof(new->child[0]));
	} else {
		memcpy(new->piece, node->piece + keep, new->n * sizeof(new->piece[0]));
	}
	node->n = keep;
	shift(up, c->i[level + 1] + 1, 1);
	up->start[c->i[level + 1] + 1] = level ? new->start[0] : new->piece[0].start;
	up->child[c->i[level + 1] + 1] = new;
	if (c->i[level] < keep)
		return;
	c->i[level + 1]++;
	c->node[level] = new;
	c->i[level] -= keep;
}

static void make_room(struct cursor *c, unsigned level)
{
	struct iota_piece_node *node = c->node[level];

	if (node->n < node->cap)
		return;
	if (node->cap < MOST)
		*c->root = c->node[0] = new_node(node, 0, 2 * node->cap);
	else
		halve(c, level);
}

/* In front of what is there; it is what is there then. */
static struct iota_piece *insert(struct cursor *c, uint64_t start, uint64_t end, uint32_t writer)
{
	struct iota_piece *new;

	make_room(c, 0);
	shift(c->node[0], c->i[0], 1);
	new = &c->node[0]->piece[c->i[0]];
	*new = (struct iota_piece){.start = start, .end = end, .writer = writer, .readers = NONE};
	if (!c->i[0])
		first_moved(c, 0);
	return new;
}

/* What is there goes; what comes next is there then, or the end of the node. */
static void erase(struct iota_readers *readers, struct cursor *c)
{
	struct iota_piece *gone = &c->node[0]->piece[c->i[0]];
	unsigned level = 0, top = root_level(c);

	while (gone->readers != NONE)
		iota_readers_remove(readers, &gone->readers);
	shift(c->node[0], c->i[0] + 1, -1);
	while (level < top && !c->node[level]->n) {
		free(c->node[level++]);
		shift(c->node[level], c->i[level] + 1, -1);
	}
	if (!c->node[level]->n) { /* the last one of all */
		free(c->node[level]);
		*c->root = c->node[0] = new_node(NULL, 0, FEW);
		c->i[0] = 0;
		return;
	}
	if (!c->i[level])
		first_moved(c, level);
	if (!level)
		return;
	/* down to what comes next, or behind the last one */
	if (c->i[level] < c->node[level]->n) {
		while (level--) {
			c->node[level] = c->node[level + 1]->child[c->i[level + 1]];
			c->i[level] = 0;
		}
		return;
	}
	c->i[level]--;
	while (level--) {
		c->node[level] = c->node[level + 1]->child[c->i[level + 1]];
		c->i[level] = c->node[level]->n - (level > 0);
	}
}

/* What is there becomes two; the second one is there then. */
static struct iota_piece *cut(struct iota_readers *readers, struct cursor *c, uint64_t place)
{
	struct iota_piece *first = &c->node[0]->piece[c->i[0]], *second;
	uint32_t r = first->readers, writer = first->writer;
	uint64_t end = first->end;

	first->end = place;
	c->i[0]++;
	second = insert(c, place, end, writer);
	for (; r != NONE; r = readers->cell[r].next)
		iota_readers_add(readers, second, readers->cell[r].run);
	return second;
}

/* ---- ranges ---- */

void iota_pieces_read(struct iota_readers *readers, struct iota_piece_node **root, uint64_t start,
		      uint64_t end, iota_piece_fn *fn, void *arg)
{
	struct cursor c = {.root = root};
	struct iota_piece *p;

	if (!*root)
		*root = new_node(NULL, 0, FEW);
	for (find(&c, start); start < end; start = p->end, c.i[0]++) {
		p = here(&c);
		if (!p || p->start > start)
			p = insert(&c, start, p && p->start < end ? p->start : end, IOTA_NO_RUN);
		else if (p->start < start)
			p = cut(readers, &c, start);
		if (p->end > end) {
			cut(readers, &c, end);
			find(&c, start);
			p = here(&c);
		}
		fn(arg, p);
	}
}

void iota_pieces_write(struct iota_readers *readers, struct iota_piece_node **root, uint64_t start,
		       uint64_t end, uint32_t writer, iota_piece_fn *fn, void *arg)
{
	struct cursor c = {.root = root};
	struct iota_piece *p;

	if (!*root)
		*root = new_node(NULL, 0, FEW);
	find(&c, start);
	p = here(&c);
	if (p && p->start < start)
		cut(readers, &c, start);
	while ((p = here(&c)) && p->start < end) {
		if (p->end > end) {
			uint64_t at = p->start;

			cut(readers, &c, end); /* pieces may move */
			find(&c, at);
			p = here(&c);
		}
		fn(arg, p);
		erase(readers, &c);
	}
	insert(&c, start, end, writer);
}

void iota_pieces_free(struct iota_piece_node *root)
{
	unsigned i;

	for (i = 0; root && root->level && i < root->n; i++)
		iota_pieces_free(root->child[i]);
	free(root);
}
