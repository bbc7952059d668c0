/* SPDX-License-Identifier: BSD-3-Clause */
/* scattered.c - transfers that do not follow each other. */
#include "config.h"

#include "rules.h"

void iota_rule_scattered(struct iota *a, const struct iota_rule *rule,
			 const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	if (!(v[IOTA_F_LOCATED] >= rule->least &&
	      v[IOTA_F_CONSECUTIVE] < iota_share(v[IOTA_F_LOCATED], rule->share)))
		return;
	f.count = v[IOTA_F_LOCATED] - v[IOTA_F_CONSECUTIVE];
	f.of = v[IOTA_F_LOCATED];
	f.time = v[IOTA_F_READ_TIME] + v[IOTA_F_WRITE_TIME];
	iota_finding_add(a, f);
}
