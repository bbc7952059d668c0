/* SPDX-License-Identifier: BSD-3-Clause */
/* sync.c - fsync() and its like after little. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_sync(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return !iota_is_synced_once(spot) ? iota_weigh_syncs(rule, spot) : 0;
}

void iota_rule_sync(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_syncs(a, rule, e->group);
}
