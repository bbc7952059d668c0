/* SPDX-License-Identifier: BSD-3-Clause */
/* failed.c - calls that fail again and again. */
#include "config.h"

#include "rules.h"

void iota_rule_failed(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	if (!(v[IOTA_F_ERRORS] >= rule->least &&
	      v[IOTA_F_ERRORS] >= iota_share(v[IOTA_F_CALLS], rule->share)))
		return;
	f.count = v[IOTA_F_ERRORS];
	f.of = v[IOTA_F_CALLS];
	f.time = v[IOTA_F_SELF];
	iota_finding_add(a, f);
}
