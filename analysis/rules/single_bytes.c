/* SPDX-License-Identifier: BSD-3-Clause */
/* single_bytes.c - one byte a call. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_single_bytes(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->is_syscall && !iota_each_carries(spot) && !iota_is_flush(spot) &&
			       spot->v[IOTA_S_ONES] >=
				       iota_share(spot->v[IOTA_S_CALLS], rule->share)
		       ? spot->v[IOTA_S_ONES]
		       : 0;
}

void iota_rule_single_bytes(struct iota *a, const struct iota_rule *rule,
			    const struct iota_evidence *e)
{
	iota_judge_small(a, rule, e->group);
}
