/* SPDX-License-Identifier: BSD-3-Clause */
/* unbuffered.c - streams without a buffer. */
#include "config.h"

#include <stdio.h>

#include "rules.h"

uint64_t iota_weigh_unbuffered(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_set_buffering(rule, spot, _IONBF) || iota_lacks_filebuf(rule, spot) ? iota_spot_v(spot, IOTA_S_SMALL) : 0;
}

void iota_rule_unbuffered(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_small(a, rule, e->group);
}
