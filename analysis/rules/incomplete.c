/* SPDX-License-Identifier: BSD-3-Clause */
/* incomplete.c - operations that no call has ended; each is one, until they are joined. */
#include "config.h"

#include "rules.h"

void iota_rule_incomplete(struct iota *a, const struct iota_rule *rule,
			  const struct iota_evidence *e)
{
	size_t n, i;
	const struct iota_op *op = iota_ops_left(&a->ops, &n);

	(void)e;
	for (i = 0; i < n; i++) {
		struct iota_finding f = {.rule = rule, .count = 1, .bytes = op[i].size};

		f.name = op[i].path ? op[i].path->name : op[i].call;
		f.name_len = op[i].path ? op[i].path->len : strlen(op[i].call);
		iota_finding_add(a, f);
	}
}
