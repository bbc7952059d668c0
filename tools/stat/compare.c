/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.c - what differs between runs, and what is only noise. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "diff.h"

const struct diff_measure diff_measures[DIFF_N_MEASURES] = {
	[DIFF_TIME] = {"time", "time", IOTA_UNIT_SECONDS},
	[DIFF_IO] = {"io", "I/O", IOTA_UNIT_SECONDS},
	[DIFF_DATA] = {"data", "data", IOTA_UNIT_SECONDS},
	[DIFF_METADATA] = {"metadata", "metadata", IOTA_UNIT_SECONDS},
	[DIFF_SYNC] = {"sync", "sync", IOTA_UNIT_SECONDS},
	[DIFF_WAITING] = {"waiting", "waiting", IOTA_UNIT_SECONDS},
	[DIFF_MEMORY] = {"memory", "memory", IOTA_UNIT_SECONDS},
	[DIFF_COUNT] = {"calls", "calls", IOTA_UNIT_COUNT},
	[DIFF_SYSCALLS] = {"syscalls", "syscalls", IOTA_UNIT_COUNT},
	[DIFF_ERRORS] = {"errors", "errors", IOTA_UNIT_COUNT},
	[DIFF_OPENS] = {"opens", "opens", IOTA_UNIT_COUNT},
	[DIFF_SEEKS] = {"seeks", "seeks", IOTA_UNIT_COUNT},
	[DIFF_BYTES] = {"bytes", "bytes", IOTA_UNIT_BYTES},
	[DIFF_READ] = {"read", "bytes read", IOTA_UNIT_BYTES},
	[DIFF_WRITTEN] = {"written", "written", IOTA_UNIT_BYTES},
	[DIFF_FOUND] = {"findings", "findings", IOTA_UNIT_COUNT},
};

const char *const iot_diff_tables[DIFF_N_TABLES] = {
	[DIFF_JOB] = "job",	      [DIFF_FINDINGS] = "findings", [DIFF_CALLS] = "calls",
	[DIFF_FILES] = "files",	      [DIFF_SITES] = "sites",	    [DIFF_REGIONS] = "regions",
	[DIFF_RANKS] = "ranks",	      [DIFF_PROCESSES] = "processes",
	[DIFF_THREADS] = "threads",
};

enum diff_side iot_diff_side(const struct diff *d, size_t run)
{
	return run < d->n[DIFF_BEFORE] ? DIFF_BEFORE : DIFF_AFTER;
}

struct diff_row *iot_diff_row(struct diff *d, enum diff_table_id table, size_t run, char *name)
{
	if (d->n_rows == d->row_cap) {
		d->row_cap = d->row_cap ? 2 * d->row_cap : 256;
		d->row = reallocarray(d->row, d->row_cap, sizeof(*d->row));
		if (!d->row)
			iot_no_memory();
	}
	d->row[d->n_rows] = (struct diff_row){.table = table, .run = run, .name = name};
	return &d->row[d->n_rows++];
}

/* ---- spread ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

struct diff_spread iot_diff_spread(const struct diff *d, const struct diff_item *item,
				   enum diff_measure_id m, enum diff_side side)
{
	size_t first = side == DIFF_BEFORE ? 0 : d->n[DIFF_BEFORE], n = d->n[side], i;
	double *v = reallocarray(NULL, n, sizeof(*v));
	struct diff_spread spread;

	if (!v)
		iot_no_memory();
	for (i = 0; i < n; i++)
		v[i] = item->v[first + i][m];
	qsort(v, n, sizeof(*v), by_value);
	spread = (struct diff_spread){(v[(n - 1) / 2] + v[n / 2]) / 2, v[0], v[n - 1]};
	free(v);
	return spread;
}

bool iot_diff_beyond_repeats(const struct diff_spread spread[2])
{
	double change = fabs(spread[1].median - spread[0].median);

	if (spread[0].min <= spread[1].max && spread[1].min <= spread[0].max)
		return false;
	return change > spread[0].max - spread[0].min && change > spread[1].max - spread[1].min;
}

/* How long a run was, at most. */
static double longest(const struct diff *d)
{
	double wall = 0;
	size_t i;

	for (i = 0; i < d->n_runs; i++)
		if (d->item[0].v[i][DIFF_TIME] > wall)
			wall = d->item[0].v[i][DIFF_TIME];
	return wall;
}

/* The rule is in iotrace-stat(1). */
static bool differs(const struct diff *d, enum diff_measure_id m, const struct diff_spread s[2],
		    double wall)
{
	double change = fabs(s[1].median - s[0].median);

	if (!iot_diff_beyond_repeats(s))
		return false;
	if (diff_measures[m].unit != IOTA_UNIT_SECONDS)
		return true;
	if (change < wall / 1000)
		return false;
	return d->n_runs > 2 || (change > 1e6 && change > s[0].median / 10);
}

