/* SPDX-License-Identifier: BSD-3-Clause */
/* idle_seeks.c - seeks to where the offset is. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_idle_seeks(const struct iota_rule *rule, const struct iota_spot *spot)
{
	const uint64_t *of_file = spot->file->v;

	return of_file[IOTA_F_IDLE_SEEKS] >= iota_share(of_file[IOTA_F_SEEKS], rule->share)
		       ? iota_spot_v(spot, IOTA_S_IDLE)
		       : 0;
}

void iota_rule_idle_seeks(struct iota *a, const struct iota_rule *rule,
			  const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	if (f.files == 1)
		f.of = e->group->file->v[IOTA_F_SEEKS];
	iota_saves_without(&f, f.count);
	iota_finding_add(a, f);
}
