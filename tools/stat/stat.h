/* SPDX-License-Identifier: BSD-3-Clause */
/* stat.h - how iotrace-stat prints an analysis. */
#ifndef STAT_H
#define STAT_H

#include "../../analysis/analysis.h"
#include "../common/tool.h"

enum stat_format { STAT_TEXT, STAT_JSON, STAT_CSV };

struct stat_options {
	bool shown[IOTA_N_TABLES]; /* --by */
	bool everything;	   /* --by=all, and what is compared */
	bool time;		   /* --by=time */
	bool constellations;	   /* --by=constellation */
	bool seeks, layout;	   /* --by=seek, --by=layout */
	bool findings;		   /* print what stands out */
	bool human;		   /* -H */
	size_t top;		   /* --top; SIZE_MAX: all */
	bool top_given;
	bool diff;		  /* --diff */
	enum stat_format format;  /* --format */
	enum iota_field sort_by;  /* --sort */
};
extern struct stat_options iot_stat_options; /* options.c; of other programs, their own */

/* head.c, for text.c */
#define CELL 32
/* 1234567 bytes: "1.2M" */
void iot_stat_human(char cell[CELL], uint64_t bytes);
/* "1234567 bytes", or "1.2MB" with -H. */
void iot_stat_words_bytes(struct iota_bytes *to, uint64_t bytes);
void iot_stat_out_bytes(struct out *o, const char *before, uint64_t bytes);
/* "1 call", "2 calls" */
void iot_stat_out_count(struct out *o, uint64_t n, const char *one, const char *many);
void iot_stat_head(struct out *o, const struct iota *a, const struct iotr_set *set);

/* job.c: the same for programs, and calls that could not be recorded. */
void iot_stat_job(struct out *o, const struct iota *a, const struct iotr_set *set);
uint64_t iot_stat_lost(const struct iotr_set *set);
/* ns that the kernel worked, if calls on record explain less than half of that; else 0 */
uint64_t iot_stat_unaccounted(const struct iotr_set *set, const uint64_t *total, uint64_t lived);

/* rule.c: a --rule, and all there were, for an analysis. */
void iot_stat_rule(const char *text);
void iot_stat_rules_set(struct iota *a);

/* parallel.c: all calls, read by as many processes as that, to the analysis, which has ended then. */
extern size_t iot_stat_jobs;
void iot_stat_scan(struct iota *a, const struct iotr_set *set);

/* ranks.c, which some builds have in place of parallel.c: to be called first. */
void iot_stat_ranks_begin(int argc, char **argv) __attribute__((weak));

/* analyse.c: what the logs add up to; NULL: there is none of them, which was said. */
struct iota *iot_stat_analyse(struct iotr_set *set, char **logs);

/* diff.c: compares the runs, of which those from number n_before on are after the change;
   name ends with NULL. */
void iot_stat_diff(char **name, size_t n_before, enum stat_format format, enum iota_field sort_by);
void iot_diff_fail_if(const char *text); /* --fail-if, before that */
extern size_t iot_diff_conditions;	 /* how many were given */
/* json-line.c */
void iot_stat_json_line(struct out *o, struct iota_line line);

/* constellation.c: what --by=constellation adds to text and JSON; and all of csv. */
void iot_stat_constellations_text(const struct iota *a);
void iot_stat_constellations_json(struct out *o, const struct iota *a);
void iot_stat_constellations_csv(const struct iota *a);

/* seeks.c: the same of --by=seek and --by=layout. */
void iot_stat_seeks_text(struct out *o, const struct iota *a);
void iot_stat_seeks_json(struct out *o, const struct iota *a);
void iot_stat_seeks_csv(struct out *o, const struct iota *a);
void iot_stat_layout_text(struct out *o, const struct iota *a);
void iot_stat_layout_json(struct out *o, const struct iota *a);
void iot_stat_layout_csv(struct out *o, const struct iota *a);

/* After iota_done. */
void iot_stat_text(struct iota *a, const struct iotr_set *set);
void iot_stat_json(struct iota *a, const struct iotr_set *set);
struct out iot_stat_as_json(struct iota *a, const struct iotr_set *set); /* in memory */
/* All rows of a table, a JSON object in each line. */
void iot_stat_rows_json(struct out *o, const struct iota_table *t);
void iot_stat_csv(struct iota *a);

#endif
