/* SPDX-License-Identifier: BSD-3-Clause */
/* reopened.c - files that are opened again and again. */
#include "config.h"

#include "rules.h"

void iota_rule_reopened(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	if (!(v[IOTA_F_OPENS] >= rule->least))
		return;
	f.count = v[IOTA_F_OPENS];
	f.time = v[IOTA_F_OPEN_TIME];
	iota_finding_add(a, f);
}
