/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.c - from timebase ticks to nanoseconds.
 *
 * Anchors say what time it was at some ticks.  Between two of them time is
 * taken to run evenly, by CLOCK_MONOTONIC; the wall clock is that plus its
 * distance when the log was begun, so that a log's calls stay in order when
 * somebody sets the clock meanwhile.  boot.c has those of several logs.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "log-data.h"

/* Anchors nearer than this (ns) only add their own jitter. */
#define NEAR 1000000u
/* No timebase is outside of these, in ns per tick. */
#define SLOPE_MIN 1e-3
#define SLOPE_MAX 1e9
/* An anchor may be this far (ns) off the line through the others, plus 1 %:
   a thread can lose the processor between reading two clocks. */
#define SLACK 50e6
/* Clocks of two hosts differ in speed by less than this, steps of an NTP daemon
   included: MPI may have been finalized soon after it was initialized. */
#define DRIFT_MAX 0.5

void iotr_clock_anchor(struct iotr_log *log, const struct iot_anchor *a)
{
	struct iotr_clock *c = &log->clock;

	if (!a->ticks || !a->monotonic)
		return;
	c->anchor = iotr_grow(c->anchor, &c->cap, c->n + 1, sizeof(*c->anchor));
	c->anchor[c->n++] = *a;
}

/* Of more than two only the first and the last count. */
void iotr_clock_sync(struct iotr_log *log, uint64_t monotonic, uint64_t real)
{
	struct iotr_clock *c = &log->clock;
	struct iotr_sync now = {monotonic, real};

	if (c->n_sync < 2)
		c->sync[c->n_sync++] = now;
	else if (monotonic < c->sync[0].monotonic)
		c->sync[0] = now;
	else if (monotonic > c->sync[1].monotonic)
		c->sync[1] = now;
	if (c->n_sync == 2 && c->sync[1].monotonic < c->sync[0].monotonic) {
		now = c->sync[0];
		c->sync[0] = c->sync[1];
		c->sync[1] = now;
	}
}

static int by_ticks(const void *a, const void *b)
{
	const struct iot_anchor *x = a, *y = b;

	return x->ticks < y->ticks ? -1 : x->ticks > y->ticks;
}

static double slope_between(const struct iot_anchor *a, const struct iot_anchor *b)
{
	double s;

	if (b->ticks <= a->ticks || b->monotonic <= a->monotonic)
		return 0;
	s = (double)(b->monotonic - a->monotonic) / (double)(b->ticks - a->ticks);
	return s >= SLOPE_MIN && s <= SLOPE_MAX ? s : 0;
}

/* The pair of anchors that most others agree with gives the overall slope.  The
   header's own two are the usual answer; the rest is for damaged ones. */
static double best_slope(const struct iotr_log *log, struct iot_anchor *from)
{
	const struct iotr_clock *c = &log->clock;
	const struct iot_file_header *h = &log->header;
	double s = 0;
	size_t i, j;

	*from = h->start;
	if (h->start.ticks && h->start.monotonic) {
		s = h->latest.ticks ? slope_between(&h->start, &h->latest) : 0;
		if (s != 0 && h->latest.monotonic - h->start.monotonic >= NEAR)
			return s;
		for (i = c->n; i-- > 0;)
			if (slope_between(&h->start, &c->anchor[i]) != 0)
				return slope_between(&h->start, &c->anchor[i]);
		return s;
	}
	for (i = 0; i + 1 < c->n && i < 100; i++) {
		for (j = c->n - 1; j > i && j + 100 >= c->n; j--) {
			s = slope_between(&c->anchor[i], &c->anchor[j]);
			if (s != 0) {
				*from = c->anchor[i];
				return s;
			}
		}
	}
	if (c->n)
		*from = c->anchor[0];
	return 0;
}

static bool on_line(const struct iot_anchor *a, const struct iot_anchor *from, double slope)
{
	double want = (double)from->monotonic + ((double)a->ticks - (double)from->ticks) * slope;
	double off = (double)a->monotonic - want;
	double span = (double)a->monotonic - (double)from->monotonic;

	if (off < 0)
		off = -off;
	if (span < 0)
		span = -span;
	return off <= SLACK + span / 100;
}

static void segments(struct iotr_log *log, const struct iot_anchor *from, double slope)
{
	struct iotr_clock *c = &log->clock;
	size_t i, bad = 0;

	c->seg = iotr_grow(c->seg, &c->cap_seg, c->n_seg + c->n + 1, sizeof(*c->seg));
	if (!c->n_seg)
		c->seg[c->n_seg++] = (struct iotr_segment){from->ticks, from->monotonic, slope};
	if (slope != 0)
		c->seg[c->n_seg - 1].slope = slope;
	for (i = 0; i < c->n; i++) {
		const struct iot_anchor *a = &c->anchor[i];
		struct iotr_segment *last = &c->seg[c->n_seg - 1];

		if (!on_line(a, from, slope)) {
			bad++;
			continue;
		}
		if (a->ticks <= last->ticks || a->monotonic < last->ns + NEAR)
			continue;
		last->slope = (double)(a->monotonic - last->ns) / (double)(a->ticks - last->ticks);
		c->seg[c->n_seg++] = (struct iotr_segment){a->ticks, a->monotonic, slope};
	}
	if (bad)
		iotr_say(log, IOTR_DAMAGE, "%zu of %zu time anchors make no sense", bad, c->n);
}

