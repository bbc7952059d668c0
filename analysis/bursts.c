/* SPDX-License-Identifier: BSD-3-Clause */
/* bursts.c - what the sums by time come to: rows, and bursts of bytes with pauses between. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "slices.h"

/* ---- rows ---- */

static uint64_t ns(double share, uint64_t width)
{
	return share > 0 ? (uint64_t)(share * (double)width + 0.5) : 0;
}

static void add_to(struct iota_when_row *row, const struct iota_slice *slice, uint64_t width)
{
	double none_works = iota_slice_share(slice->no_work);
	uint64_t depth = (uint64_t)((double)slice->io * 100 / (double)width + 0.5);

	row->calls += slice->calls;
	row->read += slice->bytes[0];
	row->written += slice->bytes[1];
	row->fetched += slice->device[0];
	row->dirtied += slice->device[1];
	row->io += slice->io;
	row->waiting += slice->waiting;
	row->lived += slice->lived;
	row->busy += ns(1 - iota_slice_share(slice->no_io), width);
	row->exposed += ns(none_works - iota_slice_share(slice->neither), width);
	row->deepest = depth > row->deepest ? depth : row->deepest;
}

static void make_rows(struct iota *a)
{
	const struct iota_table *ranks = &a->table[IOTA_BY_RANK];
	struct iota_slices *s = a->slices;
	size_t n = s->n / s->per_row, i, j;

	s->rows = iota_alloc(&a->memory, n * sizeof(*s->rows));
	for (i = 0; i < s->n; i++) {
		add_to(&s->rows[i / s->per_row], &s->slice[i], s->width);
		add_to(&s->when.total, &s->slice[i], s->width);
	}
	for (i = 0; i < n; i++) {
		s->rows[i].start = s->begin + i * s->per_row * s->width;
		s->rows[i].threads = s->threads[i];
		for (j = 0; j < ranks->n; j++)
			s->rows[i].ranks += ranks->row[j]->v[IOTA_F_RANK] && ranks->row[j]->when &&
					    ranks->row[j]->when[i];
	}
	s->when.row = s->rows;
	s->when.n = n;
}

/* ---- bursts ---- */

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* A slice with a tenth of what is usual where something moves: a few bytes between two
   checkpoints don't make one of them. */
static uint64_t least_bytes(const struct iota_slices *s, unsigned direction)
{
	uint64_t bytes = 0, slices = 0;
	size_t i;

	for (i = 0; i < s->n; i++) {
		bytes += s->slice[i].bytes[direction];
		slices += s->slice[i].bytes[direction] != 0;
	}
	return slices ? bytes / slices / 10 + 1 : 0;
}

/* Slices without: the shortest pause that parts two bursts.  Half of all time without is in
   pauses of three times as long, or longer. */
static uint64_t shortest_pause(const struct iota_slices *s, unsigned direction, uint64_t least)
{
	uint64_t *pause = iota_malloc((s->n + 1) * sizeof(*pause)), sum = 0, of = 0, result;
	size_t n = 0, i, last = SIZE_MAX;

	for (i = 0; i < s->n; i++) {
		if (s->slice[i].bytes[direction] < least)
			continue;
		if (last != SIZE_MAX && i > last + 1)
			sum += pause[n++] = i - last - 1;
		last = i;
	}
	qsort(pause, n, sizeof(*pause), by_size);
	for (i = n; i && of * 2 < sum; i--)
		of += pause[i - 1];
	result = n ? (pause[i] + 2) / 3 : 1;
	free(pause);
	return result;
}

/* Beginnings, so that their distances are known in the end. */
static void end_burst(struct iota_bursts *b, const struct iota_slices *s, uint64_t *begin,
		      size_t from, size_t to)
{
	begin[b->n++] = s->begin + from * s->width;
	b->length += (to - from) * s->width;
	b->last = s->begin + to * s->width;
}

static void find_period(struct iota_bursts *b, const uint64_t *begin)
{
	double mean, squares = 0;
	size_t i;

	b->first = begin[0];
	if (b->n < 2)
		return;
	b->period = (begin[b->n - 1] - begin[0]) / (b->n - 1);
	mean = (double)b->period;
	for (i = 1; i < b->n; i++) {
		double off = (double)(begin[i] - begin[i - 1]) - mean;

		squares += off * off;
	}
	b->spread = mean > 0 ? sqrt(squares / (double)(b->n - 1)) / mean : 0;
}

/* Bursts of bytes that were read (0) or written (1). */
static struct iota_bursts find(const struct iota_slices *s, unsigned direction)
{
	uint64_t least = least_bytes(s, direction), pause, *begin;
	struct iota_bursts b = {0};
	size_t i, from = SIZE_MAX, to = 0;

	if (!least)
		return b;
	pause = shortest_pause(s, direction, least);
	begin = iota_malloc(s->n * sizeof(*begin));
	for (i = 0; i < s->n; i++) {
		b.bytes += s->slice[i].bytes[direction];
		if (s->slice[i].bytes[direction] < least)
			continue;
		if (from != SIZE_MAX && i - to >= pause && i > to) {
			end_burst(&b, s, begin, from, to);
			from = i;
		}
		from = from == SIZE_MAX ? i : from;
		to = i + 1;
	}
	end_burst(&b, s, begin, from, to);
	find_period(&b, begin);
	free(begin);
	return b;
}

bool iota_bursts_stand_out(const struct iota_bursts *b)
{
	return b->n >= 3 && b->bytes / b->n >= 65536 && b->spread < 0.25 &&
	       b->length / b->n * 2 < b->period;
}

const struct iota_when *iota_when(struct iota *a)
{
	static const struct iota_when none;
	struct iota_slices *s = a->slices;

	if (!s)
		return &none;
	if (s->rows)
		return &s->when;
	s->when.interval = s->width * s->per_row;
	s->when.slice = s->width;
	make_rows(a);
	s->when.bursts[0] = find(s, 0);
	s->when.bursts[1] = find(s, 1);
	return &s->when;
}
