/* SPDX-License-Identifier: BSD-3-Clause */
/* grown.c - files that are made longer little by little. */
#include "config.h"

#include "rules.h"

uint64_t iota_weigh_grown(const struct iota_rule *rule, const struct iota_spot *spot)
{
	static const char *const names[] = {"ftruncate", "truncate", "fallocate", "posix_fallocate"};
	uint64_t calls = spot->v[IOTA_S_CALLS] - spot->v[IOTA_S_ERRORS];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(spot->call, names[i]))
			return calls >= rule->least ? calls : 0;
	return 0;
}

void iota_rule_grown(struct iota *a, const struct iota_rule *rule, const struct iota_evidence *e)
{
	iota_judge_without(a, rule, e->group, (e->group->weight + rule->factor - 1) / rule->factor);
}
