/* SPDX-License-Identifier: BSD-3-Clause */
/* serial_reads.c - one rank that reads, of which the log does not tell for whom. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_serial_reads(const struct iota_rule *rule, const struct iota_spot *spot)
{
	return iota_by_one(rule, spot, 0);
}

void iota_rule_serial_reads(struct iota *a, const struct iota_rule *rule,
			    const struct iota_evidence *e)
{
	struct iota_finding f;

	if (!iota_moves_alone(a, rule, e->group->file, 0) || iota_handed_out(a) != IOTA_HANDED_UNSEEN)
		return;
	f = iota_about_group(rule, e->group);
	f.of = iota_ranks_beside(a, e->group->file->mover[0]);
	iota_finding_add(a, f);
}
