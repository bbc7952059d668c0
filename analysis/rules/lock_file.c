/* SPDX-License-Identifier: BSD-3-Clause */
/* lock_file.c - a file that says by being there that others have to wait, and that is asked for until it is gone. */
#include "config.h"

#include "rules.h"

/* Whoever has made it more than once has seen it removed in between. */
static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t made = iota_spot_v(spot, IOTA_S_CALLS) - iota_spot_v(spot, IOTA_S_ERRORS);

	(void)rule;
	return made > 1 && !iota_spot_v(spot, IOTA_S_BENEATH) ? iota_spot_v(spot, IOTA_S_EXISTS) : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f = iota_about_group(rule, g);

	f.of = f.calls - g->v[IOTA_S_ERRORS];
	f.time += g->v[IOTA_S_TRIED];
	f.saves[1] = f.time;
	iota_finding_add(a, f);
}

LINES(lock_file, 265, judge, .roles = IOTA_MAKES, .severity = IOTA_COST, .least = 20,
	.title = "waiting for a lock file to go",
	.when = "A line of the program tries to make a file, a directory or a link, more than once with success, and finds "
	  "{least} times or more that it is there. Counted is the time until the next try, too.",
	.says = "{count} tries found the lock there, for {of} that got it",
	.assumes = "the lock need not be waited for",
	.remedy = "Wait by a lock of the kernel's, fcntl(F_SETLKW) or flock(), which wakes who waits as soon as it is "
	  "free; hold it for less; or let each process have its own part, or its own file.")
