/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spot.c - the numbers of a spot, in as little memory as they take.
 *
 * As long as there has been one call at most, and its numbers fit, a spot has what the call was: when, for how
 * long, how many bytes; and a bit for each number that it counts in as 1.  Then it is filled: it gets sums.
 */
#include "config.h"

#include <stdlib.h>

#include "spots.h"

#define FEW 8 /* calls of a thread that it may make while it waits */

_Static_assert(IOTA_S_NO_COUNT - IOTA_S_SMALL <= 32, "each number has a bit: struct iota_spot, once");
_Static_assert(IOTA_BITS <= 256, "the number of a bit is a byte: struct iota_spot, bit");

static uint64_t *room_for(struct iota *a, struct iota_sums *sums, enum iota_spot_field f)
{
	if (f < IOTA_S_RARE)
		return &sums->common[f];
	if (!sums->rare)
		sums->rare = iota_alloc(&a->memory, (IOTA_N_SPOT - IOTA_S_RARE) * sizeof(*sums->rare));
	return &sums->rare[f - IOTA_S_RARE];
}

/* From here on it is full. */
static void fill(struct iota *a, struct iota_spot *s)
{
	struct iota_sums *sums;
	unsigned f;
	uint64_t v;

	if (s->full)
		return;
	sums = iota_alloc(&a->memory, sizeof(*sums));
	for (f = 0; f < IOTA_N_SPOT; f++)
		if ((v = iota_spot_once(s, f)))
			*room_for(a, sums, f) = v;
	if (s->use) {
		sums->use = s->use;
		sums->last = s->last;
		sums->end = iota_sum_of_sizes(s->last, s->bytes);
	}
	if (s->called) {
		sums->thread = s->thread;
		sums->thread_time = s->self;
		sums->thread_end = s->start + s->time;
		sums->outside = s->outside;
		sums->calls = s->use ? a->thread.calls : (uint32_t)s->last;
		sums->tried = s->once & (iota_spot_bit(IOTA_S_MISSING) | iota_spot_bit(IOTA_S_EXISTS) | iota_spot_bit(IOTA_S_VAIN));
	}
	s->sums = sums;
	s->full = true;
}

/* Numbers of which a bit says all if they are 1: counts. */
static bool is_count(enum iota_spot_field f)
{
	return f >= IOTA_S_SMALL && f < IOTA_S_NO_COUNT && f != IOTA_S_SMALL_BYTES;
}

void iota_spot_more(struct iota *a, struct iota_spot *s, enum iota_spot_field f, uint64_t more)
{
	if (!s->full && more == 1 && is_count(f) && !(s->once & iota_spot_bit(f))) {
		s->once |= iota_spot_bit(f);
		return;
	}
	fill(a, s);
	*room_for(a, s->sums, f) += more;
}

/* ---- calls ---- */

static void greatest(uint64_t *v, uint64_t of)
{
	*v = of > *v ? of : *v;
}

/* The first call, if it is one that there is room for. */
static bool begin(const struct iota *a, struct iota_spot *spot, const struct iota_sample *s)
{
	if (spot->called || s->own || s->time > UINT32_MAX || s->self > UINT32_MAX)
		return false;
	spot->called = true;
	spot->start = s->call->start;
	spot->time = (uint32_t)s->time;
	spot->self = (uint32_t)s->self;
	spot->bit = (unsigned char)__builtin_ctzll(a->thread.bit);
	spot->thread = a->thread.serial;
	spot->outside = a->thread.outside;
	if (!spot->use)
		spot->last = a->thread.calls;
	return true;
}

/* Calls come thread by thread. */
static void add_thread(struct iota *a, struct iota_spot *spot, const struct iota_sample *s)
{
	uint64_t start = s->call->start, end = start + s->time, outside;
	struct iota_sums *sums = spot->sums;
	uint64_t *v = sums->common;

	if (sums->thread != a->thread.serial) {
		sums->thread_time = 0;
		sums->thread_end = start;
	} else if (sums->tried && a->thread.calls - sums->calls <= FEW) {
		iota_spot_plus(a, spot, IOTA_S_TRIED, a->thread.outside - sums->outside);
	} else if (s->does == IOTA_DOES_READ) {
		outside = a->thread.outside - sums->outside;
		iota_spot_plus(a, spot, IOTA_S_HIDES, outside < s->self ? outside : s->self);
		iota_spot_plus(a, spot, IOTA_S_BETWEEN, outside);
	}
	sums->outside = a->thread.outside;
	sums->calls = a->thread.calls;
	sums->thread = a->thread.serial;
	sums->thread_time += s->self + s->own;
	v[IOTA_S_SPANS] += end > sums->thread_end ? end - sums->thread_end : 0;
	greatest(&sums->thread_end, end);
	greatest(&v[IOTA_S_MOST], sums->thread_time);
	greatest(&v[IOTA_S_BEFORE], UINT64_MAX - start);
	greatest(&v[IOTA_S_LAST], end);
	v[IOTA_S_THREADS] |= a->thread.bit;
}

void iota_spot_call(struct iota *a, struct iota_spot *spot, const struct iota_sample *s)
{
	uint64_t *v;

	if (!spot->full) {
		if (begin(a, spot, s))
			return;
		fill(a, spot);
	}
	v = spot->sums->common;
	v[IOTA_S_CALLS]++;
	v[IOTA_S_TIME] += s->self + s->own;
	greatest(&v[IOTA_S_MAX], s->self);
	add_thread(a, spot, s);
}

