/* SPDX-License-Identifier: BSD-3-Clause */
/* single_bytes.c - one byte a call. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_single_bytes(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_single(rule, spot);
}

void iota_rule_single_bytes(struct iota *a, const struct iota_rule *rule,
			    const struct iota_evidence *e)
{
	iota_judge_small(a, rule, e->group);
}
