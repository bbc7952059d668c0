/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intervals.c - ranges of bytes, and whose they are.
 *
 * A byte belongs to whom had it last, by the time that goes with it and not by the order in
 * which ranges come: so threads and processes can be read one after the other, and parts put
 * together.  Neighbours of the same owner and time are one.
 *
 * Intervals are sorted, and none overlaps another.  They lie in blocks, so that neither a search
 * nor a new one between others has to move far: most files have few of them, some have millions.
 */
#include "config.h"

#include <stdlib.h>

#include "internal.h"

#define MOST 64 /* intervals that a block may have */
#define ASKED 4 /* memory is asked for one block of so many */
#define AHEAD 4 /* memory is asked for so many blocks before they are needed */
#define FEW 256 /* blocks: so many fit in the processor's caches, and no range waits */
#define WAIT 8	/* ranges that may wait, for each block */

struct iota_block {
	unsigned n, cap;
	struct iota_interval at[];
};

/* The blocks of a file.  Most files have one, which needs no list. */
static struct iota_block **blocks(const struct iota_intervals *s)
{
	return s->room ? s->block : (struct iota_block **)&s->only;
}

static uint64_t *ends(const struct iota_intervals *s)
{
	return s->room ? s->end : (uint64_t *)&s->only_end;
}

static struct iota_interval *get(const struct iota_intervals *s, struct iota_interval_at p)
{
	return &blocks(s)[p.block]->at[p.at];
}

static const struct iota_interval *last_of(const struct iota_block *b)
{
	return &b->at[b->n - 1];
}

/* Is the interval at this index the block's first one that ends behind the offset? */
static bool is_first(const struct iota_block *b, unsigned at, uint64_t offset)
{
	return at < b->n && b->at[at].end > offset &&
	       (at ? b->at[at - 1].end : b->at[0].start) <= offset;
}

/* Notes where a block ends, whenever its last interval has changed.  The ends lie side by side: a search
   among a hundred thousand blocks that looked into them waited for memory at each step. */
static void note_end(struct iota_intervals *s, size_t block)
{
	ends(s)[block] = last_of(blocks(s)[block])->end;
}

