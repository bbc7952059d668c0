/* SPDX-License-Identifier: BSD-3-Clause */
/* independent.c - small transfers of MPI's that ranks could make together. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_independent(const struct iota_rule *rule, const struct iota_spot *spot)
{
	unsigned direction = spot->does == IOTA_DOES_WRITE;

	return iota_independent(spot) && spot->file->movers & 1u << direction &&
			       iota_spot_mean(spot) < rule->size
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

void iota_rule_independent(struct iota *a, const struct iota_rule *rule,
			   const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	iota_saves_merged(a, &f, (f.bytes + rule->size - 1) / rule->size);
	iota_finding_add(a, f);
}
