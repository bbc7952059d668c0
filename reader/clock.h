/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - moments and durations in nanoseconds: see clock.c. */
#ifndef IOTR_CLOCK_H
#define IOTR_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iotrace-format.h"

struct iotr_segment { /* of the mapping from ticks to ns */
	uint64_t ticks;
	uint64_t ns; /* monotonic */
	double slope;
};

/* The segment that was asked for last, which the next call is in as well; until 0: none was. */
struct iotr_stretch {
	uint64_t ticks, until;
	uint64_t ns;
	int64_t most; /* ns that it has: rounding must not carry a call past the next anchor */
	double slope;
};

struct iotr_sync { /* with the clock of the job */
	uint64_t monotonic, real;
};

struct iotr_clock {
	struct iot_anchor *anchor;
	size_t n, cap;
	struct iotr_segment *seg;
	size_t n_seg, cap_seg;
	struct iotr_stretch now;
	struct iotr_sync sync[2]; /* the first and the last one */
	unsigned n_sync;
	int64_t to_real; /* realtime - monotonic; by the job's clock if that is known, or by that of */
	const struct iotr_boot *boot; /* which the set has: boot.c; or NULL */
	/* Between the two syncs to_real changes, by that much a ns.  0: it does not. */
	double drift;
	uint64_t drift_from;
	int64_t drift_ns;
};

struct iotr_log;
/* By itself, realtime - monotonic; by the job's clock if that is known. */
uint64_t iotr_clock_distance(const struct iotr_log *log);
void iotr_clock_anchor(struct iotr_log *log, const struct iot_anchor *a);
void iotr_clock_sync(struct iotr_log *log, uint64_t monotonic, uint64_t real);
void iotr_clock_done(struct iotr_log *log);
const struct iotr_stretch *iotr_clock_seek(struct iotr_clock *c, uint64_t ticks);

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

static inline uint64_t iotr_clock_ns(struct iotr_clock *c, uint64_t ticks)
{
	const struct iotr_stretch *s = iotr_clock_stretch(c, ticks);
	int64_t d = iotr_clock_whole((double)(int64_t)(ticks - s->ticks) * s->slope), ns;

	if (d > s->most)
		d = s->most;
	if (__builtin_add_overflow((int64_t)s->ns, d, &ns))
		return d < 0 ? 0 : INT64_MAX;
	return iotr_clock_real(c, (uint64_t)ns);
}

static inline uint64_t iotr_clock_span(struct iotr_clock *c, uint64_t ticks, uint64_t span)
{
	const struct iotr_stretch *s = iotr_clock_stretch(c, ticks);
	int64_t d = iotr_clock_whole((double)span * s->slope + 0.5);
	uint64_t end, from;

	/* what spans anchors ends where the last of them says, and what drifts where it
	   drifted to */
	if ((span > s->until - ticks || c->drift != 0) &&
	    !__builtin_add_overflow(ticks, span, &end)) {
		from = iotr_clock_ns(c, ticks);
		return iotr_clock_ns(c, end) - from;
	}
	return d < 0 ? 0 : (uint64_t)d;
}

#endif
