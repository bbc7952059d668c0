/* SPDX-License-Identifier: BSD-3-Clause */
/* element_wise.c - arrays that Fortran statements move element by element. */
#include "config.h"

#include "rules.h"

/* Does the runtime read much more than is asked for, since each statement reads elsewhere?  Then that is
   what costs. */
static bool is_elsewhere(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return spot->does == IOTA_DOES_READ && spot->file->v[IOTA_F_READ] / rule->factor > spot->v[IOTA_S_BYTES];
}

uint64_t iota_weigh_element_wise(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const uint64_t *v = spot->v;
	bool of_all = v[IOTA_S_RAW] == v[IOTA_S_CALLS] || v[IOTA_S_NONADVANCING] == v[IOTA_S_CALLS];

	return of_all && v[IOTA_S_BYTES] / v[IOTA_S_CALLS] < rule->size && !is_elsewhere(rule, spot) ? v[IOTA_S_CALLS] : 0;
}

void iota_rule_element_wise(struct iota *a, const struct iota_rule *rule,
		  const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, (e->group->weight + 99) / 100);
}
