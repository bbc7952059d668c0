/* SPDX-License-Identifier: BSD-3-Clause */
/* backwards.c - files that are gone through from their end. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_backwards(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_jumps(rule, spot) && iota_goes_back(spot) ? iota_spot_v(spot, IOTA_S_JUMPS) : 0;
}

void iota_rule_backwards(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_jumps(a, rule, e->group);
}
