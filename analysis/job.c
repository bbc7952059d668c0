/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - what all processes are together. */
#include "config.h"

#include <stdlib.h>

#include "internal.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t count_different(const char **name, size_t n)
{
	size_t different = 0, i;

	qsort(name, n, sizeof(*name), by_name);
	for (i = 0; i < n; i++)
		different += !i || strcmp(name[i - 1], name[i]) != 0;
	return different;
}

static void count_names(struct iota_job *job, const struct iota_table *processes)
{
	const char **name = iota_malloc((processes->n + 1) * sizeof(*name));
	size_t n = 0, i;

	for (i = 0; i < processes->n; i++)
		if (processes->row[i]->extra)
			name[n++] = processes->row[i]->extra;
	job->hosts = count_different(name, n);
	for (i = 0; i < processes->n; i++)
		name[i] = processes->row[i]->name;
	job->programs = count_different(name, processes->n);
	free(name);
}

/* What was there for less than a tenth of the time says nothing of the whole: a shell, a
   child that executes another program. */
static void find_extremes(struct iota_job *job, const struct iota_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct iota_row *row = t->row[i];
		double lived = (double)row->v[IOTA_F_LIVED], io;

		/* processes of a job that are no rank's: its launcher and what that starts */
		if (t->id == IOTA_BY_RANK && !row->v[IOTA_F_RANK])
			continue;
		if (lived * 10 < (double)job->wall || lived <= 0)
			continue;
		io = (double)row->v[IOTA_F_IO] / lived;
		if (!job->most.row || io > job->most.io)
			job->most = (struct iota_share){row, io};
		if (!job->least.row || io < job->least.io)
			job->least = (struct iota_share){row, io};
	}
	job->members = t->id;
}

struct iota_job iota_job(const struct iota *a)
{
	static const enum iota_table_id members[] = {IOTA_BY_RANK, IOTA_BY_PROCESS, IOTA_BY_THREAD};
	const struct iota_table *processes = &a->table[IOTA_BY_PROCESS];
	struct iota_job job = {.processes = processes->n, .runs = a->runs, .wall = a->run_time};
	size_t i;

	count_names(&job, processes);
	for (i = 0; i < processes->n; i++) {
		const uint64_t *v = processes->row[i]->v;

		if (!job.begin || v[IOTA_F_BEGIN] < job.begin)
			job.begin = v[IOTA_F_BEGIN];
		if (v[IOTA_F_BEGIN] + v[IOTA_F_ELAPSED] > job.end)
			job.end = v[IOTA_F_BEGIN] + v[IOTA_F_ELAPSED];
		job.threads += v[IOTA_F_THREADS];
		job.lived += v[IOTA_F_LIVED];
	}
	for (i = 0; i < a->table[IOTA_BY_RANK].n; i++)
		job.ranks += a->table[IOTA_BY_RANK].row[i]->v[IOTA_F_RANK] != 0;
	for (i = 0; i < sizeof(members) / sizeof(members[0]) && !job.most.row; i++)
		if (a->table[members[i]].n > 1)
			find_extremes(&job, &a->table[members[i]]);
	return job;
}
