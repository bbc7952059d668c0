/* SPDX-License-Identifier: BSD-3-Clause */
/* element_wise.c - arrays that Fortran statements move element by element. */
#include "config.h"

#include "rules.h"

/* What is as much work for the runtime to read as a statement is. */
#define WORK 1024 /* bytes */

/* Does the runtime read much more than is asked for, since each statement reads elsewhere?  Then
   that is what costs. */
static bool is_elsewhere(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const uint64_t *of_file = spot->file->v;

	return spot->does == IOTA_DOES_READ && of_file[IOTA_F_READ] / rule->factor > iota_spot_v(spot, IOTA_S_BYTES) &&
	       of_file[IOTA_F_READ] / iota_spot_v(spot, IOTA_S_CALLS) >= WORK;
}

uint64_t iota_weigh_element_wise(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t calls = iota_spot_v(spot, IOTA_S_CALLS);
	bool of_all = iota_spot_v(spot, IOTA_S_RAW) == calls || iota_spot_v(spot, IOTA_S_NONADVANCING) == calls;

	return of_all && iota_spot_mean(spot) < rule->size && !is_elsewhere(rule, spot) ? calls : 0;
}

void iota_rule_element_wise(struct iota *a, const struct iota_rule *rule,
		  const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, (e->group->weight + 99) / 100);
}
