/* SPDX-License-Identifier: BSD-3-Clause */
/* locked.c - locks that are taken for little. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_locked(const struct iota_rule *rule, const struct iota_spot *spot)
{
	(void)rule;
	if (spot->chain && spot->chain->way & IOTA_BY_MPI)
		return 0; /* the program has not chosen it: see shared-pointer */
	return !strcmp(spot->call, "fcntl") || !strcmp(spot->call, "flock") ||
			       !strcmp(spot->call, "lockf")
		       ? iota_spot_v(spot, IOTA_S_WAITS)
		       : 0;
}

void iota_rule_locked(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const struct iota_group *g = e->group;
	struct iota_finding f;

	if (g->weight < rule->least &&
	    (g->weight < rule->factor || g->v[IOTA_S_TIME] / g->weight < rule->time))
		return;
	f = iota_about_group(rule, e->group);
	iota_saves_without(&f, f.count - f.count / 10);
	iota_finding_add(a, f);
}
