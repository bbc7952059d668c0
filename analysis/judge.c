/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c - what stands out: the rules of rules/ judge what they look at. */
#include "config.h"

#include <stdlib.h>

#include "rules/rules.h"

#define ROW(name, id) extern const struct iota_rule iota_rule_##name;
#include "analysis/rules.list"

static const struct {
	const struct iota_rule *rule;
	const char *id;
} rules[] = {
#define ROW(name, id) {&iota_rule_##name, id},
#include "analysis/rules.list"
};
#define N_RULES (sizeof(rules) / sizeof(rules[0]))
_Static_assert(N_RULES <= 8 * sizeof(iota_about_t), "each rule has a bit: iota_about_t");

void iota_rules_begin(struct iota *a)
{
	size_t i;

	a->rules = iota_alloc(&a->memory, (N_RULES + 1) * sizeof(*a->rules));
	for (i = 0; i < N_RULES; i++) {
		a->rules[i] = *rules[i].rule;
		a->rules[i].id = rules[i].id;
	}
	a->slow = iota_rule(a, "slow");
	a->small[0] = iota_rule(a, "small-reads");
	a->small[1] = iota_rule(a, "small-writes");
	a->touched = iota_rule(a, "touched-at-random");
}

const struct iota_rule *iota_rules(const struct iota *a)
{
	return a->rules;
}

struct iota_rule *iota_rule(struct iota *a, const char *id)
{
	struct iota_rule *rule;

	for (rule = a->rules; rule->id; rule++)
		if (!strcmp(rule->id, id))
			return rule;
	return NULL;
}

void iota_judge(struct iota *a, enum iota_over over, const struct iota_evidence *e)
{
	const struct iota_rule *rule;

	for (rule = a->rules; rule->id && a->finds; rule++)
		if (rule->over == over && !rule->off)
			rule->judge(a, rule, e);
}

static void judge_lines(struct iota *a)
{
	struct iota_matter *matter = iota_rules_about_spots(a), *m;
	const struct iota_rule *rule;

	for (rule = a->rules, m = matter; rule->id; rule++, m++) {
		iota_judge_groups(a, rule, m);
		free(m->spot);
	}
	free(matter);
}

static void judge_rows(struct iota *a, enum iota_over over, const struct iota_table *t)
{
	struct iota_evidence e = {0};
	size_t i;

	for (i = 0; i < t->n; i++) {
		e.row = t->row[i];
		iota_judge(a, over, &e);
	}
}

const struct iota_finding *iota_findings(struct iota *a, size_t *n)
{
	if (a->finds && !a->judged) {
		iota_spots_sort(a);
		judge_rows(a, IOTA_OVER_FILES, &a->table[IOTA_BY_FILE]);
		judge_lines(a);
		judge_rows(a, IOTA_OVER_CALLS, &a->table[IOTA_BY_CALL]);
		iota_judge(a, IOTA_OVER_ALL, &(struct iota_evidence){0});
		iota_saves_of_run(a);
		iota_findings_sort(a);
		iota_findings_join(a);
		iota_judge(a, IOTA_OVER_FINDINGS, &(struct iota_evidence){0});
		iota_findings_sort(a);
		a->judged = true;
	}
	*n = a->n_findings;
	return a->findings;
}
