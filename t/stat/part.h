/* SPDX-License-Identifier: BSD-3-Clause */
/* part.h - the sums of a part of a job's logs: every n-th from the one numbered part on. */
#ifndef IOT_T_PART_H
#define IOT_T_PART_H

#include "../../tools/stat/stat.h"

static void sum_part(const char *file, size_t part, size_t n)
{
	struct iotr_set *set = iotr_set_new(iot_on_message, NULL);
	struct iotr_job *job = iotr_job_open(file, iot_on_message, NULL);
	struct iotr_log *log;
	size_t i;

	for (i = part; job && i < iotr_job_size(job); i += n) {
		log = iotr_job_log(job, i);
		if (log)
			iotr_set_add_log(set, log);
	}
	iotr_job_close(job);
	iotr_set_scan(set, iot_stat_call, NULL);
	iot_stat_end();
}

#endif
