/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * when.c - sums by intervals of time.
 *
 * Calls come thread by thread, so nobody knows at once what the threads did at a moment.  A
 * slice knows for how long each thread was in I/O and for how long it computed; within the
 * slice, threads are taken to do so independently of each other.  What follows is exact
 * where one thread is alone, and where what threads do lasts longer than a slice.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "slices.h"

#define MOST_SLICES 4000
#define MOST_ROWS 10000
#define FEW_ROWS 40 /* at most, where nobody has said how long an interval is */
#define SECOND 1000000000ull
#define BLOCK 512 /* bytes: getrusage(2) counts these */
#define ONE ((double)(1 << 20)) /* of fixed-point logarithms */

/* ---- the grid ---- */

static uint64_t round_interval(uint64_t span)
{
	static const unsigned of_ten[] = {1, 2, 5};
	static const unsigned of_time[] = {60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200};
	uint64_t unit, days;
	size_t i;

	for (unit = 1000; unit <= 10 * SECOND; unit *= 10)
		for (i = 0; i < 3 && of_ten[i] * unit <= 30 * SECOND; i++)
			if (span <= FEW_ROWS * of_ten[i] * unit)
				return of_ten[i] * unit;
	for (i = 0; i < sizeof(of_time) / sizeof(of_time[0]); i++)
		if (span <= FEW_ROWS * of_time[i] * SECOND)
			return of_time[i] * SECOND;
	for (days = 1; span / days > FEW_ROWS * 86400 * SECOND; days *= 2)
		;
	return days * 86400 * SECOND;
}

/* Makes several intervals one, so that not too many remain. */
static uint64_t coarsen(uint64_t interval, uint64_t span)
{
	uint64_t times = span / MOST_ROWS / interval + 1, unit;

	for (unit = 1; unit * 10 <= times; unit *= 10)
		;
	if (times <= unit)
		return unit * interval;
	return (times <= 2 * unit ? 2 : times <= 5 * unit ? 5 : 10) * unit * interval;
}

static size_t slices_of_row(uint64_t interval, size_t rows)
{
	static const unsigned parts[] = {100, 50, 20, 10, 5, 4, 2};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (rows * parts[i] <= MOST_SLICES && interval % parts[i] == 0)
			return parts[i];
	return 1;
}

uint64_t iota_when_begin(struct iota *a, uint64_t begin, uint64_t end, uint64_t interval)
{
	struct iota_slices *s = iota_alloc(&a->memory, sizeof(*s));
	uint64_t span = end > begin ? end - begin : 1;
	size_t rows;

	interval = interval ? coarsen(interval, span) : round_interval(span);
	rows = (size_t)((span - 1) / interval + 1);
	s->begin = begin;
	s->per_row = slices_of_row(interval, rows);
	s->width = interval / s->per_row;
	s->n = rows * s->per_row;
	s->slice = iota_alloc(&a->memory, s->n * sizeof(*s->slice));
	s->threads = iota_alloc(&a->memory, rows * sizeof(*s->threads));
	s->io = iota_alloc(&a->memory, s->n * sizeof(*s->io));
	s->waiting = iota_alloc(&a->memory, s->n * sizeof(*s->waiting));
	s->low = s->n;
	a->slices = s;
	return interval;
}

/* Clocks may be a little off: a moment before the first slice, or behind the last, belongs to that one. */
static size_t slice_at(struct iota_slices *s, uint64_t moment)
{
	if (moment - s->last_begin < s->width && moment >= s->last_begin)
		return s->last;
	s->last = moment < s->begin ? 0 : (size_t)((moment - s->begin) / s->width);
	if (s->last >= s->n)
		s->last = s->n - 1;
	s->last_begin = s->begin + s->last * s->width;
	return s->last;
}

/* How much of the time from start to end lies in the slice.  The first slice has all before it as well, and the
   last one all behind it. */
static uint64_t part_in(const struct iota_slices *s, size_t slice, uint64_t start, uint64_t end)
{
	uint64_t begin = s->begin + slice * s->width;

	if (slice && begin > start)
		start = begin;
	if (slice + 1 < s->n && begin + s->width < end)
		end = begin + s->width;
	return end > start ? end - start : 0;
}

/* ---- a call ---- */

static void forget_inner(struct iota_slices *s, unsigned from)
{
	unsigned d;

	for (d = from; d < s->depths; d++) {
		struct iota_inner *in = &s->inner[d];

		if (in->low < in->high)
			memset(in->time + in->low, 0, (in->high - in->low) * sizeof(*in->time));
		in->low = in->high = 0;
	}
	if (s->depths > from)
		s->depths = from;
}

static void add_inner(struct iota *a, unsigned depth, size_t slice, uint64_t time)
{
	struct iota_slices *s = a->slices;
	struct iota_inner *in = &s->inner[depth];

	if (!in->time)
		in->time = iota_alloc(&a->memory, s->n * sizeof(*in->time));
	if (in->low == in->high) {
		in->low = slice;
		in->high = slice + 1;
	}
	in->low = slice < in->low ? slice : in->low;
	in->high = slice >= in->high ? slice + 1 : in->high;
	in->time[slice] += time;
	if (s->depths <= depth)
		s->depths = depth + 1;
}

