/* SPDX-License-Identifier: BSD-3-Clause */
/* by-time.h - what time.c has for the others. */
#ifndef STAT_BY_TIME_H
#define STAT_BY_TIME_H

#include "../../analysis/when.h"
#include "stat.h"

/* --by=time, or --by=time=INTERVAL. */
void iot_stat_time_option(const char *interval);
/* Before the first call. */
void iot_stat_time_begin(struct iota *a, const struct iotr_set *set);
/* "10 ms" */
void iot_stat_duration(char cell[CELL], uint64_t ns);
/* What stands out, for the summary. */
void iot_stat_time_head(struct out *o, struct iota *a);
void iot_stat_time_text(struct out *o, struct iota *a);
void iot_stat_time_json(struct out *o, struct iota *a);
void iot_stat_time_csv(struct out *o, struct iota *a);

#endif
