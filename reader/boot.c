/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * boot.c - logs of one boot of a machine are placed by a clock that nobody sets.
 *
 * Each log has the distance of the wall clock from CLOCK_MONOTONIC when it was begun.  If somebody
 * sets the wall clock between two logs, these distances differ, and a child's calls would stand
 * before its parent's.  So all logs of a boot have the distance of one of them: the first one that
 * was begun, but rather of one that knows the time of its job (clock.c).  Those of a time namespace
 * have a CLOCK_MONOTONIC of their own.  It stands still while the machine sleeps, so what counts is
 * CLOCK_BOOTTIME, from which it differs by what a log's key boot_clock says.
 *
 * A log that is hardly away from there stays where it is, so that its times are the same for one who
 * reads it alone, or with some of the others.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "set.h"

/* Two logs that differ by less (ns) have seen no sleep in between: the recorder read two clocks
   one after the other. */
#define AT_ONCE 50000000u
/* Nobody sets a clock by less (ns); it may have been made to run a bit faster or slower. */
#define SET_BY 10000000u

struct iotr_boot {
	uint64_t began;	  /* the log that it goes by, ns since the boot */
	uint64_t slept;	  /* when it was begun */
	uint64_t to_real; /* realtime - CLOCK_BOOTTIME */
	bool by_job;
};

/* What the clock is: the same number in all logs that have it; 0: not known. */
static uint64_t clock_of(const struct iotr_log *log, uint64_t *slept)
{
	const char *boot = iotr_log_key(log, "boot_id", NULL), *own = iotr_log_key(log, "boot_clock", NULL);
	const char *space = own ? strchr(own, ' ') : NULL;
	unsigned long long ns;

	if (log->header_damaged || !log->header.start.ticks || !log->header.start.monotonic || !boot || !*boot ||
	    !space || sscanf(space, "%llu", &ns) != 1)
		return 0;
	*slept = ns;
	return iotr_hash(iotr_hash(IOTR_HASH, boot, strlen(boot)), own, (size_t)(space - own));
}

static void go_by(struct iotr_boot *b, const struct iotr_log *log, uint64_t slept)
{
	b->began = log->header.start.monotonic + slept;
	b->slept = slept;
	b->to_real = iotr_clock_distance(log) - slept;
	b->by_job = log->clock.n_sync;
}

static void place(struct iotr_boot *b, struct iotr_log *log)
{
	struct iotr_clock *c = &log->clock;
	uint64_t slept = 0;

	clock_of(log, &slept);
	if (slept - b->slept + AT_ONCE < 2 * AT_ONCE)
		slept = b->slept;
	c->boot = b;
	if (c->n_sync)
		return;
	c->to_real = (int64_t)iotr_clock_distance(log);
	if (b->to_real + slept - (uint64_t)c->to_real + SET_BY >= 2 * SET_BY)
		c->to_real = (int64_t)(b->to_real + slept);
}

/* Is the log a better one to go by?  Not if it is followed: what was given can't be changed. */
static bool is_better(const struct iotr_boot *b, const struct iotr_log *log, uint64_t slept)
{
	if (log->followed)
		return false;
	if (!b->by_job != !log->clock.n_sync)
		return !b->by_job;
	return log->header.start.monotonic + slept < b->began;
}

void iotr_boot_place(struct iotr_set *set, struct iotr_log *log)
{
	uint64_t slept, id = clock_of(log, &slept);
	struct iotr_boot *b = iotr_idmap_get(&set->boots, id);

	if (!id)
		return;
	if (!b) {
		b = iotr_arena_alloc(&set->shared->arena, sizeof(*b));
		go_by(b, log, slept);
		iotr_idmap_put(&set->boots, id, b);
	} else if (is_better(b, log, slept)) {
		go_by(b, log, slept);
		for (size_t i = 0; i < set->n_logs; i++)
			if (set->log[i]->clock.boot == b)
				place(b, set->log[i]);
	}
	place(b, log);
}
