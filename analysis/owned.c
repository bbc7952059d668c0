/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * owned.c - whose the bytes of a file are: of most files one interval, of some so many that a part of them has
 * to stand for all.
 */
#include "config.h"

#include <stdlib.h>

#include "internal.h"

/*
 * What a file costs must not depend on how often it is read.  It is thinned if there were more than RUNS runs of
 * at most SHORT bytes and its bytes are in more than REGIONS regions of the level (thin.c).  Neither gets less by
 * anything that comes, and both are the same in whatever order things come: so the level is, too.
 */
#define RUNS 65536
#define SHORT (1u << 20)
#define REGIONS 65536

/* ---- thinned ---- */

static void add(struct iota_intervals *s, const struct iota_interval *new)
{
	struct iota_interval part;
	uint64_t group, last;

	s->settled = false;
	s->low = s->high && s->low < new->start ? s->low : new->start;
	s->high = s->high > new->end ? s->high : new->end;
	if (!s->level) {
		iota_intervals_set(s, *new);
		return;
	}
	last = iota_thin_group(new->end, s->level);
	for (group = iota_thin_group(new->start, s->level); group <= last; group++)
		if (iota_thin_part(new, s->level, group, &part))
			iota_intervals_set(s, part);
}

static void add_again(void *to, const struct iota_interval *i)
{
	add(to, i);
}

static void thin(struct iota_intervals *s, unsigned level)
{
	struct iota_intervals all = *s;

	iota_intervals_settle(&all);
	*s = (struct iota_intervals){.level = level, .enough = REGIONS, .low = all.low, .high = all.high};
	iota_intervals_each(&all, add_again, s);
	iota_intervals_settle(s);
	iota_intervals_free(&all);
}

struct regions {
	uint64_t n, counted;
};

static void count_regions(void *arg, const struct iota_interval *i)
{
	struct regions *r = arg;

	r->n += iota_thin_regions(i, &r->counted);
}

static bool is_too_much(const struct iota_intervals *s)
{
	struct regions r = {0};

	iota_intervals_each(s, count_regions, &r);
	return r.n > REGIONS && s->level < IOTA_THIN_LEVELS;
}

/* What one interval alone asks for is not tried level by level. */
static void raise_level(void *arg, const struct iota_interval *i)
{
	unsigned *least = arg, level = iota_thin_level(i, REGIONS);

	*least = level > *least ? level : *least;
}

static void thin_more(struct iota_intervals *s)
{
	unsigned level = s->level + 1;

	iota_intervals_each(s, raise_level, &level);
	thin(s, level);
}

struct kept {
	uint64_t bytes;
	unsigned level;
};

static void count_kept(void *arg, const struct iota_interval *i)
{
	struct kept *k = arg;

	k->bytes += iota_thin_bytes(i->start, i->end, k->level);
}

/* What is so of the regions that are kept is so of all.  Of a file that was read from begin to end it is exact. */
static uint64_t estimate(const struct iota_intervals *s)
{
	struct kept k = {.level = s->level};
	uint64_t all = iota_thin_bytes(s->low, s->high, s->level);

	if (!s->level)
		return s->bytes;
	iota_intervals_each(s, count_kept, &k);
	return all ? (uint64_t)((unsigned __int128)(s->high - s->low) * k.bytes / all) : 0;
}

static void settle(struct iota_owned *seen)
{
	struct iota_intervals *s = seen->several;

	if (s->settled)
		return;
	iota_intervals_settle(s);
	while (seen->runs > RUNS && is_too_much(s))
		thin_more(s);
	s->enough = 2 * s->n > REGIONS ? 2 * s->n : REGIONS;
	s->estimate = estimate(s);
	s->settled = true;
}

/* ---- a file's ---- */

static struct iota_interval only(const struct iota_owned *seen)
{
	return (struct iota_interval){
		.start = seen->start, .end = seen->end, .time = seen->time, .owner = seen->owner};
}

static bool touch(const struct iota_interval *i, const struct iota_interval *j)
{
	return i->start <= j->end && j->start <= i->end;
}

static void make_several(struct iota_owned *seen)
{
	struct iota_interval one = only(seen);

	if (seen->is_several)
		return;
	seen->several = iota_malloc(sizeof(*seen->several));
	*seen->several = (struct iota_intervals){.enough = REGIONS};
	seen->is_several = true;
	add(seen->several, &one);
}

