/* SPDX-License-Identifier: BSD-3-Clause */
/* small_writes.c - the same as small_reads.c, of writes. */
#include "config.h"

#include "rules.h"

void iota_rule_small_writes(struct iota *a, const struct iota_rule *rule,
			    const struct iota_evidence *e)
{
	iota_small(a, rule, e->row, 1);
}
