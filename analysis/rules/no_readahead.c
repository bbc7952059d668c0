/* SPDX-License-Identifier: BSD-3-Clause */
/* no_readahead.c - files that are read in order, and were said to be read here and there. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_no_readahead(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t located = iota_spot_v(spot, IOTA_S_LOCATED);

	return spot->does == IOTA_DOES_READ && spot->is_syscall && spot->file->traits & IOTA_TRAIT_RANDOM &&
			       located && iota_spot_v(spot, IOTA_S_JUMPS) < iota_share(located, rule->share)
		       ? iota_spot_v(spot, IOTA_S_CALLS)
		       : 0;
}

void iota_rule_no_readahead(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight < rule->least || e->group->v[IOTA_S_BYTES] < rule->size)
		return;
	f = iota_about_group(rule, e->group);
	f.saves[1] = f.time;
	iota_finding_add(a, f);
}
