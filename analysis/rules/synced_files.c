/* SPDX-License-Identifier: BSD-3-Clause */
/* synced_files.c - fsync() and its like for each of many files. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_synced_files(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_is_synced_once(spot) ? iota_weigh_syncs(rule, spot) : 0;
}

void iota_rule_synced_files(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_syncs(a, rule, e->group);
}