/* Does it become one with the only one? */
static bool joins(struct iota_owned *seen, const struct iota_interval *new)
{
	struct iota_interval one = only(seen);

	if (!iota_interval_same(&one, new) || !touch(&one, new))
		return false;
	seen->start = one.start < new->start ? one.start : new->start;
	seen->end = one.end > new->end ? one.end : new->end;
	return true;
}

void iota_owned_add(struct iota_memory *m, struct iota_owned **at, struct iota_interval new)
{
	struct iota_owned *seen = *at;
	unsigned level;

	if (!seen) {
		seen = *at = iota_alloc(m, sizeof(*seen));
		*seen = (struct iota_owned){
			.start = new.start, .end = new.end, .time = new.time, .owner = new.owner};
		return;
	}
	if (!seen->is_several && joins(seen, &new))
		return;
	make_several(seen);
	if (seen->several->level && (level = iota_thin_level(&new, REGIONS)) > seen->several->level)
		thin(seen->several, level);
	add(seen->several, &new);
	if (seen->runs > RUNS && seen->several->n > seen->several->enough)
		settle(seen);
}

static void add_runs(struct iota_owned *seen, uint64_t n)
{
	n += seen->runs;
	seen->runs = n > RUNS ? RUNS + 1 : (uint32_t)n;
}

void iota_owned_set(struct iota_memory *m, struct iota_owned **at, struct iota_interval new)
{
	if (new.start >= new.end)
		return;
	iota_owned_add(m, at, new);
	if (new.end - new.start <= SHORT && (*at)->runs <= RUNS)
		add_runs(*at, 1);
}

static struct iota_intervals *several(const struct iota_owned *seen)
{
	settle((struct iota_owned *)seen);
	return seen->several;
}

struct iota_thinned iota_owned_thinned(const struct iota_owned *seen)
{
	const struct iota_intervals *s = seen && seen->is_several ? several(seen) : NULL;

	return (struct iota_thinned){
		.runs = seen ? seen->runs : 0, .level = s ? s->level : 0, .low = s ? s->low : 0, .high = s ? s->high : 0};
}

void iota_owned_added(struct iota_owned *to, const struct iota_thinned *from)
{
	struct iota_intervals *s;

	add_runs(to, from->runs);
	if (to->is_several)
		to->several->settled = false;
	if (!from->level)
		return;
	make_several(to);
	s = to->several;
	s->low = s->low < from->low ? s->low : from->low;
	s->high = s->high > from->high ? s->high : from->high;
	if (s->level < from->level)
		thin(s, (unsigned)from->level);
}

uint64_t iota_owned_bytes(const struct iota_owned *seen)
{
	if (!seen)
		return 0;
	return seen->is_several ? several(seen)->estimate : seen->end - seen->start;
}

size_t iota_owned_n(const struct iota_owned *seen)
{
	if (!seen)
		return 0;
	return seen->is_several ? several(seen)->n : 1;
}

bool iota_owned_begins(const struct iota_owned *seen, uint64_t offset)
{
	return !seen->is_several || iota_thin_keeps(offset, seen->several->level);
}

uint64_t iota_owned_stand_for(const struct iota_owned *seen)
{
	return seen->is_several ? UINT64_C(1) << several(seen)->level : 1;
}

void iota_owned_each(const struct iota_owned *seen, iota_interval_fn *fn, void *arg)
{
	struct iota_interval one;

	if (!seen)
		return;
	if (seen->is_several) {
		iota_intervals_each(several(seen), fn, arg);
		return;
	}
	one = only(seen);
	fn(arg, &one);
}

struct more {
	struct iota_memory *memory;
	struct iota_owned **to;
};

static void add_more(void *arg, const struct iota_interval *i)
{
	const struct more *more = arg;

	iota_owned_add(more->memory, more->to, *i);
}

void iota_owned_join(struct iota_memory *m, struct iota_owned **to, const struct iota_owned *from)
{
	struct iota_thinned thinned = iota_owned_thinned(from);
	struct more more = {m, to};

	iota_owned_each(from, add_more, &more);
	if (*to)
		iota_owned_added(*to, &thinned);
}

void iota_owned_free(struct iota_owned **seen)
{
	struct iota_intervals *s = *seen && (*seen)->is_several ? (*seen)->several : NULL;

	*seen = NULL;
	if (!s)
		return;
	iota_intervals_free(s);
	free(s);
}
