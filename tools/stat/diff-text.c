/* SPDX-License-Identifier: BSD-3-Clause */
/* diff-text.c - --diff for people, in lines of 80 columns. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "../common/screen.h"
#include "diff.h"

static void out_title(struct out *o, const char *title)
{
	char line[100];

	snprintf(line, sizeof(line), "%-20s %14s %14s %14s\n", title, "before", "after", "change");
	iot_style(o, IOT_STRONG);
	out_str(o, line);
	iot_style(o, IOT_PLAIN);
}

static void format_value(char cell[CELL], enum iota_unit unit, double v, const char *sign)
{
	char human[CELL];

	if (unit == IOTA_UNIT_SECONDS) {
		snprintf(cell, CELL, "%s%.6f s", sign, v / 1e9);
	} else if (unit == IOTA_UNIT_BYTES && iot_stat_options.human) {
		iot_stat_human(human, (uint64_t)v);
		snprintf(cell, CELL, "%s%s", sign, human);
	} else {
		snprintf(cell, CELL, "%s%.0f", sign, v);
	}
}

/* "+12 %", "x15", or nothing if there was none before. */
static void format_ratio(char cell[CELL], double before, double after)
{
	double percent = before > 0 ? (after - before) / before * 100 : 0;

	cell[0] = '\0';
	if (before <= 0 || percent == 0)
		return;
	if (percent < 999.5)
		snprintf(cell, CELL, fabs(percent) < 9.95 || (percent < -99.5 && after > 0) ? "%+.1f %%" : "%+.0f %%", percent);
	else
		snprintf(cell, CELL, "x%.4g", after / before);
}

static void out_measure(struct out *o, const struct diff_item *item, enum diff_measure_id m,
			const char *first, int width, const struct diff_spread s[2])
{
	double before = s[DIFF_BEFORE].median, after = s[DIFF_AFTER].median;
	enum iota_unit unit = diff_measures[m].unit;
	char cell[4][CELL], line[5 * CELL];
	bool same = !(before > after || before < after);

	format_value(cell[0], unit, before, "");
	format_value(cell[1], unit, after, "");
	format_value(cell[2], unit, fabs(after - before), after > before ? "+" : same ? "" : "-");
	format_ratio(cell[3], before, after);
	snprintf(line, sizeof(line), "%-*s%-*s %14s %14s %14s %8s", 20 - width, first, width,
		 width ? diff_measures[m].words : "", cell[0], cell[1], same ? "=" : cell[2],
		 same ? "" : cell[3]);
	iot_style(o, !item->differs[m] ? IOT_FAINT : IOT_PLAIN);
	out_str(o, line);
	if (item->table == DIFF_JOB && !same && !item->differs[m])
		out_lit(o, " noise");
	iot_style(o, IOT_PLAIN);
	out_char(o, '\n');
}

static void spreads(const struct diff *d, const struct diff_item *item, unsigned m,
		    struct diff_spread s[2])
{
	s[0] = iot_diff_spread(d, item, (enum diff_measure_id)m, DIFF_BEFORE);
	s[1] = iot_diff_spread(d, item, (enum diff_measure_id)m, DIFF_AFTER);
}

static void out_job(struct out *o, const struct diff *d)
{
	static const struct {
		enum diff_measure_id m;
		const char *title;
	} lines[] = {
		{DIFF_TIME, "wall time"},	{DIFF_IO, "I/O"},
		{DIFF_DATA, "  data"},		{DIFF_METADATA, "  metadata"},
		{DIFF_SYNC, "  sync"},		{DIFF_WAITING, "waiting for others"},
		{DIFF_COUNT, "calls"},		{DIFF_SYSCALLS, "system calls"},
		{DIFF_ERRORS, "failed calls"},	{DIFF_READ, "bytes read"},
		{DIFF_WRITTEN, "bytes written"}, {DIFF_FOUND, "findings"},
	};
	struct diff_spread s[2];
	size_t i;

	out_title(o, "");
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		spreads(d, &d->item[0], lines[i].m, s);
		if (lines[i].m == DIFF_FOUND && !d->has[DIFF_FINDINGS])
			continue;
		if (s[0].max > 0 || s[1].max > 0)
			out_measure(o, &d->item[0], lines[i].m, lines[i].title, 0, s);
	}
}

