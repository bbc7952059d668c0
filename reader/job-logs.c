/* SPDX-License-Identifier: BSD-3-Clause */
/* job-logs.c - the logs in the log of a job. */
#include "config.h"

#include <stdio.h>

#include "job.h"
#include "log-bytes.h"
#include "set.h"
#include "starve.h"

size_t iotr_job_size(const struct iotr_job *job)
{
	return job->n;
}

static struct iotr_log *open_member(struct iotr_job *job, size_t n,
				    struct iotr_log *(*begin)(struct iotr_log *))
{
	const struct iot_job_member *m = &job->member[n];
	uint64_t there = iotr_log_size(job->file) - m->offset;
	char name[5000];
	struct iotr_log *log;

	snprintf(name, sizeof(name), "%s:%zu", job->file->file, n);
	log = iotr_log_new(name, job->file->fn, job->file->fn_arg);
	log->job = job;
	job->users++;
	log->shared = iotr_shared_use(job->shared);
	log->base = m->offset;
	log->room = log->size = m->size < there ? m->size : there;
	return begin(log);
}

struct iotr_log *iotr_job_log(struct iotr_job *job, size_t n)
{
	struct iotr_guard guard;
	struct iotr_log *log;

	if (!IOTR_TRY(&guard)) {
		iotr_starved_log(job->file);
		return NULL;
	}
	log = n < job->n ? open_member(job, n, iotr_log_begin) : NULL;
	iotr_guard_end(&guard);
	return log;
}

int iotr_job_each(struct iotr_log *bytes, struct iotr_log *(*begin)(struct iotr_log *),
		  struct iotr_set *set)
{
	struct iotr_job *job;
	struct iotr_log *log;
	size_t i, added = 0;

	bytes->shared = iotr_shared_use(iotr_set_shared(set));
	if (!iotr_is_job(bytes)) {
		log = begin(bytes);
		if (log)
			iotr_set_take(set, log);
		return log ? 0 : -1;
	}
	job = iotr_job_begin(bytes);
	for (i = 0; job && i < job->n; i++) {
		log = open_member(job, i, begin);
		if (!log)
			continue;
		iotr_set_take(set, log);
		added++;
	}
	iotr_job_close(job);
	return added ? 0 : -1;
}
