/* SPDX-License-Identifier: BSD-3-Clause */
/* rule.c - --rule: thresholds of findings, and findings that are not wanted. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "stat.h"

static const char **given;
static size_t n_given;

void iot_stat_rule(const char *text)
{
	given = reallocarray(given, n_given + 1, sizeof(*given));
	if (!given)
		iot_no_memory();
	given[n_given++] = text;
}

static uint64_t value_of(const char *option, const char *text, const struct iota_threshold *t)
{
	uint64_t v;

	switch (t->unit) {
	case IOTA_UNIT_BYTES:
		v = iot_option_size(option, text);
		break;
	case IOTA_UNIT_SECONDS:
		v = iot_option_duration(option, text);
		break;
	default:
		return iot_option_number(option, text, t->min, t->max);
	}
	if (v < t->min || v > t->max)
		iot_die("%s: '%s' is not in range; it has to be more than 0%s", option, text,
			t->unit == IOTA_UNIT_BYTES ? " and at most 1048576T" : "");
	return v;
}

/* The thresholds that the rule has, or all rules. */
static void list(char *names, size_t size, struct iota_rule *rule)
{
	struct iota_threshold t;
	size_t n = 0;
	unsigned i;

	names[0] = '\0';
	for (i = 0; (t = iota_threshold(i)).name; i++)
		if (*iota_threshold_of(rule, i))
			n += (size_t)snprintf(names + n, size - n, "%s%s", n ? ", " : "", t.name);
}

static void set_threshold(struct iota_rule *rule, const char *name, const char *value)
{
	struct iota_threshold t;
	char option[100], names[100];
	unsigned i;

	for (i = 0; (t = iota_threshold(i)).name; i++)
		if (!strcmp(t.name, name) && *iota_threshold_of(rule, i))
			break;
	if (!t.name) {
		list(names, sizeof(names), rule);
		iot_die("--rule: '%s' is no threshold of %s, which has: %s", name, rule->id,
			names[0] ? names : "none");
	}
	snprintf(option, sizeof(option), "--rule=%s.%s", rule->id, t.name);
	*iota_threshold_of(rule, i) = value_of(option, value, &t);
}

static void set_rule(struct iota *a, const char *text)
{
	static const char *const states[] = {"off", "on", NULL};
	char *copy = strdup(text), *value, *threshold, option[100];
	struct iota_rule *rule;

	if (!copy)
		iot_no_memory();
	value = strchr(copy, '=');
	if (!value)
		iot_die("--rule: '%s' has no =; give one as small-writes.least=500 or sync=off",
			text);
	*value++ = '\0';
	threshold = strchr(copy, '.');
	if (threshold)
		*threshold++ = '\0';
	rule = iota_rule(a, copy);
	if (!rule)
		iot_die("--rule: '%s' is no finding; iotrace-findings(7) lists them", copy);
	if (threshold) {
		set_threshold(rule, threshold, value);
	} else {
		snprintf(option, sizeof(option), "--rule=%s", rule->id);
		rule->off = !iot_option_choice(option, value, states);
	}
	free(copy);
}

void iot_stat_rules_set(struct iota *a)
{
	size_t i;

	for (i = 0; i < n_given; i++)
		set_rule(a, given[i]);
}
