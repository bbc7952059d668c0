/* SPDX-License-Identifier: BSD-3-Clause */
/* flushed.c - streams that are flushed after each record. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_flushed(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_WRITE && iota_is_flush(spot) && iota_mostly_small(rule, spot)
		       ? iota_spot_v(spot, IOTA_S_SMALL)
		       : 0;
}

void iota_rule_flushed(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_small(a, rule, e->group);
}
