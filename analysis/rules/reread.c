/* SPDX-License-Identifier: BSD-3-Clause */
/* reread.c - files that are read more than once. */
#include "config.h"

#include "rules.h"

void iota_rule_reread(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	if (!(v[IOTA_F_HIGHEST_READ] && v[IOTA_F_READ] / rule->factor >= v[IOTA_F_HIGHEST_READ]))
		return;
	f.count = v[IOTA_F_READS];
	f.bytes = v[IOTA_F_READ];
	f.of = v[IOTA_F_HIGHEST_READ];
	f.time = v[IOTA_F_READ_TIME];
	iota_finding_add(a, f);
}
