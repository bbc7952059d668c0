/* SPDX-License-Identifier: BSD-3-Clause */
/* touched_at_random.c - mapped files whose pages are touched in no order. */
#include "config.h"

#include "rules.h"

static uint64_t weigh(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t jumps = iota_spot_v(spot, IOTA_S_JUMPS);

	return jumps > iota_share(iota_spot_v(spot, IOTA_S_LOCATED), rule->share) ? jumps : 0;
}

static void judge(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->v[IOTA_S_LOCATED] < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.of = e->group->v[IOTA_S_LOCATED];
	iota_finding_add(a, f);
}

LINES(touched_at_random, 320, judge, .does = IOTA_THAT(FAULT), .light = true,
	.severity = IOTA_INFO, .least = 500, .share = 50, .size = 1048576,
	.title = "pages of a mapped file touched here and there",
	.when = "A line of the program causes {least} page faults or more in a mapped file, of which more than "
	  "{share} % lie before the last one of the line, or more than {size} bytes behind it. The log has "
	  "page faults with IOTRACE_FAULTS only, and does not say how long they took.",
	.says = "{count} of {of} page faults were not near the last one",
	.remedy = "Go through the file in the order in which it is stored. If it fits into memory, have all of it "
	  "read at once: MAP_POPULATE, or madvise() with MADV_WILLNEED.")