static unsigned depth_of(struct iota_slices *s, const struct iotr_call *call)
{
	if (call->log != s->log || call->stream != s->stream) {
		forget_inner(s, 0);
		s->log = call->log;
		s->stream = call->stream;
	}
	return call->depth < IOTA_DEPTHS ? call->depth : IOTA_DEPTHS - 1;
}

void iota_when_pass(struct iota *a, const struct iotr_call *call)
{
	struct iota_slices *s = a->slices;
	unsigned depth = depth_of(s, call);
	struct iota_inner *in = &s->inner[depth + 1];
	size_t i;

	for (i = in->low; i < in->high; i++)
		if (depth && in->time[i])
			add_inner(a, depth, i, in->time[i]);
	forget_inner(s, depth + 1);
}

/* A call's bytes in a slice.  They are rounded so that the shares of neighbours add up to the share of both. */
static uint64_t share(uint64_t bytes, uint64_t before, uint64_t behind, uint64_t of)
{
	if (!before && behind == of) /* nearly all calls lie in one slice */
		return bytes;
	return (uint64_t)((unsigned __int128)bytes * behind / of -
			  (unsigned __int128)bytes * before / of);
}

static void add_bytes(struct iota_slice *slice, const struct iota_sample *s, uint64_t bytes)
{
	if (!s->is_syscall && !s->call->inferred)
		return;
	if (s->does == IOTA_DOES_READ || (s->does == IOTA_DOES_COPY && s->is_syscall))
		slice->bytes[0] += bytes;
	if (s->does == IOTA_DOES_WRITE || (s->does == IOTA_DOES_COPY && s->is_syscall))
		slice->bytes[1] += bytes;
}

/* Adds the call's time in that slice to what it was spent on. */
static void add_time(struct iota_slices *s, const struct iota_sample *sample, size_t slice,
		     uint64_t part, unsigned depth)
{
	const struct iota_inner *in = &s->inner[depth + 1];
	uint64_t inside = slice >= in->low && slice < in->high ? in->time[slice] : 0;
	uint64_t self = part > inside ? part - inside : 0;

	if (iota_is_io(sample->spent))
		s->io[slice] += self;
	else if (sample->spent == IOTA_F_WAITING)
		s->waiting[slice] += self;
	s->low = slice < s->low ? slice : s->low;
	s->high = slice >= s->high ? slice + 1 : s->high;
}

/* Adds the bytes that devices moved for the call, if it says how many. */
static void add_device(struct iota *a, const struct iotr_call *call, size_t at)
{
	const uint64_t bytes[] = {call->has & IOTR_HAS_FETCHED ? call->fetched : 0,
				  call->has & IOTR_HAS_DIRTIED ? call->dirtied : 0};
	struct iota_slices *s = a->slices;
	unsigned i;

	for (i = 0; i < 2; i++) {
		if (!bytes[i])
			continue;
		if (!s->device[i])
			s->device[i] = iota_alloc(&a->memory, s->n * sizeof(*s->device[i]));
		s->device[i][at] += bytes[i];
		s->low = at < s->low ? at : s->low;
		s->high = at >= s->high ? at + 1 : s->high;
	}
}

void iota_when_add(struct iota *a, const struct iota_sample *sample)
{
	const struct iotr_call *call = sample->call;
	struct iota_slices *s = a->slices;
	size_t first = slice_at(s, call->start), last, i;
	uint64_t end = call->start + sample->time, done = 0;
	unsigned depth;

	s->slice[first].calls += !call->inferred;
	if (call->has & (IOTR_HAS_FETCHED | IOTR_HAS_DIRTIED))
		add_device(a, call, first);
	if (!sample->timed) {
		add_bytes(&s->slice[first], sample, sample->moved);
		iota_when_pass(a, call);
		return;
	}
	if (!sample->time)
		add_bytes(&s->slice[first], sample, sample->moved);
	depth = depth_of(s, call);
	last = sample->time ? slice_at(s, end - 1) : first;
	for (i = first; i <= last && sample->time; i++) {
		uint64_t part = first == last ? sample->time : part_in(s, i, call->start, end);

		add_bytes(&s->slice[i], sample, share(sample->moved, done, done + part, sample->time));
		add_time(s, sample, i, part, depth);
		if (depth)
			add_inner(a, depth, i, part);
		done += part;
	}
	forget_inner(s, depth + 1);
}

/* ---- a thread ---- */

/* The logarithm of the probability that a thread did not, at a moment, do what it did for that part of the slice. */
static uint64_t logarithm(uint64_t part, uint64_t width)
{
	if (!part)
		return 0;
	if (part >= width)
		return (uint64_t)(64 * ONE);
	return (uint64_t)(-log2((double)(width - part) / (double)width) * ONE + 0.5);
}

