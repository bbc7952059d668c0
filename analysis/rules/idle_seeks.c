/* SPDX-License-Identifier: BSD-3-Clause */
/* idle_seeks.c - seeks to where the offset is. */
#include "config.h"

#include "rules.h"

void iota_rule_idle_seeks(struct iota *a, const struct iota_rule *rule,
			  const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	if (!(v[IOTA_F_IDLE_SEEKS] >= rule->least &&
	      v[IOTA_F_IDLE_SEEKS] >= iota_share(v[IOTA_F_SEEKS], rule->share)))
		return;
	f.count = v[IOTA_F_IDLE_SEEKS];
	f.of = v[IOTA_F_SEEKS];
	iota_finding_add(a, f);
}
