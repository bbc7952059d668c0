/* SPDX-License-Identifier: BSD-3-Clause */
/* locked.c - locks that are taken for little. */
#include "config.h"

#include "rules.h"

static bool locks(const char *call)
{
	return !strcmp(call, "fcntl") || !strcmp(call, "flock") || !strcmp(call, "lockf");
}

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	if (spot->from->chain && spot->from->chain->way & IOTA_BY_MPI)
		return 0; /* the program has not chosen it: see shared-pointer */
	return iota_spot_v(spot, IOTA_S_WAITS);
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f;

	if (g->weight < rule->least &&
	    (g->weight < rule->factor || g->v[IOTA_S_TIME] / g->weight < rule->time))
		return;
	f = iota_about_group(rule, e->group);
	iota_saves_without(&f, f.count - f.count / 10);
	iota_finding_add(a, f);
}

LINES(locked, 370, judge, .calls = locks, .light = true, .severity = IOTA_COST, .least = 500, .factor = 20, .time = 1000000,
	.title = "locks held for long, or taken for little",
	.when = "A line of the program waits for locks of a file {least} times or more, or {factor} "
	  "times or more and {time} or longer on average.",
	.says = "locked {count} times",
	.assumes = "nine of ten waits can be avoided",
	.remedy = "Hold the lock only for what needs it, do more under each, or lock a part of the file.")
