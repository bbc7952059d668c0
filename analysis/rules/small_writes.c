/* SPDX-License-Identifier: BSD-3-Clause */
/* small_writes.c - writes that move little, and many of them. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_small_writes(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_small(rule, spot, IOTA_DOES_WRITE) ? iota_spot_v(spot, IOTA_S_SMALL) : 0;
}

void iota_rule_small_writes(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_small(a, rule, e->group);
}
