/* SPDX-License-Identifier: BSD-3-Clause */
/* part.h - the sums of a part of a job's logs: every n-th from the one numbered part on.  What
   is no job is one log, and the first part's. */
#ifndef IOT_T_PART_H
#define IOT_T_PART_H

#include <stdio.h>
#include <string.h>

#include "../../analysis/seeks.h"
#include "../../tools/stat/stat.h"

#define ALL_TABLES (IOTA_FINDINGS | (IOTA_FINDINGS - 1) | IOTA_CONSTELLATIONS | IOTA_NAMES | IOTA_SEEKS)

static void on_call(void *a, const struct iotr_call *call)
{
	iota_call(a, call, true);
}

static bool is_job(const char *file)
{
	char magic[6] = "";
	FILE *f = fopen(file, "r");
	bool is = f && fread(magic, sizeof(magic), 1, f) == 1 && !memcmp(magic, "IOTJOB", 6);

	if (f)
		fclose(f);
	return is;
}

static void sum_part(struct iota *a, const char *file, size_t part, size_t n)
{
	struct iotr_set *set = iotr_set_new(iot_on_message, NULL);
	struct iotr_job *job = is_job(file) ? iotr_job_open(file, iot_on_message, NULL) : NULL;
	struct iotr_log *log;
	size_t i;

	for (i = part; job && i < iotr_job_size(job); i += n) {
		log = iotr_job_log(job, i);
		if (log)
			iotr_set_add_log(set, log);
	}
	if (!is_job(file) && !part)
		iotr_set_add(set, file);
	iotr_job_close(job);
	iotr_set_scan(set, on_call, a);
	iota_end(a);
}

/* All of it, as iotrace-stat --format=json does. */
static void print_all(struct iota *a)
{
	size_t i;

	for (i = 0; i < IOTA_N_TABLES; i++)
		iot_stat_options.shown[i] = true;
	iot_stat_options.constellations = iot_stat_options.seeks = iot_stat_options.layout = true;
	iota_done(a, IOTA_F_SELF);
	iot_stat_json(a, iotr_set_new(iot_on_message, NULL));
	iot_out_flush(&iot_stdout);
}

#endif