/* The first block that ends behind the offset; the last one if none does. */
static size_t block_of(const struct iota_intervals *s, uint64_t offset)
{
	size_t low = 0, high = s->n_blocks - 1;
	const uint64_t *end = ends(s);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (end[middle] > offset)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The index of the first interval of the block that ends behind the offset.  No branch is taken, which
   would be guessed wrong every other time. */
static unsigned at_in(const struct iota_block *b, uint64_t offset)
{
	unsigned low = 0, n = b->n;

	while (n) {
		unsigned half = (n + 1) / 2;

		low += b->at[low + half - 1].end <= offset ? half : 0;
		n -= half;
	}
	return low;
}

/* The first interval that ends behind the offset, or the end of the last block.  Often the interval is
   the one that was found last, or the next one. */
static struct iota_interval_at find(struct iota_intervals *s, uint64_t offset)
{
	struct iota_interval_at p = s->found;
	const struct iota_block *b;

	if (p.block < s->n_blocks) {
		b = blocks(s)[p.block];
		if (is_first(b, p.at, offset))
			return p;
		if (is_first(b, ++s->found.at, offset))
			return s->found;
	}
	p = (struct iota_interval_at){0, 0};
	if (!s->n_blocks)
		return p;
	p.block = block_of(s, offset);
	p.at = at_in(blocks(s)[p.block], offset);
	return s->found = p;
}

static bool is_end(const struct iota_intervals *s, struct iota_interval_at p)
{
	return !s->n_blocks || p.at == blocks(s)[p.block]->n;
}

/* Steps to the interval before.  false: there is none. */
static bool step_back(const struct iota_intervals *s, struct iota_interval_at *p)
{
	if (p->at)
		p->at--;
	else if (p->block)
		*p = (struct iota_interval_at){p->block - 1, blocks(s)[p->block - 1]->n - 1};
	else
		return false;
	return true;
}

static void make_room(struct iota_intervals *s)
{
	struct iota_block **block =
		iota_grow(s->room ? s->block : NULL, 2 * s->n_blocks, sizeof(struct iota_block *));
	uint64_t *end = iota_grow(s->room ? s->end : NULL, 2 * s->n_blocks, sizeof(*end));

	if (!s->room) {
		block[0] = s->only;
		end[0] = s->only_end;
	}
	s->block = block;
	s->end = end;
	s->room = 2 * s->n_blocks;
}

static void add_block(struct iota_intervals *s, size_t at, unsigned cap)
{
	struct iota_block *b = iota_malloc(sizeof(*b) + cap * sizeof(b->at[0])), **block;
	uint64_t *end;

	b->n = 0;
	b->cap = cap;
	if (s->n_blocks && s->n_blocks >= s->room)
		make_room(s);
	block = blocks(s);
	end = ends(s);
	memmove(block + at + 1, block + at, (s->n_blocks - at) * sizeof(struct iota_block *));
	memmove(end + at + 1, end + at, (s->n_blocks - at) * sizeof(*end));
	block[at] = b;
	s->n_blocks++;
}

/* Splits a full block.  If the new interval is the very last one, more will often follow it: then the
   full block stays full. */
static void split(struct iota_intervals *s, struct iota_interval_at *p)
{
	unsigned keep = p->at == MOST ? MOST : MOST / 2;
	struct iota_block *from = blocks(s)[p->block], *to;

	add_block(s, p->block + 1, MOST);
	to = blocks(s)[p->block + 1];
	to->n = MOST - keep;
	memcpy(to->at, from->at + keep, to->n * sizeof(to->at[0]));
	from->n = keep;
	note_end(s, p->block);
	if (to->n)
		note_end(s, p->block + 1);
	if (p->at >= keep)
		*p = (struct iota_interval_at){p->block + 1, p->at - keep};
}

static void insert(struct iota_intervals *s, struct iota_interval_at p, struct iota_interval new)
{
	struct iota_block *b;

	if (!s->n_blocks)
		add_block(s, 0, 1);
	else if (blocks(s)[p.block]->n == MOST)
		split(s, &p);
	b = blocks(s)[p.block];
	if (b->n == b->cap) {
		b->cap *= 2;
		b = blocks(s)[p.block] = iota_grow(b, 1, sizeof(*b) + b->cap * sizeof(b->at[0]));
	}
	memmove(&b->at[p.at + 1], &b->at[p.at], (b->n - p.at) * sizeof(b->at[0]));
	b->at[p.at] = new;
	b->n++;
	s->n++;
	note_end(s, p.block);
}

static void drop(struct iota_intervals *s, struct iota_interval_at p)
{
	struct iota_block *b = blocks(s)[p.block];

	s->n--;
	b->n--;
	memmove(&b->at[p.at], &b->at[p.at + 1], (b->n - p.at) * sizeof(b->at[0]));
	if (b->n) {
		note_end(s, p.block);
		return;
	}
	free(b);
	s->n_blocks--;
	memmove(blocks(s) + p.block, blocks(s) + p.block + 1,
		(s->n_blocks - p.block) * sizeof(struct iota_block *));
	memmove(ends(s) + p.block, ends(s) + p.block + 1,
		(s->n_blocks - p.block) * sizeof(*s->end));
}

/* Adds an interval of whose bytes nobody has any. */
static void put(struct iota_intervals *s, struct iota_interval new)
{
	struct iota_interval_at p = find(s, new.start), before = p;
	struct iota_interval *left = step_back(s, &before) ? get(s, before) : NULL;
	struct iota_interval *right = is_end(s, p) ? NULL : get(s, p);

	s->bytes += new.end - new.start;
	if (left && (left->end != new.start || !iota_interval_same(left, &new)))
		left = NULL;
	if (right && (right->start != new.end || !iota_interval_same(right, &new)))
		right = NULL;
	if (left) {
		left->end = right ? right->end : new.end;
		note_end(s, before.block);
		if (right)
			drop(s, p);
	} else if (right) {
		right->start = new.start;
	} else {
		insert(s, p, new);
	}
}

/* Gives the bytes of new to new.  What the older interval has before and behind it stays the older
   one's. */
static void replace(struct iota_intervals *s, struct iota_interval_at p, struct iota_interval new)
{
	struct iota_interval old = *get(s, p), before = old, behind = old;

	before.end = new.start;
	behind.start = new.end;
	drop(s, p);
	s->bytes -= old.end - old.start;
	if (before.start < before.end)
		put(s, before);
	if (behind.start < behind.end)
		put(s, behind);
	put(s, new);
}

static bool is_later(const struct iota_interval *i, const struct iota_interval *new)
{
	return i->time > new->time || (i->time == new->time && i->owner >= new->owner);
}

static void set(struct iota_intervals *s, struct iota_interval new)
{
	while (new.start < new.end) {
		struct iota_interval_at p = find(s, new.start);
		const struct iota_interval *i = is_end(s, p) ? NULL : get(s, p);
		struct iota_interval part = new;

		if (!i || i->start >= new.end) {
			put(s, new);
			return;
		}
		if (i->start > new.start) {
			part.end = i->start;
			put(s, part);
		} else {
			part.end = i->end < new.end ? i->end : new.end;
			if (!is_later(i, &new))
				replace(s, p, part);
		}
		new.start = part.end;
	}
}

/* ---- many at random places ---- */

/* In a file of millions of intervals, each search for a place would wait for memory.  So new ranges are
   kept until there are several for each block.  Then they are sorted and put in the order of their
   places, so that each block is needed once, and can be asked for in time. */

/* Sorts by the start, byte by byte, its last one first.  Both arrays have n places; the result is in the
   first. */
static void sort(struct iota_interval *from, struct iota_interval *to, size_t n)
{
	struct iota_interval *result = from;
	size_t at[8][256] = {{0}}, i;
	unsigned byte, value;

	for (i = 0; i < n; i++)
		for (byte = 0; byte < 8; byte++)
			at[byte][from[i].start >> 8 * byte & 255]++;
	for (byte = 0; byte < 8; byte++) {
		struct iota_interval *sorted = to;
		size_t sum = 0;

		if (at[byte][from[0].start >> 8 * byte & 255] == n) /* all have the same byte there */
			continue;
		for (value = 0; value < 256; value++) {
			sum += at[byte][value];
			at[byte][value] = sum - at[byte][value];
		}
		for (i = 0; i < n; i++)
			to[at[byte][from[i].start >> 8 * byte & 255]++] = from[i];
		to = from;
		from = sorted;
	}
	if (from != result)
		memcpy(result, from, n * sizeof(*from));
}

static void fetch(const struct iota_intervals *s, size_t block)
{
	const struct iota_block *b;
	unsigned i;

	if (block >= s->n_blocks)
		return;
	b = blocks(s)[block];
	for (i = 0; i < MOST; i += ASKED)
		__builtin_prefetch(&b->at[i]);
}

void iota_intervals_settle(struct iota_intervals *s)
{
	struct iota_interval *room;
	size_t i;

	if (!s->n_waiting)
		return;
	room = iota_malloc(s->n_waiting * sizeof(*room));
	sort(s->waiting, room, s->n_waiting);
	free(room);
	for (i = 0; i < s->n_waiting; i++) {
		size_t block = s->found.block;

		set(s, s->waiting[i]);
		if (s->found.block != block)
			fetch(s, s->found.block + AHEAD);
	}
	s->n_waiting = 0;
}

/* Is the offset in the block that was looked at last? */
static bool is_near(const struct iota_intervals *s, uint64_t offset)
{
	size_t block = s->found.block;

	return block < s->n_blocks && offset < ends(s)[block] &&
	       (!block || ends(s)[block - 1] <= offset);
}

void iota_intervals_set(struct iota_intervals *s, struct iota_interval new)
{
	if (s->n_blocks < FEW || is_near(s, new.start)) {
		set(s, new);
		return;
	}
	if (s->n_waiting >= WAIT * s->n_blocks)
		iota_intervals_settle(s);
	if (s->n_waiting == s->room_waiting) {
		s->room_waiting = WAIT * s->n_blocks;
		s->waiting = iota_grow(s->waiting, s->room_waiting, sizeof(*s->waiting));
	}
	s->waiting[s->n_waiting++] = new;
}

/* ---- all of them ---- */

void iota_intervals_free(const struct iota_intervals *s)
{
	size_t i;

	for (i = 0; i < s->n_blocks; i++)
		free(blocks(s)[i]);
	if (s->room) {
		free(s->block);
		free(s->end);
	}
	free(s->waiting);
}

void iota_intervals_each(const struct iota_intervals *s, iota_interval_fn *fn, void *arg)
{
	size_t i;
	unsigned j;

	for (i = 0; i < s->n_blocks; i++)
		for (j = 0; j < blocks(s)[i]->n; j++)
			fn(arg, &blocks(s)[i]->at[j]);
}