static void out_item(struct out *o, const struct diff *d, const struct diff_item *item)
{
	struct diff_spread s[2];
	char first[CELL];
	unsigned m;

	iot_out_end_of(o, item->name, strlen(item->name), iot_screen_width());
	out_char(o, '\n');
	if (item->was && *item->was) {
		out_lit(o, "    before: ");
		iot_out_end_of(o, item->was, strlen(item->was), iot_screen_width() - 12);
		out_char(o, '\n');
	}
	for (m = 0; m < DIFF_N_MEASURES; m++) {
		/* the job's lines have the parts */
		if (!item->differs[m] || (m >= DIFF_IO && m <= DIFF_MEMORY) || m == DIFF_SYSCALLS ||
		    (m == DIFF_BYTES && item->table != DIFF_CALLS))
			continue;
		spreads(d, item, m, s);
		snprintf(first, sizeof(first), "  %s", iot_diff_word(item, (enum diff_measure_id)m, s));
		out_measure(o, item, (enum diff_measure_id)m, first, 11, s);
	}
}

static bool any_differs(const struct diff_item *item)
{
	unsigned m;

	for (m = 0; m < DIFF_N_MEASURES; m++)
		if (item->differs[m])
			return true;
	return false;
}

static void out_items(struct out *o, const struct diff *d, enum diff_table_id table, const char *title)
{
	size_t shown = 0, more = 0, i;

	for (i = 0; i < d->n_items; i++) {
		if (d->item[i].table != table || !any_differs(&d->item[i]))
			continue;
		if (shown == iot_stat_options.top) {
			more++;
			continue;
		}
		if (!shown++) {
			out_char(o, '\n');
			out_title(o, title);
		}
		out_item(o, d, &d->item[i]);
	}
	if (more) {
		out_lit(o, "and ");
		iot_out_unsigned(o, more);
		out_lit(o, " more; --top=0 shows all\n");
	}
}

static void out_runs(struct out *o, const struct diff *d, enum diff_side side, const char *title)
{
	size_t first = side == DIFF_BEFORE ? 0 : d->n[DIFF_BEFORE];

	out_str(o, title);
	iot_out_end_of(o, d->run[first], strlen(d->run[first]), iot_screen_width() - 30);
	if (d->n[side] > 1) {
		out_lit(o, " and ");
		iot_out_unsigned(o, d->n[side] - 1);
		out_str(o, d->n[side] == 2 ? " repeat" : " repeats");
	}
	out_char(o, '\n');
}

static void out_lacking(struct out *o, const struct diff *d)
{
	bool any = false;
	unsigned t;

	for (t = 0; t < DIFF_N_TABLES; t++) {
		if (!d->lacks[t])
			continue;
		out_str(o, any ? ", " : "\nA saved run lacks, so that they are not compared: ");
		out_str(o, iot_diff_tables[t]);
		any = true;
	}
	if (any)
		out_lit(o, ".\niotrace-stat --by=all --format=json saves all.\n");
}

void iot_diff_text(struct out *o, const struct diff *d)
{
	static const char *const titles[DIFF_N_TABLES] = {
		[DIFF_FINDINGS] = "What stands out", [DIFF_CALLS] = "By call",
		[DIFF_FILES] = "By file",	     [DIFF_SITES] = "By site",
		[DIFF_REGIONS] = "By region",	     [DIFF_RANKS] = "By rank",
		[DIFF_PROCESSES] = "By process",     [DIFF_THREADS] = "By thread",
	};
	bool any = false;
	unsigned t;
	size_t i;

	out_runs(o, d, DIFF_BEFORE, "before: ");
	out_runs(o, d, DIFF_AFTER, "after:  ");
	if (d->n_runs == 2)
		out_lit(o, "One run each does not tell what is noise: several before -- and behind it do\n");
	out_job(o, d);
	for (t = DIFF_FINDINGS; t < DIFF_N_TABLES; t++)
		out_items(o, d, (enum diff_table_id)t, titles[t]);
	for (i = 0; i < d->n_items; i++)
		any |= any_differs(&d->item[i]);
	if (!any)
		out_lit(o, "\nNothing differs beyond noise.\n");
	out_lacking(o, d);
}
