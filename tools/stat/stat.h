/* SPDX-License-Identifier: BSD-3-Clause */
/* stat.h - how iotrace-stat prints an analysis. */
#ifndef STAT_H
#define STAT_H

#include "../../analysis/analysis.h"
#include "../common/tool.h"

struct stat_options {
	bool shown[IOTA_N_TABLES]; /* --by */
	bool findings;		   /* print what stands out */
	bool human;		   /* -h */
	size_t top;		   /* --top; SIZE_MAX: all */
};
extern struct stat_options iot_stat_options;

/* head.c, for text.c */
#define CELL 32
/* 1234567 bytes: "1.2M" */
void iot_stat_human(char cell[CELL], uint64_t bytes);
/* "1234567 bytes", or "1.2MB" with -H. */
void iot_stat_words_bytes(struct iota_bytes *to, uint64_t bytes);
void iot_stat_head(struct out *o, const struct iota *a, const struct iotr_set *set);

/* job.c: the same for programs, and calls that could not be recorded. */
void iot_stat_job(struct out *o, const struct iota *a, const struct iotr_set *set);
uint64_t iot_stat_lost(const struct iotr_set *set);

/* rule.c: a --rule, and all there were, for an analysis. */
void iot_stat_rule(const char *text);
void iot_stat_rules_set(struct iota *a);

/* After iota_done. */
void iot_stat_text(struct iota *a, const struct iotr_set *set);
void iot_stat_json(struct iota *a, const struct iotr_set *set);
void iot_stat_csv(const struct iota *a);

#endif
