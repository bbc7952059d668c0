/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff.h - --diff: runs before and after a change, compared.
 *
 * A run is what iotrace-stat says of it in JSON, saved or made of logs now, as rows of
 * numbers (run.c).  Rows of different runs that are about the same file, line, process or the
 * like get one name (match.c), and are one item (compare.c).
 */
#ifndef DIFF_H
#define DIFF_H

#include "stat.h"

enum diff_side { DIFF_BEFORE, DIFF_AFTER };

enum diff_table_id {
	DIFF_JOB,
	DIFF_FINDINGS,
	DIFF_CALLS,
	DIFF_FILES,
	DIFF_SITES,
	DIFF_REGIONS,
	DIFF_RANKS,
	DIFF_PROCESSES,
	DIFF_THREADS,
	DIFF_N_TABLES
};

/* As people name them, for --fail-if and all formats. */
enum diff_measure_id {
	DIFF_TIME,
	DIFF_IO,
	DIFF_DATA,
	DIFF_METADATA,
	DIFF_SYNC,
	DIFF_WAITING,
	DIFF_MEMORY,
	DIFF_COUNT, /* calls */
	DIFF_SYSCALLS,
	DIFF_ERRORS,
	DIFF_OPENS,
	DIFF_SEEKS,
	DIFF_BYTES,
	DIFF_READ,
	DIFF_WRITTEN,
	DIFF_FOUND, /* findings */
	DIFF_N_MEASURES
};

struct diff_measure {
	const char *name, *words;
	enum iota_unit unit;
};
extern const struct diff_measure diff_measures[DIFF_N_MEASURES];

/* What a run says of one thing. */
struct diff_row {
	enum diff_table_id table;
	size_t run;
	char *name;
	char *was;	/* name before match.c changed it; NULL: it did not */
	double order[3]; /* processes and threads: start, pid, tid */
	double v[DIFF_N_MEASURES];
};

/* The same thing in all runs. */
struct diff_item {
	enum diff_table_id table;
	const char *name, *was; /* was: only if it is the same for all runs before */
	size_t runs[2];		/* that have it */
	double (*v)[DIFF_N_MEASURES]; /* of each run; 0 where it is not */
	bool differs[DIFF_N_MEASURES];
	double weight[3];	/* what items are sorted by */
};

struct diff {
	const char **run; /* their names; those before come first */
	size_t n_runs, n[2];
	bool has[DIFF_N_TABLES];   /* it is compared */
	bool lacks[DIFF_N_TABLES]; /* a run does not have it */
	/* Of runs whose tables have no more than so many rows, others being left out; 0: they have all. */
	size_t most_rows;
	bool cut[DIFF_N_TABLES]; /* rows of a run may have been left out: what it lacks is not known */
	struct diff_row *row;
	size_t n_rows, row_cap;
	struct diff_item *item; /* by table; the job is the first one */
	size_t n_items;
};

enum diff_side iot_diff_side(const struct diff *d, size_t run);

/* run.c: adds the rows that are in the JSON; dies if it is none of iotrace-stat. */
void iot_diff_read(struct diff *d, size_t run, const char *json, size_t size);
struct diff_row *iot_diff_row(struct diff *d, enum diff_table_id table, size_t run, char *name);

/* runs.c: the first n runs, by their names; one whose sums are there; all that was made. */
void iot_diff_read_runs(struct diff *d, size_t n);
/* False: it is no JSON. */
bool iot_diff_read_json(struct diff *d, size_t run);
void iot_diff_add(struct diff *d, size_t run, struct iota *a, const struct iotr_set *set);
void iot_diff_free(struct diff *d);

/* match.c: the same thing gets the same name in all runs. */
void iot_diff_match(struct diff *d);

/* compare.c: rows become items, the most important ones first. */
void iot_diff_compare(struct diff *d, enum iota_field sort_by);
/* Of the runs on that side: median, least and greatest. */
struct diff_spread {
	double median, min, max;
};
struct diff_spread iot_diff_spread(const struct diff *d, const struct diff_item *item,
				   enum diff_measure_id m, enum diff_side side);
/* Whether a difference lies outside of what repeats differ by. */
bool iot_diff_beyond_repeats(const struct diff_spread spread[2]);
/* "slower", "new" ... */
const char *iot_diff_word(const struct diff_item *item, enum diff_measure_id m,
			  const struct diff_spread spread[2]);
extern const char *const iot_diff_tables[DIFF_N_TABLES]; /* as in JSON */

/* fail-if.c: whether a condition is met, which goes to standard error. */
bool iot_diff_fails(const struct diff *d);

/* diff-text.c, diff-data.c */
void iot_diff_text(struct out *o, const struct diff *d);
void iot_diff_json(struct out *o, const struct diff *d);
void iot_diff_csv(struct out *o, const struct diff *d);

#endif
