/* SPDX-License-Identifier: BSD-3-Clause */
/* fail-if.c - --fail-if: what must not be different, or not be at all. */
#include "config.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "diff.h"

/* [CALL.]MEASURE, < or >, and [+|-]NUMBER[UNIT|%] */
struct condition {
	const char *text;
	char *call; /* NULL: of all calls */
	enum diff_measure_id measure;
	bool less, change, percent;
	double limit;
};

static struct condition *condition;
size_t iot_diff_conditions;

/* Those that there are of a call alone. */
static bool is_of_calls(unsigned m)
{
	return m == DIFF_TIME || m == DIFF_COUNT || m == DIFF_ERRORS || m == DIFF_BYTES;
}

/* Those of the whole job. */
static bool is_of_job(unsigned m)
{
	return m != DIFF_OPENS && m != DIFF_SEEKS;
}

static enum diff_measure_id measure_of(const struct condition *c, const char *name)
{
	char list[300];
	size_t n = 0;
	unsigned m;

	for (m = 0; m < DIFF_N_MEASURES; m++) {
		if (!(c->call ? is_of_calls(m) : is_of_job(m)))
			continue;
		if (!strcmp(diff_measures[m].name, name))
			return (enum diff_measure_id)m;
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s", n ? ", " : "",
				      diff_measures[m].name);
	}
	iot_die("--fail-if: '%s': '%s' is none of %s%s", c->text, name, list,
		c->call ? ", which calls have" : "");
}

static double percents(const struct condition *c, const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (!isdigit((unsigned char)*text) || strcmp(end, "%") != 0 || !(v <= 1e9))
		iot_die("--fail-if: '%s': '%s' is no percentage, as 10%%", c->text, text);
	if (!c->change)
		iot_die("--fail-if: '%s': %s of what? A change has + or -, as >+%s", c->text, text, text);
	return v;
}

static double limit_of(struct condition *c, const char *text)
{
	char *option;
	double v;

	if (*text && text[strlen(text) - 1] == '%') {
		c->percent = true;
		return percents(c, text);
	}
	if (asprintf(&option, "--fail-if=%s", c->text) < 0)
		iot_no_memory();
	switch (diff_measures[c->measure].unit) {
	case IOTA_UNIT_SECONDS:
		/* iot_option_duration refuses 0 */
		v = !strcmp(text, "0") ? 0 : (double)iot_option_duration(option, text);
		break;
	case IOTA_UNIT_BYTES:
		v = !strcmp(text, "0") ? 0 : (double)iot_option_size(option, text);
		break;
	default:
		v = (double)iot_option_number(option, text, 0, UINT64_MAX);
	}
	free(option);
	return v;
}

void iot_diff_fail_if(const char *text)
{
	struct condition c = {.text = text};
	char *left = strdup(text), *right, *dot;

	condition = reallocarray(condition, iot_diff_conditions + 1, sizeof(*condition));
	if (!left || !condition)
		iot_no_memory();
	right = strpbrk(left, "<>");
	if (!right)
		iot_die("--fail-if: '%s' has neither > nor <; give one as time>+10%% or write.calls>+0",
			text);
	c.less = *right == '<';
	*right++ = '\0';
	dot = strchr(left, '.');
	if (dot) {
		*dot = '\0';
		c.call = left;
		if (!iot_filter_knows(left))
			iot_die("--fail-if: '%s': there is no call '%s'", text, left);
	}
	c.measure = measure_of(&c, dot ? dot + 1 : left);
	c.change = *right == '+' || *right == '-';
	c.limit = limit_of(&c, right + c.change);
	c.limit = *right == '-' ? -c.limit : c.limit;
	condition[iot_diff_conditions++] = c;
}

/* ---- is it met? ---- */

static const struct diff_item *item_of(const struct diff *d, const struct condition *c)
{
	size_t i;

	if (!c->call)
		return &d->item[0];
	for (i = 0; i < d->n_items; i++)
		if (d->item[i].table == DIFF_CALLS && !strcmp(d->item[i].name, c->call))
			return &d->item[i];
	return NULL;
}

static bool is_met(const struct condition *c, const struct diff_spread s[2])
{
	double before = s[DIFF_BEFORE].median, after = s[DIFF_AFTER].median;
	double value = c->change ? after - before : after, limit = c->limit;

	if (c->percent)
		limit *= before / 100;
	if (!(c->less ? value < limit : value > limit))
		return false;
	/* what repeats differ by is no change; but <+5% and >-5% ask for none */
	return !c->change || (c->less ? limit > 0 : limit < 0) || iot_diff_beyond_repeats(s);
}

static void format(char cell[CELL], enum diff_measure_id m, double v)
{
	if (diff_measures[m].unit == IOTA_UNIT_SECONDS)
		snprintf(cell, CELL, "%.6f s", v / 1e9);
	else
		snprintf(cell, CELL, "%.0f", v);
}

bool iot_diff_fails(const struct diff *d)
{
	bool fails = false;
	size_t i;

	for (i = 0; i < iot_diff_conditions; i++) {
		const struct condition *c = &condition[i];
		const struct diff_item *item = item_of(d, c);
		struct diff_spread s[2] = {{.median = 0}, {.median = 0}};
		char before[CELL], after[CELL];
		unsigned side;

		if (c->call && !d->has[DIFF_CALLS])
			iot_die("--fail-if: '%s': a run has no table of calls", c->text);
		if (c->measure == DIFF_FOUND && !d->has[DIFF_FINDINGS])
			iot_die("--fail-if: '%s': a run has no findings", c->text);
		for (side = 0; item && side < 2; side++)
			s[side] = iot_diff_spread(d, item, c->measure, (enum diff_side)side);
		if (!is_met(c, s))
			continue;
		format(before, c->measure, s[DIFF_BEFORE].median);
		format(after, c->measure, s[DIFF_AFTER].median);
		iot_say(NULL, "%s: it was %s and is %s", c->text, before, after);
		fails = true;
	}
	return fails;
}
