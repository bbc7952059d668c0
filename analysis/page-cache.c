/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page-cache.c - see page-cache.h.
 *
 * A read says how much of it was cached, and how much the kernel fetched for it, but not which
 * bytes.  The kernel reads ahead: what a read finds cached lies at its beginning, and what is
 * fetched begins behind that, or where what was fetched before ends.
 *
 * What came by mappings is told when the program ends (IOTRACE_FAULTS as well): it came with the
 * first fault there for which the file was read.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "page-cache.h"

#define PAGE 4096u /* what the kernel fetches is whole pages, of that size at least */

static uint64_t down(uint64_t at)
{
	return at - at % PAGE;
}

static uint64_t up(uint64_t at)
{
	return down(iota_sum_of_sizes(at, PAGE - 1));
}

/* The first piece that ends behind that. */
static size_t find(const struct iota_pieces_of *s, uint64_t at)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->piece[middle].end <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add(struct iota_pieces_of *s, uint64_t start, uint64_t end)
{
	size_t from, to;

	if (start >= end)
		return;
	/* with the neighbours that it touches */
	from = start ? find(s, start - 1) : 0;
	for (to = from; to < s->n && s->piece[to].start <= end; to++) {
		if (s->piece[to].start < start)
			start = s->piece[to].start;
		if (s->piece[to].end > end)
			end = s->piece[to].end;
	}
	if (from == to) {
		if (s->n == s->cap) {
			s->cap = s->cap ? 2 * s->cap : 16;
			s->piece = iota_grow(s->piece, s->cap, sizeof(*s->piece));
		}
		to = from + 1;
		memmove(s->piece + to, s->piece + from, (s->n - from) * sizeof(*s->piece));
		s->n++;
	} else {
		memmove(s->piece + from + 1, s->piece + to, (s->n - to) * sizeof(*s->piece));
		s->n -= to - from - 1;
	}
	s->piece[from] = (struct iota_piece_of){start, end};
}

/* How many of those bytes are in the pieces. */
static uint64_t common(const struct iota_pieces_of *s, uint64_t start, uint64_t end)
{
	uint64_t n = 0;

	for (size_t i = find(s, start); i < s->n && s->piece[i].start < end; i++) {
		uint64_t from = s->piece[i].start > start ? s->piece[i].start : start;

		n += (s->piece[i].end < end ? s->piece[i].end : end) - from;
	}
	return n;
}

static void append(struct iota_fetched **of, size_t *n, struct iota_fetched new)
{
	if (!(*n & (*n + 1)))
		*of = iota_grow(*of, 2 * *n + 1, sizeof(**of));
	(*of)[(*n)++] = new;
}

static void list(struct iota_page_cache *c, uint64_t start, uint64_t size, uint64_t time)
{
	struct iota_fetched *last = c->n_ranges ? &c->range[c->n_ranges - 1] : NULL;

	if (last && c->n_fetched == c->n_ranges && last->start + last->size == start) {
		last->size += size;
		return;
	}
	if (c->n_fetched++ >= IOTA_MOST_FETCHED)
		return;
	append(&c->range, &c->n_ranges, (struct iota_fetched){start, size, time});
}

/* What mappings did. */
static void add_mapped(struct iota_page_cache *c, const struct iotr_call *call)
{
	uint64_t unused, time;

	if (iota_word(call, IOTR_KIND_ACCESS) & IOTA_ACCESS_MAJOR && c->n_majors < IOTA_MOST_FETCHED)
		append(&c->major, &c->n_majors, (struct iota_fetched){call->offset, call->size, call->start});
	if (iota_value(call, IOTR_KIND_FOUND) && !c->mapped) {
		c->mapped = true;
		c->looked = call->start;
	}
	if (!iota_param(call, IOTR_KIND_UNUSED, &unused))
		return;
	time = c->looked;
	for (size_t i = 0; i < c->n_majors; i++) {
		if (c->major[i].start - call->offset >= call->size)
			continue;
		time = c->major[i].time;
		break;
	}
	list(c, call->offset, call->size, time);
}

/* Where what was fetched begins. */
static uint64_t place(const struct iota_page_cache *c, const struct iotr_call *call, uint64_t missing)
{
	uint64_t end = call->offset + (uint64_t)call->ret;
	size_t i = find(&c->there, call->offset);

	if (call->cached < (uint64_t)call->ret)
		return missing;
	/* read-ahead that was set off by a page which was there */
	if (i < c->there.n && c->there.piece[i].start <= call->offset)
		return c->there.piece[i].end;
	return up(end);
}

void iota_page_cache_add(struct iota_page_cache *c, const struct iotr_call *call)
{
	uint64_t fetched = call->has & IOTR_HAS_FETCHED ? call->fetched : 0, missing, end, start;

	c->fetched += fetched;
	c->dirtied += call->has & IOTR_HAS_DIRTIED ? call->dirtied : 0;
	add_mapped(c, call);
	if (!(call->has & IOTR_HAS_CACHED) || call->ret <= 0)
		return;
	c->reads++;
	c->asked += (uint64_t)call->ret;
	c->cached += call->cached;
	if (!(call->has & IOTR_HAS_OFFSET))
		return;
	end = iota_sum_of_sizes(call->offset, (uint64_t)call->ret);
	missing = down(iota_sum_of_sizes(call->offset, call->cached));
	if (call->cached < (uint64_t)call->ret)
		c->again += common(&c->there, missing, end);
	if (fetched) {
		start = place(c, call, missing);
		list(c, start, fetched, call->start);
		add(&c->there, start, iota_sum_of_sizes(start, up(fetched)));
	}
	add(&c->read, down(call->offset), up(end));
	add(&c->there, down(call->offset), up(end));
}

static int by_time(const void *a, const void *b)
{
	const struct iota_fetched *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

void iota_page_cache_end(struct iota_page_cache *c)
{
	if (c->mapped)
		qsort(c->range, c->n_ranges, sizeof(*c->range), by_time);
	c->unused = 0;
	for (size_t i = 0; i < c->there.n; i++) {
		const struct iota_piece_of *p = &c->there.piece[i];

		c->unused += p->end - p->start - common(&c->read, p->start, p->end);
	}
}

void iota_page_cache_free(struct iota_page_cache *c)
{
	free(c->range);
	free(c->major);
	free(c->read.piece);
	free(c->there.piece);
}