double iota_slice_share(uint64_t logarithm)
{
	return exp2(-(double)logarithm / ONE);
}

/* A thread that was there for lived of the slice. */
static void add_slice(struct iota_slices *s, size_t i, uint64_t lived)
{
	struct iota_slice *slice = &s->slice[i];
	uint64_t in_calls = s->io[i] + s->waiting[i];
	uint64_t works = lived > in_calls ? lived - in_calls : 0;

	slice->io += s->io[i];
	slice->waiting += s->waiting[i];
	slice->lived += lived;
	slice->no_io += logarithm(s->io[i], s->width);
	slice->no_work += logarithm(works, s->width);
	slice->neither += logarithm(works + s->io[i], s->width);
}

static void was_in_io(struct iota *a, size_t row, struct iota_row *rank)
{
	struct iota_slices *s = a->slices;

	s->threads[row]++;
	if (!rank)
		return;
	if (!rank->when)
		rank->when = iota_alloc(&a->memory, s->n / s->per_row);
	rank->when[row] = 1;
}

static void take_device(struct iota_slices *s, size_t at)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		if (!s->device[i])
			continue;
		s->slice[at].device[i] += s->device[i][at];
		s->device[i][at] = 0;
	}
}

/* Evenly, to slices next to each other. */
static void spread(struct iota_slices *s, unsigned way, uint64_t bytes, size_t from, size_t to)
{
	size_t n = to - from + 1, i;

	for (i = 0; i < n; i++)
		s->slice[from + i].device[way] += share(bytes, i, i + 1, n);
}

/* The kernel says from time to time what devices have done for the thread, by page faults too.  What
   calls have not said of it happened since it was told last, nobody knows when. */
static void add_rest(struct iota_slices *s)
{
	uint64_t said[2] = {0}, spent[2] = {0};
	struct iotr_usage first, is;
	size_t last = 0, summed = 0, n;
	unsigned i;

	for (n = 0; s->log && iotr_log_usage_at(s->log, s->stream, n, &is); n++) {
		size_t at = slice_at(s, iotr_log_time(s->log, is.ticks));

		if (!n)
			first = is;
		for (; summed <= at; summed++)
			for (i = 0; i < 2; i++)
				said[i] += s->device[i] ? s->device[i][summed] : 0;
		for (i = 0; n && i < 2; i++) {
			uint64_t all = (i ? is.out - first.out : is.in - first.in) * BLOCK;
			uint64_t rest = all > said[i] + spent[i] ? all - said[i] - spent[i] : 0;

			/* what hostile logs say may run backwards */
			if (!rest || all > INT64_MAX || last > at)
				continue;
			/* the slice of the moment before has had its part */
			spread(s, i, rest, n > 1 && last < at ? last + 1 : last, at);
			spent[i] += rest;
		}
		last = at;
	}
}

void iota_when_thread_end(struct iota *a, uint64_t begin, uint64_t end, struct iota_row *rank)
{
	struct iota_slices *s = a->slices;
	size_t from, to, i, row = SIZE_MAX;

	if (!s)
		return;
	add_rest(s);
	from = begin < end ? slice_at(s, begin) : s->low;
	to = begin < end ? slice_at(s, end - 1) + 1 : s->high;
	from = s->low < from ? s->low : from;
	to = s->high > to ? s->high : to;
	for (i = from; i < to; i++) {
		add_slice(s, i, part_in(s, i, begin, end));
		if (s->io[i] && i / s->per_row != row)
			was_in_io(a, row = i / s->per_row, rank);
		s->io[i] = s->waiting[i] = 0;
		take_device(s, i);
	}
	s->low = s->n;
	s->high = 0;
	forget_inner(s, 0);
	s->log = NULL;
}

/* ---- parts ---- */

bool iota_when_take(struct iota *a, const void *sums, size_t size)
{
	struct iota_slices *s = a->slices;
	size_t slices = s ? s->n * sizeof(*s->slice) : 0, i, j;
	size_t rows = s ? s->n / s->per_row : 0;
	const char *p = sums;

	if (!s || size != slices + rows * sizeof(*s->threads))
		return !s && !size;
	for (i = 0; i < s->n; i++) {
		uint64_t *to = (uint64_t *)&s->slice[i], from[sizeof(s->slice[0]) / 8];

		memcpy(from, p + i * sizeof(from), sizeof(from));
		for (j = 0; j < sizeof(from) / 8; j++)
			to[j] += from[j];
	}
	for (i = 0; i < rows; i++) {
		uint64_t n;

		memcpy(&n, p + slices + i * sizeof(n), sizeof(n));
		s->threads[i] += n;
	}
	return true;
}

void iota_when_put(const struct iota *a, struct iota_bytes *to)
{
	const struct iota_slices *s = a->slices;

	if (!s)
		return;
	iota_bytes_add(to, s->slice, s->n * sizeof(*s->slice));
	iota_bytes_add(to, s->threads, s->n / s->per_row * sizeof(*s->threads));
}
