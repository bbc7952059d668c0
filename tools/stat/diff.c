/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c - iotrace-stat --diff: runs are compared, and printed. */
#include "config.h"

#include <string.h>

#include "diff.h"

/* Those that --by names; without it, all. */
static void choose_tables(struct diff *d)
{
	bool chosen[DIFF_N_TABLES] = {[DIFF_JOB] = true}, any = false;
	unsigned by, t;

	for (by = 0; by < IOTA_N_TABLES; by++)
		for (t = 0; t < DIFF_N_TABLES; t++)
			if (iot_stat_options.shown[by] && !strcmp(iota_shapes[by].plural, iot_diff_tables[t]))
				any = chosen[t] = true;
	for (t = 0; t < DIFF_N_TABLES; t++)
		d->has[t] = !any || iot_stat_options.everything || chosen[t];
}

void iot_stat_diff(char **name, size_t n_before, enum stat_format format, enum iota_field sort_by)
{
	struct diff d = {.run = (const char **)name};

	while (name[d.n_runs])
		d.n_runs++;
	d.n[DIFF_BEFORE] = n_before;
	d.n[DIFF_AFTER] = d.n_runs - n_before;
	choose_tables(&d);
	iot_stat_options.everything = true;
	iot_diff_read_runs(&d, d.n_runs);
	iot_diff_match(&d);
	iot_diff_compare(&d, sort_by);
	if (format == STAT_JSON)
		iot_diff_json(&iot_stdout, &d);
	else if (format == STAT_CSV)
		iot_diff_csv(&iot_stdout, &d);
	else
		iot_diff_text(&iot_stdout, &d);
	iot_out_flush(&iot_stdout);
	if (iot_diff_fails(&d) && iot_exit_status < STATUS_LESS)
		iot_exit_status = STATUS_LESS;
	iot_diff_free(&d);
}