static uint64_t offset(const struct iotr_sync *s)
{
	return s->real - s->monotonic;
}

uint64_t iotr_clock_distance(const struct iotr_log *log)
{
	const struct iot_anchor *start = &log->header.start;

	return log->clock.n_sync ? offset(&log->clock.sync[0]) : start->realtime - start->monotonic;
}

/*
 * From here on times are the job's: those of rank 0's clock.  Between two moments
 * when that was asked the distance to it is taken to change evenly, and not at all
 * before and behind them.  Of a log that is followed only the first one counts: what
 * was given can't be changed any more.
 */
static void align(struct iotr_log *log)
{
	struct iotr_clock *c = &log->clock;
	const struct iotr_sync *a = &c->sync[0], *b = &c->sync[1];
	int64_t ns = (int64_t)(b->monotonic - a->monotonic);
	double drift;

	if (!c->n_sync)
		return;
	c->to_real = (int64_t)offset(a);
	if (c->n_sync < 2 || log->followed || ns <= 0)
		return;
	drift = (double)(int64_t)(offset(b) - offset(a)) / (double)ns;
	if (drift < -DRIFT_MAX || drift > DRIFT_MAX) {
		iotr_say(log, IOTR_DAMAGE,
			 "the clock's distances to that of rank 0 make no sense; "
			 "the second one is ignored");
		return;
	}
	c->drift = drift;
	c->drift_from = a->monotonic;
	c->drift_ns = ns;
}

/* Of a log that is followed for days the old anchors are not needed any more. */
static void forget_old(struct iotr_clock *c)
{
	size_t n = c->n_seg / 2;

	if (c->n_seg < 8192)
		return;
	c->n_seg -= n;
	memmove(c->seg, c->seg + n, c->n_seg * sizeof(*c->seg));
}

/* Takes the anchors in that were found; of a log that is followed again and again. */
void iotr_clock_done(struct iotr_log *log)
{
	struct iotr_clock *c = &log->clock;
	const char *timebase = iotr_log_key(log, "timebase", NULL);
	struct iot_anchor from;
	double slope;

	iotr_clock_anchor(log, &log->header.start);
	iotr_clock_anchor(log, &log->header.latest);
	if (c->n)
		qsort(c->anchor, c->n, sizeof(*c->anchor), by_ticks);
	slope = best_slope(log, &from);
	if (!c->n_seg && !c->boot)
		c->to_real = (int64_t)(from.realtime - from.monotonic);
	if (timebase && !strcmp(timebase, "monotonic")) {
		if (!c->n_seg)
			c->seg = iotr_grow(c->seg, &c->cap_seg, 1, sizeof(*c->seg));
		c->seg[0] = (struct iotr_segment){from.ticks, from.monotonic, 1.0};
		c->n_seg = 1;
	} else {
		/* a log without calls has no times that could be wrong */
		if (slope == 0 && log->n_streams && !log->live)
			iotr_say(log, IOTR_DAMAGE, "too few time anchors: times are in ticks");
		if (slope == 0 && !c->n_seg)
			slope = 1.0;
		segments(log, &from, slope);
		forget_old(c);
	}
	align(log);
	c->now.until = 0;
	free(c->anchor);
	c->anchor = NULL;
	c->n = c->cap = 0;
}

/* Where ticks lie; the next question will be about the same segment. */
const struct iotr_stretch *iotr_clock_seek(struct iotr_clock *c, uint64_t ticks)
{
	size_t lo = 0, hi = c->n_seg;
	const struct iotr_segment *s;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->seg[mid].ticks <= ticks)
			lo = mid;
		else
			hi = mid;
	}
	s = &c->seg[lo];
	c->now = (struct iotr_stretch){s->ticks, UINT64_MAX, s->ns, INT64_MAX, s->slope};
	if (lo + 1 < c->n_seg) {
		c->now.until = s[1].ticks;
		c->now.most = (int64_t)(s[1].ns - s->ns);
	}
	return &c->now;
}

uint64_t iotr_log_time(struct iotr_log *log, uint64_t ticks)
{
	return iotr_clock_ns(&log->clock, ticks);
}

uint64_t iotr_log_start(const struct iotr_log *log)
{
	const struct iot_file_header *h = &log->header;

	return log->clock.n_sync || log->clock.boot ? iotr_clock_real(&log->clock, h->start.monotonic)
						    : h->start.realtime;
}

uint64_t iotr_log_latest(struct iotr_log *log)
{
	const struct iot_file_header *h = &log->header;

	return iotr_clock_ns(&log->clock, h->latest.ticks > h->start.ticks ? h->latest.ticks : h->start.ticks);
}
