/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - what options ask for, and the time that the logs are of. */
#include "config.h"

#include "../common/database.h"
#include "../stat/stat.h"
#include "export.h"

struct export_options iot_export_options;

/* Of what iotrace-stat says, a database has what a report shows. */
struct stat_options iot_stat_options = {
	.shown = {[0 ... IOTA_N_TABLES - 1] = true}, .findings = true, .time = true, .top = STATS_ROWS};

uint64_t iot_export_begins(const struct iotr_set *set)
{
	uint64_t begins = UINT64_MAX;
	size_t i;

	for (i = 0; i < iotr_set_size(set); i++)
		if (iotr_log_start(iotr_set_log(set, i)) < begins)
			begins = iotr_log_start(iotr_set_log(set, i));
	return begins;
}

uint64_t iot_export_ends(const struct iotr_set *set)
{
	uint64_t ends = 0;
	size_t i;

	for (i = 0; i < iotr_set_size(set); i++)
		if (iota_log_latest(iotr_set_log(set, i)) > ends)
			ends = iota_log_latest(iotr_set_log(set, i));
	return ends;
}
