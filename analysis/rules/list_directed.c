/* SPDX-License-Identifier: BSD-3-Clause */
/* list_directed.c - Fortran's output with * for the format, in small items.  How input is laid out,
   the program can't choose. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_list_directed(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t calls = iota_spot_v(spot, IOTA_S_CALLS);

	return spot->does == IOTA_DOES_WRITE && iota_spot_v(spot, IOTA_S_LIST) == calls && iota_spot_mean(spot) < rule->size
		       ? calls
		       : 0;
}

void iota_rule_list_directed(struct iota *a, const struct iota_rule *rule,
		  const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, e->group->weight / 10);
}
