/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - the findings of iotrace-stat as its man page has to list them. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "../../analysis/analysis.h"

/* A sentence with those that the rule has. */
static void thresholds(struct iota_rule *rule)
{
	struct iota_threshold t;
	bool any = false;
	uint64_t v;
	unsigned n;

	for (n = 0; (t = iota_threshold(n)).name; n++) {
		v = *iota_threshold_of(rule, n);
		if (!v)
			continue;
		printf(any ? ", " : "Thresholds: ");
		if (t.unit == IOTA_UNIT_SECONDS)
			printf("\\fB%s\\fP=%gs", t.name, (double)v / 1e9);
		else
			printf("\\fB%s\\fP=%llu", t.name, (unsigned long long)v);
		any = true;
	}
	if (any)
		puts(".");
}

int main(void)
{
	const struct iota_finding f = {.count = 2};
	struct iota *a = iota_new(0);
	const struct iota_rule *rule;
	size_t i;

	for (rule = iota_rules; rule->id; rule++) {
		struct iota_finding of_rule = f;
		struct iota_bytes when = {0}, says = {0};

		printf(".TP\n.B ");
		for (i = 0; rule->id[i]; i++)
			printf(rule->id[i] == '-' ? "\\-" : "%c", rule->id[i]);
		iota_words_of_rule(&when, rule, rule->when);
		putchar('\n');
		/* a line for each sentence */
		for (i = 0; i < when.len; i++)
			putchar(i && when.p[i] == ' ' && when.p[i - 1] == '.' ? '\n' : when.p[i]);
		putchar('\n');
		thresholds(iota_rule(a, rule->id));
		of_rule.rule = rule;
		iota_words(&says, &of_rule, iota_words_bytes);
		if (memchr(when.p, '{', when.len) || memchr(says.p, '{', says.len))
			fprintf(stderr, "%s: what stands in braces is nothing\n", rule->id);
		if (!rule->remedy || strcmp(iota_rule(a, rule->id)->when, rule->when))
			fprintf(stderr, "%s: no remedy, or the id of two\n", rule->id);
	}
	iota_free(a);
	return 0;
}
