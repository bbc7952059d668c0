/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - what stands out: the rules of rules.def judge what they look at, and what
 * they find is put in order and in words.
 */
#include "config.h"

#include <stdlib.h>

#include "rules/rules.h"

const struct iota_rule iota_rules[] = {
#define RULE(name, ...) {.judge = iota_rule_##name, __VA_ARGS__},
#define LINES(name, ...)                                                                           \
	RULE(name, .weigh = iota_weigh_##name, .over = IOTA_OVER_LINES, __VA_ARGS__)
#include "rules.def"
#undef LINES
#undef RULE
	{.id = NULL},
};

void iota_rules_begin(struct iota *a)
{
	a->rules = iota_alloc(&a->memory, sizeof(iota_rules));
	memcpy(a->rules, iota_rules, sizeof(iota_rules));
	a->slow = iota_rule(a, "slow");
	a->small[0] = iota_rule(a, "small-reads");
	a->small[1] = iota_rule(a, "small-writes");
}

struct iota_rule *iota_rule(struct iota *a, const char *id)
{
	struct iota_rule *rule;

	for (rule = a->rules; rule->id; rule++)
		if (!strcmp(rule->id, id))
			return rule;
	return NULL;
}

const char *iota_severity_name(enum iota_severity severity)
{
	static const char *const name[] = {
		[IOTA_INFO] = "info", [IOTA_COST] = "cost", [IOTA_FAULT] = "fault"};

	return name[severity];
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
	const struct iota_rule *rule;

	for (rule = a->rules; rule->id; rule++)
		if (rule->over == IOTA_OVER_LINES && !rule->off)
			iota_judge_groups(a, rule);
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

/* ---- thresholds ---- */

/* Their names are those of struct iota_rule, in braces in a rule's texts, and in options. */
static const struct {
	struct iota_threshold is;
	size_t at;
} thresholds[] = {
	{{"least", IOTA_UNIT_COUNT, 1, UINT32_MAX}, offsetof(struct iota_rule, least)},
	{{"share", IOTA_UNIT_SHARE, 1, 100}, offsetof(struct iota_rule, share)},
	{{"size", IOTA_UNIT_BYTES, 1, 1ull << 60}, offsetof(struct iota_rule, size)},
	{{"factor", IOTA_UNIT_COUNT, 1, UINT32_MAX}, offsetof(struct iota_rule, factor)},
	{{"time", IOTA_UNIT_SECONDS, 1, UINT64_MAX}, offsetof(struct iota_rule, time)},
};
#define N_THRESHOLDS (sizeof(thresholds) / sizeof(thresholds[0]))

struct iota_threshold iota_threshold(unsigned n)
{
	return n < N_THRESHOLDS ? thresholds[n].is : (struct iota_threshold){0};
}

static uint64_t threshold_of(const struct iota_rule *rule, unsigned n)
{
	return *(const uint64_t *)(const void *)((const char *)rule + thresholds[n].at);
}

uint64_t *iota_threshold_of(struct iota_rule *rule, unsigned n)
{
	return (uint64_t *)(void *)((char *)rule + thresholds[n].at);
}

/* ---- findings ---- */

size_t iota_lines(const struct iota_finding *f)
{
	return f->chain ? f->chain->n : 0;
}

struct iota_line iota_line(const struct iota_finding *f, size_t n)
{
	const struct iota_place *p = f->chain->at[n];

	return (struct iota_line){p->func, p->file, p->module, p->line, p->offset};
}

void iota_finding_add(struct iota *a, struct iota_finding f)
{
	if (a->n_findings == a->cap_findings) {
		a->cap_findings = a->cap_findings ? a->cap_findings * 2 : 16;
		a->findings = iota_grow(a->findings, a->cap_findings, sizeof(*a->findings));
	}
	a->findings[a->n_findings++] = f;
}

/* from has the same file, and is to be forgotten */
static void add_up(struct iota_finding *to, const struct iota_finding *from)
{
	to->count += from->count;
	to->calls += from->calls;
	to->time += from->time;
	to->saves[0] += from->saves[0];
	to->saves[1] += from->saves[1];
}

void iota_finding_of_file(struct iota *a, struct iota_finding f)
{
	size_t i;

	for (i = 0; i < a->n_findings; i++) {
		struct iota_finding *there = &a->findings[i], first = *there;

		if (there->rule != f.rule || there->name != f.name || there->name_len != f.name_len)
			continue;
		if (f.time > first.time)
			*there = f;
		add_up(there, f.time > first.time ? &first : &f);
		return;
	}
	iota_finding_add(a, f);
}

void iota_findings_free(struct iota *a)
{
	free(a->findings);
}

static int by_time(const void *a, const void *b)
{
	const struct iota_finding *x = a, *y = b;
	int order;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	order = strcmp(x->rule->id, y->rule->id);
	if (order || !x->name || !y->name)
		return order;
	order = memcmp(x->name, y->name, x->name_len < y->name_len ? x->name_len : y->name_len);
	return order ? order : (x->name_len > y->name_len) - (x->name_len < y->name_len);
}

static void sort(struct iota *a)
{
	if (a->n_findings)
		qsort(a->findings, a->n_findings, sizeof(*a->findings), by_time);
}

/* Those of the same name, which have come next to each other. */
static void join(struct iota *a)
{
	size_t i, n = 0;

	for (i = 0; i < a->n_findings; i++) {
		struct iota_finding *f = &a->findings[i], *last = n ? &a->findings[n - 1] : NULL;

		if (last && f->rule->joins && !by_time(f, last)) {
			last->count += f->count;
			last->bytes += f->bytes;
		} else {
			a->findings[n++] = *f;
		}
	}
	a->n_findings = n;
}

const struct iota_finding *iota_findings(struct iota *a, size_t *n)
{
	if (a->finds && !a->judged) {
		iota_spots_sort(a);
		judge_rows(a, IOTA_OVER_FILES, &a->table[IOTA_BY_FILE]);
		judge_lines(a);
		judge_rows(a, IOTA_OVER_CALLS, &a->table[IOTA_BY_CALL]);
		iota_judge(a, IOTA_OVER_ALL, &(struct iota_evidence){0});
		sort(a);
		join(a);
		iota_judge(a, IOTA_OVER_FINDINGS, &(struct iota_evidence){0});
		sort(a);
		a->judged = true;
	}
	*n = a->n_findings;
	return a->findings;
}

/* ---- in words ---- */

/* 1234567: "1,234,567" */
static void grouped(struct iota_bytes *to, uint64_t v)
{
	if (v >= 1000) {
		grouped(to, v / 1000);
		iota_bytes_format(to, ",%03u", (unsigned)(v % 1000));
	} else {
		iota_bytes_format(to, "%u", (unsigned)v);
	}
}

static void plain(struct iota_bytes *to, uint64_t v)
{
	iota_bytes_format(to, "%llu", (unsigned long long)v);
}

void iota_words_bytes(struct iota_bytes *to, uint64_t bytes)
{
	plain(to, bytes);
	iota_bytes_text(to, bytes == 1 ? " byte" : " bytes");
}

/* What stands in braces: one of a rule's thresholds, */
static bool threshold(struct iota_bytes *to, const char *key, const struct iota_rule *rule,
		      void (*number)(struct iota_bytes *, uint64_t))
{
	unsigned n;

	for (n = 0; n < N_THRESHOLDS; n++) {
		if (strcmp(key, thresholds[n].is.name))
			continue;
		if (thresholds[n].is.unit == IOTA_UNIT_SECONDS)
			iota_bytes_format(to, "%g s", (double)threshold_of(rule, n) / 1e9);
		else
			number(to, threshold_of(rule, n));
		return true;
	}
	return false;
}

/* or a number of the finding; with a noun behind count: "1 call", "2 calls". */
static bool evidence(struct iota_bytes *to, const char *key, const struct iota_finding *f,
		     iota_words_fn *bytes)
{
	if (!strncmp(key, "count", 5)) {
		plain(to, f->count);
		iota_bytes_text(to, key + 5);
		if (key[5] && f->count != 1)
			iota_bytes_text(to, "s");
	} else if (!strcmp(key, "files")) {
		plain(to, f->files);
	} else if (!strcmp(key, "call")) {
		iota_bytes_text(to, f->call ? f->call : "call");
	} else if (!strcmp(key, "of")) {
		plain(to, f->of);
	} else if (!strcmp(key, "bytes")) {
		bytes(to, f->bytes);
	} else if (!strcmp(key, "percent")) { /* of the time */
		plain(to, f->of ? f->time * 100 / f->of : 0);
	} else if (!strcmp(key, "tid")) {
		plain(to, f->tid);
	} else {
		return false;
	}
	return true;
}

/* f: NULL if it is no finding's text. */
static void expand(struct iota_bytes *to, const char *text, const struct iota_rule *rule,
		   const struct iota_finding *f, iota_words_fn *bytes)
{
	const char *open, *close;
	char key[80];

	while ((open = strchr(text, '{')) && (close = strchr(open, '}')) &&
	       (size_t)(close - open) < sizeof(key)) {
		iota_bytes_add(to, text, (size_t)(open - text));
		memcpy(key, open + 1, (size_t)(close - open - 1));
		key[close - open - 1] = '\0';
		if (!threshold(to, key, rule, f ? plain : grouped) &&
		    !(f && evidence(to, key, f, bytes)))
			iota_bytes_add(to, open, (size_t)(close + 1 - open));
		text = close + 1;
	}
	iota_bytes_text(to, text);
}

void iota_words(struct iota_bytes *to, const struct iota_finding *f, iota_words_fn *bytes)
{
	expand(to, f->rule->says, f->rule, f, bytes);
}

void iota_words_of_rule(struct iota_bytes *to, const struct iota_rule *rule, const char *text)
{
	expand(to, text, rule, NULL, NULL);
}
