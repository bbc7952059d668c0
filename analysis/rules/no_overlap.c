/* SPDX-License-Identifier: BSD-3-Clause */
/* no_overlap.c - nonblocking operations that are waited for as soon as they have begun. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_no_overlap(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t at_once = iota_spot_v(spot, IOTA_S_AT_ONCE);

	return at_once >= iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share) ? at_once : 0;
}

void iota_rule_no_overlap(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f;

	if (g->weight < rule->least)
		return;
	f = iota_about_group(rule, g);
	f.time += g->v[IOTA_S_AT_ONCE_TIME];
	f.saves[1] = g->v[IOTA_S_AT_ONCE_TIME];
	iota_finding_add(a, f);
}
