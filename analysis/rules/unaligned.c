/* SPDX-License-Identifier: BSD-3-Clause */
/* unaligned.c - writes of blocks in part. */
#include "config.h"

#include "rules.h"

#define UNIT 4096 /* bytes: of most file systems */

uint64_t iota_weigh_unaligned(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_spot_v(spot, IOTA_S_UNALIGNED) > iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share) &&
			       iota_spot_mean(spot) < rule->size
		       ? iota_spot_v(spot, IOTA_S_UNALIGNED)
		       : 0;
}

/* Up to two blocks are read for each; that they take as long a byte is the most that is saved. */
void iota_rule_unaligned(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;
	double kept, more;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	kept = (double)f.bytes / (double)f.calls;
	more = 2 * UNIT;
	f.saves[1] = (uint64_t)((double)f.time * more / (kept + more));
	iota_finding_add(a, f);
}
