/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - the findings of iotrace-stat as its man page has to list them. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "../../analysis/analysis.h"

int main(void)
{
	const struct iota_finding f = {.count = 2};
	const struct iota_rule *rule;
	size_t i;

	for (rule = iota_rules; rule->id; rule++) {
		struct iota_finding of_rule = f;
		struct iota_bytes when = {0}, says = {0};

		printf(".TP\n.B ");
		for (i = 0; rule->id[i]; i++)
			printf(rule->id[i] == '-' ? "\\-" : "%c", rule->id[i]);
		iota_words_when(&when, rule);
		putchar('\n');
		/* a line for each sentence */
		for (i = 0; i < when.len; i++)
			putchar(i && when.p[i] == ' ' && when.p[i - 1] == '.' ? '\n' : when.p[i]);
		putchar('\n');
		of_rule.rule = rule;
		iota_words(&says, &of_rule, iota_words_bytes);
		if (memchr(when.p, '{', when.len) || memchr(says.p, '{', says.len))
			fprintf(stderr, "%s: what stands in braces is nothing\n", rule->id);
		if (!rule->remedy || iota_rule(rule->id) != rule)
			fprintf(stderr, "%s: no remedy, or the id of two\n", rule->id);
	}
	return 0;
}
