/* SPDX-License-Identifier: BSD-3-Clause */
/* shared_pointer.c - transfers of MPI's at the file pointer that all ranks share. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_shared_pointer(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	return iota_shares_pointer(spot) ? iota_spot_v(spot, IOTA_S_CALLS) : 0;
}

/* MPI keeps the pointer in a file of its own, which it locks. */
static uint64_t time_beneath(struct iota *a, const struct iota_spot *spot)
{
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < a->spots.n; i++) {
		struct iota_spot *s = a->spots.spot[i];

		if (iota_spot_v(s, IOTA_S_BENEATH) && !iota_chain_compare(s->chain, spot->chain))
			time += iota_spot_count(s);
	}
	return time;
}

void iota_rule_shared_pointer(struct iota *a, const struct iota_rule *rule,
			      const struct iota_evidence *e)
{
	struct iota_finding f;
	size_t i;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	for (i = 0; i < e->group->n; i++)
		f.time += time_beneath(a, e->group->spot[i]);
	iota_saves_without(&f, f.count / 2);
	iota_finding_add(a, f);
}
