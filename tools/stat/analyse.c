/* SPDX-License-Identifier: BSD-3-Clause */
/* analyse.c - logs are opened, what is to be shown of them is chosen, and they are summed up. */
#include "config.h"

#include "../../analysis/seeks.h"
#include "by-time.h"
#include "file.h"

#define MANY_THREADS 10000 /* rows of so many are made only if they are asked for */

/* Whom a report's head compares: ranks, or threads. */
static unsigned members(const struct iotr_set *set)
{
	size_t i, threads = 0;
	unsigned wanted = 0;

	for (i = 0; i < iotr_set_size(set); i++) {
		threads += iotr_log_threads(iotr_set_log(set, i));
		if (iotr_log_rank(iotr_set_log(set, i), NULL) >= 0)
			wanted |= IOTA_IN(IOTA_BY_RANK);
	}
	return threads <= MANY_THREADS ? wanted | IOTA_IN(IOTA_BY_THREAD) : wanted;
}

/* What is to be shown, and which tables have to be filled for it. */
static unsigned choose_tables(const struct iotr_set *set)
{
	struct stat_options *o = &iot_stat_options;
	unsigned names = iot_filter_given ? 0 : IOTA_NAMES;
	unsigned i, n = o->time + o->constellations + o->seeks + o->layout;
	unsigned wanted = o->format != STAT_CSV || o->diff || n ? members(set) : 0;

	if (o->format != STAT_TEXT && !o->top_given)
		o->top = SIZE_MAX;
	for (i = 0; i < IOTA_N_TABLES; i++)
		n += o->shown[i];
	for (i = 0; o->everything && i < IOTA_N_TABLES; i++)
		o->shown[i] = true;
	o->findings = (!n && o->format != STAT_CSV) || o->everything;
	if (!n && o->format != STAT_CSV)
		o->shown[IOTA_BY_FILE] = true;
	if (!n)
		o->shown[IOTA_BY_CALL] = true;
	if (iot_stat_file_given() && (n || o->format == STAT_CSV))
		iot_die("--file: not together with %s", n ? "--by or --sites" : "--format=csv");
	if (iot_stat_file_given())
		return IOTA_IN(IOTA_BY_CALL) | IOTA_IN(IOTA_BY_FILE) | names;
	if (!o->diff && (n > 1 || o->everything) && o->format == STAT_CSV)
		iot_die("--format=csv: csv has one table; give one --by");
	for (i = 0; i < IOTA_N_TABLES; i++)
		wanted |= o->shown[i] ? IOTA_IN(i) : 0;
	if (o->findings)
		wanted |= IOTA_FINDINGS;
	if (o->constellations)
		wanted |= IOTA_CONSTELLATIONS;
	if (o->seeks || o->layout)
		wanted |= IOTA_SEEKS;
	wanted |= names;
	return wanted;
}

struct iota *iot_stat_analyse(struct iotr_set *set, char **logs)
{
	struct iota *a;

	iot_symfs_set(set);
	if (!iot_stat_options.shown[IOTA_BY_SITE] || iot_stat_options.diff)
		iotr_set_mute(set); /* findings have lines where there are some */
	iot_logs_add(set, logs);
	iot_filter_check(set);
	if (!iotr_set_size(set))
		return NULL;
	a = iota_new(choose_tables(set));
	iot_stat_rules_set(a);
	if (iot_stat_options.time || (iot_stat_options.findings && iot_stat_options.format == STAT_TEXT))
		iot_stat_time_begin(a, set);
	iot_stat_scan(a, set);
	iota_done(a, iot_stat_options.sort_by);
	return a;
}
