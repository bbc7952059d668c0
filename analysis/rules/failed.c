/* SPDX-License-Identifier: BSD-3-Clause */
/* failed.c - calls that fail again and again. */
#include "config.h"

#include "rules.h"

/* That a file is not there, one call has to find out. */
uint64_t iota_weigh_failed(const struct iota_rule *rule, const struct iota_spot *spot)
{
	uint64_t errors = iota_spot_v(spot, IOTA_S_ERRORS);

	if (spot->counted || iota_spot_v(spot, IOTA_S_BENEATH) ||
	    errors < iota_share(iota_spot_v(spot, IOTA_S_CALLS), rule->share))
		return 0;
	return errors - (iota_spot_v(spot, IOTA_S_MISSING) > 0);
}

void iota_rule_failed(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	struct iota_finding f;

	if (e->group->weight < rule->least)
		return;
	f = iota_about_group(rule, e->group);
	f.count = e->group->v[IOTA_S_ERRORS];
	iota_saves_without(&f, e->group->weight);
	iota_finding_add(a, f);
}
