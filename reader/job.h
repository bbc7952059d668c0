/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - the log of a parallel job: what its logs share. */
#ifndef IOTR_JOB_H
#define IOTR_JOB_H

#include "log-data.h"

struct iotr_job {
	struct iotr_log *file; /* only its bytes are of interest */
	struct iot_job_header header;
	struct iot_job_member *member;
	size_t n, cap;
	char *text;
	size_t text_size;
	uint64_t *strings;
	size_t n_strings; /* words */
	unsigned users;	  /* its logs, and who opened it */
	struct iotr_shared *shared;
};

static inline struct iotr_log *iotr_job_bytes(const struct iotr_job *job)
{
	return job->file;
}

/* The header text that ranks share; NULL if there is none. */
static inline const char *iotr_job_text(const struct iotr_job *job, size_t *len)
{
	*len = job->text_size;
	return job->text;
}

static inline bool iotr_job_string(const struct iotr_job *job, uint64_t at, const char **bytes, size_t *len)
{
	uint64_t size, i = at / 8;

	if (at % 8 || i >= job->n_strings)
		return false;
	size = job->strings[i] & ~IOT_INLINE;
	if (!(job->strings[i] & IOT_INLINE) || size > (job->n_strings - i - 1) * 8)
		return false;
	*bytes = (const char *)&job->strings[i + 1];
	*len = (size_t)size;
	return true;
}

/* job.c: is the file such a log? */
bool iotr_is_job(struct iotr_log *bytes);
/* It becomes the job's, also if it is none: NULL, and said why. */
struct iotr_job *iotr_job_begin(struct iotr_log *bytes);

/* job-logs.c: hands the logs of a file, or of those of a job, to the set; begin is
   iotr_log_begin or iotr_log_begin_live.  -1: there is none that can be read. */
int iotr_job_each(struct iotr_log *bytes, struct iotr_log *(*begin)(struct iotr_log *),
		  struct iotr_set *set);

#endif
