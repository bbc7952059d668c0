/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c - rules, their thresholds and what they find, in words. */
#include "config.h"

#include <stdlib.h>

#include "rules/rules.h"

const char *iota_severity_name(enum iota_severity severity)
{
	static const char *const name[] = {
		[IOTA_INFO] = "info", [IOTA_COST] = "cost", [IOTA_FAULT] = "fault"};

	return name[severity];
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
		if (f->also)
			iota_bytes_format(to, "() and %s", f->also);
	} else if (!strcmp(key, "of")) {
		plain(to, f->of);
	} else if (!strcmp(key, "processes")) {
		plain(to, f->of);
		iota_bytes_text(to, f->by_ranks ? " ranks" : " processes");
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

/* What stands in brackets is about bytes: it is left out if the finding has none. */
void iota_words(struct iota_bytes *to, const struct iota_finding *f, iota_words_fn *bytes)
{
	const char *open = strchr(f->rule->says, '['), *close = open ? strchr(open, ']') : NULL;
	struct iota_bytes text = {0};

	if (!close) {
		expand(to, f->rule->says, f->rule, f, bytes);
		return;
	}
	iota_bytes_add(&text, f->rule->says, (size_t)(open - f->rule->says));
	if (f->bytes)
		iota_bytes_add(&text, open + 1, (size_t)(close - open - 1));
	iota_bytes_add(&text, close + 1, strlen(close + 1) + 1);
	expand(to, text.p, f->rule, f, bytes);
	free(text.p);
}

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), len = strlen(end);

	return n >= len && !strcasecmp(name + n - len, end);
}

static enum iota_language by_file(const char *name)
{
	static const struct {
		const char *end;
		enum iota_language is;
	} ends[] = {{".py", IOTA_PYTHON},   {".f", IOTA_FORTRAN},   {".for", IOTA_FORTRAN}, {".ftn", IOTA_FORTRAN},
		    {".f90", IOTA_FORTRAN}, {".f95", IOTA_FORTRAN}, {".f03", IOTA_FORTRAN}, {".f08", IOTA_FORTRAN}};
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(name, ends[i].end))
			return ends[i].is;
	return IOTA_C;
}

/* A statement of Fortran may be known by its name alone. */
static enum iota_language language_of(const struct iota_finding *f)
{
	const struct iota_chain *chain = f->chain;
	const char *file = chain && f->level < chain->n ? chain->at[f->level]->file : NULL;

	if (f->statements || (f->call && iota_names_statement(f->call)))
		return IOTA_FORTRAN;
	if (chain && chain->way & IOTA_BY_FILEBUF)
		return IOTA_CXX;
	return file ? by_file(file) : IOTA_C;
}

void iota_words_of_remedy(struct iota_bytes *to, const struct iota_finding *f)
{
	const char *own = f->rule->remedy_in[language_of(f)];

	expand(to, own ? own : f->rule->remedy, f->rule, NULL, NULL);
}

void iota_words_of_assumption(struct iota_bytes *to, const struct iota_finding *f)
{
	if (!f->rule->assumes)
		return;
	expand(to, f->rule->assumes, f->rule, NULL, NULL);
	if (f->by_library > f->saves[0])
		iota_bytes_text(to, ", and at most, that all that is computed between the reads is done again each time");
}

void iota_words_of_rule(struct iota_bytes *to, const struct iota_rule *rule, const char *text)
{
	expand(to, text, rule, NULL, NULL);
}
