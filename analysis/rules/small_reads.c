/* SPDX-License-Identifier: BSD-3-Clause */
/* small_reads.c - transfers that are small, and many. */
#include "config.h"

#include "rules.h"

void iota_small(struct iota *a, const struct iota_rule *rule, const struct iota_row *row,
		unsigned direction)
{
	const struct iota_sizes *s = row->sizes[direction];
	struct iota_finding f = iota_about(rule, row);
	unsigned i;

	for (i = 0; s && i < IOTA_N_SIZES; i++) {
		f.of += s->n[i];
		if (!i || 1ull << i > rule->size)
			continue;
		f.count += s->n[i];
		f.bytes += s->sum[i];
	}
	if (f.count < rule->least || f.count < iota_share(f.of, rule->share))
		return;
	f.time = row->v[direction ? IOTA_F_WRITE_TIME : IOTA_F_READ_TIME];
	iota_finding_add(a, f);
}

void iota_rule_small_reads(struct iota *a, const struct iota_rule *rule,
			   const struct iota_evidence *e)
{
	iota_small(a, rule, e->row, 0);
}
