/* SPDX-License-Identifier: BSD-3-Clause */
/* slow.c - calls that took long. */
#include "config.h"

#include "rules.h"

void iota_rule_slow(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	/* time of calls inside is theirs */
	if (!v[IOTA_F_SLOW] || v[IOTA_F_SLOW_TIME] < rule->time)
		return;
	f.count = v[IOTA_F_SLOW];
	f.of = v[IOTA_F_CALLS];
	f.time = v[IOTA_F_SLOW_TIME];
	iota_finding_add(a, f);
}
