/* SPDX-License-Identifier: BSD-3-Clause */
/* touched_at_random.c - mapped files whose pages are touched in no order. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_touched_at_random(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t jumps = iota_spot_v(spot, IOTA_S_JUMPS);

	return spot->does == IOTA_DOES_FAULT && jumps > iota_share(iota_spot_v(spot, IOTA_S_LOCATED), rule->share)
		       ? jumps
		       : 0;
}

void iota_rule_touched_at_random(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->v[IOTA_S_LOCATED] < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.of = e->group->v[IOTA_S_LOCATED];
	iota_finding_add(a, f);
}