const char *iot_diff_word(const struct diff_item *item, enum diff_measure_id m,
			  const struct diff_spread s[2])
{
	bool up = s[1].median > s[0].median;

	if (!item->differs[m])
		return s[0].median == s[1].median && s[0].min == s[0].max && s[1].min == s[1].max ?
			       "same" : "noise";
	if (!item->runs[DIFF_BEFORE])
		return "new";
	if (!item->runs[DIFF_AFTER])
		return "gone";
	if (diff_measures[m].unit == IOTA_UNIT_SECONDS)
		return up ? "slower" : "faster";
	return up ? "more" : "fewer";
}

/* ---- items ---- */

static int by_thing(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;
	int c = (int)x->table - (int)y->table;

	if (!c)
		c = strcmp(x->name, y->name);
	return c ? c : x->run < y->run ? -1 : x->run > y->run;
}

static void add_to_item(struct diff *d, struct diff_item *item, const struct diff_row *row, bool again)
{
	unsigned m;

	if (!again)
		item->runs[iot_diff_side(d, row->run)]++;
	if (row->was && iot_diff_side(d, row->run) == DIFF_BEFORE)
		item->was = item->was && strcmp(item->was, row->was) ? "" : row->was;
	for (m = 0; m < DIFF_N_MEASURES; m++)
		item->v[row->run][m] += row->v[m];
}

static void make_items(struct diff *d)
{
	struct diff_item *item = NULL;
	size_t i;

	qsort(d->row, d->n_rows, sizeof(*d->row), by_thing);
	d->item = calloc(d->n_rows, sizeof(*d->item));
	if (!d->item)
		iot_no_memory();
	for (i = 0; i < d->n_rows; i++) {
		const struct diff_row *row = &d->row[i];
		bool first = !item || item->table != row->table || strcmp(item->name, row->name) != 0;

		if (!d->has[row->table])
			continue;
		if (first) {
			item = &d->item[d->n_items++];
			item->table = row->table;
			item->name = row->name;
			item->v = calloc(d->n_runs, sizeof(*item->v));
			if (!item->v)
				iot_no_memory();
		}
		add_to_item(d, item, row, !first && d->row[i - 1].run == row->run);
	}
}

static void judge(struct diff *d, struct diff_item *item, double wall, const enum diff_measure_id *by)
{
	struct diff_spread s[2];
	unsigned m, i;

	if (d->cut[item->table] && item->runs[0] + item->runs[1] < d->n_runs)
		return;
	for (m = 0; m < DIFF_N_MEASURES; m++) {
		s[0] = iot_diff_spread(d, item, (enum diff_measure_id)m, DIFF_BEFORE);
		s[1] = iot_diff_spread(d, item, (enum diff_measure_id)m, DIFF_AFTER);
		item->differs[m] = differs(d, (enum diff_measure_id)m, s, wall);
		for (i = 0; i < 3 && item->differs[m]; i++)
			if (by[i] == m)
				item->weight[i] = fabs(s[1].median - s[0].median);
	}
	/* a finding that came or went is told, whatever it costs: unless repeats differ in it */
	if (item->table == DIFF_FINDINGS &&
	    ((!item->runs[0] && item->runs[1] == d->n[1]) || (!item->runs[1] && item->runs[0] == d->n[0])))
		item->differs[DIFF_COUNT] = true;
}

static int by_weight(const void *a, const void *b)
{
	const struct diff_item *x = a, *y = b;
	unsigned i;

	if (x->table != y->table)
		return (int)x->table - (int)y->table;
	for (i = 0; i < 3; i++)
		if (x->weight[i] > y->weight[i] || x->weight[i] < y->weight[i])
			return x->weight[i] > y->weight[i] ? -1 : 1;
	return strcmp(x->name, y->name);
}

void iot_diff_compare(struct diff *d, enum iota_field sort_by)
{
	static const enum diff_measure_id time[] = {DIFF_TIME, DIFF_COUNT, DIFF_BYTES},
					  count[] = {DIFF_COUNT, DIFF_TIME, DIFF_BYTES},
					  bytes[] = {DIFF_BYTES, DIFF_TIME, DIFF_COUNT};
	double wall;
	size_t i;

	make_items(d);
	wall = longest(d);
	for (i = 0; i < d->n_items; i++)
		judge(d, &d->item[i], wall,
		      sort_by == IOTA_F_CALLS ? count : sort_by == IOTA_F_READ ? bytes : time);
	qsort(d->item, d->n_items, sizeof(*d->item), by_weight);
}
