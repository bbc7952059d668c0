/* SPDX-License-Identifier: BSD-3-Clause */
/* no_overlap.c - nonblocking operations that are waited for as soon as they have begun. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t at_once = iota_spot_v(spot, IOTA_S_AT_ONCE);

	return at_once >= iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share) ? at_once : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f = iota_about_group(rule, g);

	f.time += g->v[IOTA_S_AT_ONCE_TIME];
	f.saves[1] = g->v[IOTA_S_AT_ONCE_TIME];
	iota_finding_add(a, f);
}

LINES(no_overlap, 100, judge, .severity = IOTA_COST, .least = 10, .share = 50,
	.title = "nonblocking operations that are waited for at once",
	.when = "A line of the program begins {least} or more nonblocking operations of MPI or of aio(7), and the "
	  "thread waits for {share} % of them or more at once, with nothing under way beside them.",
	.says = "{count} of {of} operations of {call}() were waited for at once",
	.assumes = "there is as much to compute meanwhile as there was to wait",
	.remedy = "Compute, or begin the next operation, between its beginning and the wait.")
