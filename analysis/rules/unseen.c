/* SPDX-License-Identifier: BSD-3-Clause */
/* unseen.c - calls that have others read and write, who are not seen. */
#include "config.h"

#include "rules.h"

void iota_rule_unseen(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	const uint64_t *v = e->row->v;
	struct iota_finding f = iota_about(rule, e->row);

	if (!(iota_unseen_begins(e->row->name, e->row->extra) && v[IOTA_F_ERRORS] != v[IOTA_F_CALLS]))
		return;
	f.count = v[IOTA_F_CALLS] - v[IOTA_F_ERRORS];
	f.of = v[IOTA_F_CALLS];
	f.time = v[IOTA_F_SELF];
	iota_finding_add(a, f);
}
