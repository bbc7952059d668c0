/* SPDX-License-Identifier: BSD-3-Clause */
/* element_wise.c - arrays that Fortran statements move element by element. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_element_wise(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const uint64_t *v = spot->v;

	bool of_all = v[IOTA_S_RAW] == v[IOTA_S_CALLS] || v[IOTA_S_NONADVANCING] == v[IOTA_S_CALLS];

	return of_all && v[IOTA_S_BYTES] / v[IOTA_S_CALLS] < rule->size ? v[IOTA_S_CALLS] : 0;
}

void iota_rule_element_wise(struct iota *a, const struct iota_rule *rule,
		  const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, (e->group->weight + 99) / 100);
}
