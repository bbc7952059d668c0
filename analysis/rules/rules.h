/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h - what the functions that judge have in common; each is in a file of its own. */
#ifndef IOTA_RULES_H
#define IOTA_RULES_H

#include "../internal.h"

#define RULE(name, ...) iota_judge_fn iota_rule_##name;
#include "../rules.def"
#undef RULE

/* A finding about a row, with nothing in it yet. */
static inline struct iota_finding iota_about(const struct iota_rule *rule,
					     const struct iota_row *row)
{
	return (struct iota_finding){.rule = rule, .name = row->name, .name_len = row->name_len};
}

/* Percent of a number. */
static inline uint64_t iota_share(uint64_t of, uint64_t percent)
{
	return of / 100 * percent + of % 100 * percent / 100;
}

/* small_reads.c: direction 0 reads, 1 writes */
void iota_small(struct iota *a, const struct iota_rule *rule, const struct iota_row *row,
		unsigned direction);

#endif
