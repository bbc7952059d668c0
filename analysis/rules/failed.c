/* SPDX-License-Identifier: BSD-3-Clause */
/* failed.c - calls that fail again and again. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_failed(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->counted || spot->v[IOTA_S_BENEATH] ||
			       spot->v[IOTA_S_ERRORS] <
				       iota_share(spot->v[IOTA_S_CALLS], rule->share)
		       ? 0
		       : spot->v[IOTA_S_ERRORS];
}

void iota_rule_failed(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, 0);
}
