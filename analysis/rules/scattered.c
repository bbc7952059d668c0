/* SPDX-License-Identifier: BSD-3-Clause */
/* scattered.c - transfers that do not follow each other. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_scattered(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_jumps(rule, spot) && !iota_goes_back(spot) && !iota_strides(spot) ? iota_spot_v(spot, IOTA_S_JUMPS) : 0;
}

void iota_rule_scattered(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_jumps(a, rule, e->group);
}
