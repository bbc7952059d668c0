/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - the findings of iotrace-stat as its man page lists them; fails if a rule's text is wrong. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "../analysis/analysis.h"

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

/* A text whose braces are filled in, a line for each sentence; false: one of them means nothing. */
static bool sentences(const struct iota_bytes *text)
{
	size_t i;

	for (i = 0; i < text->len; i++)
		putchar(i && text->p[i] == ' ' && text->p[i - 1] == '.' ? '\n' : text->p[i]);
	putchar('\n');
	return !memchr(text->p, '{', text->len);
}

/* What is wrong with it; NULL: nothing. */
static const char *print_rule(struct iota_rule *rule)
{
	const struct iota_finding f = {.rule = rule, .count = 2};
	struct iota_bytes when = {0}, says = {0};
	const char *id;
	bool sound;

	if (!rule->title || !rule->when || !rule->says || !rule->remedy)
		return ".title, .when, .says or .remedy is missing";
	printf(".TP\n.B ");
	for (id = rule->id; *id; id++)
		printf(*id == '-' ? "\\-" : "%c", *id);
	putchar('\n');
	iota_words_of_rule(&when, rule, rule->when);
	iota_words(&says, &f, iota_words_bytes);
	sound = sentences(&when);
	thresholds(rule);
	return sound && !memchr(says.p, '{', says.len) ? NULL : "what stands in braces means nothing, see analysis/words.c";
}

int main(void)
{
	struct iota *a = iota_new(0);
	const struct iota_rule *rule;
	int status = 0;

	for (rule = iota_rules(a); rule->id; rule++) {
		const char *wrong = print_rule(iota_rule(a, rule->id));

		if (!wrong)
			continue;
		fprintf(stderr, "the rule %s (analysis/rules/): %s\n", rule->id, wrong);
		status = 1;
	}
	iota_free(a);
	return status;
}
