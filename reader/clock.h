/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - moments and durations in nanoseconds: see clock.c. */
#ifndef IOTR_CLOCK_H
#define IOTR_CLOCK_H

#include "read.h"

static inline const struct iotr_stretch *iotr_clock_stretch(struct iotr_clock *c, uint64_t ticks)
{
	return ticks >= c->now.ticks && ticks < c->now.until ? &c->now : iotr_clock_seek(c, ticks);
}

/* A double can be anything; an int64_t of ns can't. */
static inline int64_t iotr_clock_whole(double d)
{
	if (d >= 9e18)
		return INT64_MAX;
	if (d <= -9e18)
		return INT64_MIN;
	return (int64_t)d;
}

/* Nanoseconds since the epoch from those of CLOCK_MONOTONIC. */
static inline uint64_t iotr_clock_real(const struct iotr_clock *c, uint64_t monotonic)
{
	int64_t ns, past = 0;

	if (c->drift != 0) {
		past = (int64_t)(monotonic - c->drift_from);
		past = past < 0 ? 0 : past < c->drift_ns ? past : c->drift_ns;
		past = (int64_t)((double)past * c->drift);
	}
	if (__builtin_add_overflow((int64_t)monotonic, c->to_real, &ns) ||
	    __builtin_add_overflow(ns, past, &ns))
		return INT64_MAX;
	return ns < 0 ? 0 : (uint64_t)ns;
}

static inline uint64_t iotr_clock_ns(struct iotr_log *log, uint64_t ticks)
{
	struct iotr_clock *c = &log->clock;
	const struct iotr_stretch *s = iotr_clock_stretch(c, ticks);
	int64_t d = iotr_clock_whole((double)(int64_t)(ticks - s->ticks) * s->slope), ns;

	if (d > s->most)
		d = s->most;
	if (__builtin_add_overflow((int64_t)s->ns, d, &ns))
		return d < 0 ? 0 : INT64_MAX;
	return iotr_clock_real(c, (uint64_t)ns);
}

static inline uint64_t iotr_clock_span(struct iotr_log *log, uint64_t ticks, uint64_t span)
{
	struct iotr_clock *c = &log->clock;
	const struct iotr_stretch *s = iotr_clock_stretch(c, ticks);
	int64_t d = iotr_clock_whole((double)span * s->slope + 0.5);
	uint64_t end, from;

	/* what spans anchors ends where the last of them says, and what drifts where it
	   drifted to */
	if ((span > s->until - ticks || c->drift != 0) &&
	    !__builtin_add_overflow(ticks, span, &end)) {
		from = iotr_clock_ns(log, ticks);
		return iotr_clock_ns(log, end) - from;
	}
	return d < 0 ? 0 : (uint64_t)d;
}

#endif