void iota_spot_bytes(struct iota *a, struct iota_spot *spot, uint64_t moved, bool small)
{
	if (spot->full || spot->bytes || moved > UINT32_MAX)
		iota_spot_plus(a, spot, IOTA_S_BYTES, moved);
	else
		spot->bytes = (uint32_t)moved;
	if (!small)
		return;
	iota_spot_plus(a, spot, IOTA_S_SMALL, 1);
	if (spot->full)
		spot->sums->common[IOTA_S_SMALL_BYTES] += moved;
}

bool iota_spot_last(const struct iota_spot *spot, uint64_t *offset)
{
	*offset = spot->full ? spot->sums->last : spot->last;
	return spot->full ? spot->sums->use : spot->use;
}

void iota_spot_moved(struct iota *a, struct iota_spot *spot, uint32_t use, uint64_t offset,
		     uint64_t size, bool jumps)
{
	struct iota_sums *sums;
	int64_t delta;
	bool again;

	iota_spot_plus(a, spot, IOTA_S_LOCATED, 1);
	iota_spot_plus(a, spot, IOTA_S_JUMPS, jumps);
	if (!spot->full) {
		if (!spot->use && size == spot->bytes) {
			spot->use = use;
			spot->last = offset;
			return;
		}
		fill(a, spot);
	}
	sums = spot->sums;
	again = sums->use == use;
	delta = (int64_t)(offset - sums->last);
	iota_spot_plus(a, spot, IOTA_S_SAME, again && !delta);
	if (jumps && again) {
		iota_spot_plus(a, spot, IOTA_S_BACK, delta < 0);
		iota_spot_plus(a, spot, IOTA_S_OWN, offset == sums->end);
		iota_spot_plus(a, spot, IOTA_S_STRIDED, delta && delta == sums->delta);
	}
	sums->delta = again ? delta : 0;
	sums->use = use;
	sums->last = offset;
	sums->end = iota_sum_of_sizes(offset, size);
}

/* ---- all numbers ---- */

static void merge(uint64_t *to, enum iota_spot_field field, uint64_t from)
{
	switch (field) {
	case IOTA_S_MAX:
	case IOTA_S_MOST:
	case IOTA_S_BEFORE:
	case IOTA_S_LAST:
	case IOTA_S_BETWEEN:
		greatest(to, from);
		break;
	case IOTA_S_THREADS:
		*to |= from;
		break;
	default:
		*to += from;
	}
}

/* Of one that is not full, bits tell which numbers are not 0. */
static void sum_once(uint64_t to[IOTA_N_SPOT], const struct iota_spot *from)
{
	uint32_t once = from->once;
	unsigned f;

	for (f = 0; f < IOTA_S_SMALL; f++)
		merge(&to[f], f, iota_spot_once(from, f));
	merge(&to[IOTA_S_SMALL_BYTES], IOTA_S_SMALL_BYTES, iota_spot_once(from, IOTA_S_SMALL_BYTES));
	for (; once; once &= once - 1)
		to[IOTA_S_SMALL + (unsigned)__builtin_ctz(once)]++;
}

/* Numbers behind these are 0. */
static unsigned fields_of(const struct iota_spot *s)
{
	return s->full && !s->sums->rare ? IOTA_S_RARE : IOTA_N_SPOT;
}

void iota_spot_sum(uint64_t to[IOTA_N_SPOT], const struct iota_spot *from)
{
	unsigned f, n = fields_of(from);

	if (!from->full) {
		sum_once(to, from);
		return;
	}
	for (f = 0; f < n; f++)
		merge(&to[f], f, iota_spot_v(from, f));
}

void iota_spot_join(struct iota *a, struct iota_spot *to, const struct iota_spot *from)
{
	unsigned f, n = fields_of(from);
	uint64_t v;

	fill(a, to);
	for (f = 0; f < n; f++)
		if ((v = iota_spot_v(from, f)))
			merge(room_for(a, to->sums, f), f, v);
	to->is_syscall |= from->is_syscall;
	if (from->does)
		to->does = from->does;
}

/* Are these numbers what the spot has, which is not full? */
static bool has(const struct iota_spot *s, const uint64_t v[IOTA_N_SPOT])
{
	unsigned f;

	for (f = 0; f < IOTA_N_SPOT; f++)
		if (iota_spot_once(s, f) != v[f])
			return false;
	return true;
}

void iota_spot_set(struct iota *a, struct iota_spot *s, const uint64_t v[IOTA_N_SPOT])
{
	struct iota_spot one = *s;
	unsigned f;

	one.called = v[IOTA_S_CALLS];
	one.start = UINT64_MAX - v[IOTA_S_BEFORE];
	one.time = (uint32_t)v[IOTA_S_SPANS];
	one.self = (uint32_t)v[IOTA_S_TIME];
	one.bytes = (uint32_t)v[IOTA_S_BYTES];
	one.bit = v[IOTA_S_THREADS] ? (unsigned char)__builtin_ctzll(v[IOTA_S_THREADS]) : 0;
	for (f = IOTA_S_SMALL; f < IOTA_N_SPOT; f++)
		if (is_count(f) && v[f])
			one.once |= iota_spot_bit(f);
	if (has(&one, v)) {
		*s = one;
		return;
	}
	fill(a, s);
	for (f = 0; f < IOTA_N_SPOT; f++)
		if (v[f])
			*room_for(a, s->sums, f) = v[f];
}
