/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.c - the log of a parallel job: those of its ranks in one file.
 *
 * Each of them is opened by itself, and its bytes are a part of the file's; the file
 * stays open for as long as one of them is.  What is wrong in what they share is said
 * once, of the file.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

struct iot_job {
	struct iot_log *file; /* only its bytes are of interest */
	struct iot_job_header header;
	struct iot_job_member *member;
	size_t n, cap;
	char *text;
	size_t text_size;
	uint64_t *strings;
	size_t n_strings; /* words */
	unsigned users;	  /* its logs, and who opened it */
	struct iot_shared *shared;
};

struct iot_log *iot_job_bytes(const struct iot_job *job)
{
	return job->file;
}

const char *iot_job_text(const struct iot_job *job, size_t *len)
{
	*len = job->text_size;
	return job->text;
}

bool iot_job_string(const struct iot_job *job, uint64_t at, const char **bytes, size_t *len)
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

/* ---- opening ---- */

static int check_fixed(struct iot_job *job)
{
	const struct iot_job_header *h = &job->header;
	struct iot_log *file = job->file;

	if (iot_log_read(file, &job->header, sizeof(job->header), 0) < sizeof(job->header))
		iot_say(file, IOT_FATAL, "is the log of a job, and cut short within its header");
	else if (h->byte_order == __builtin_bswap64(IOT_BYTE_ORDER))
		iot_say(file, IOT_FATAL,
			"was written on a machine of the other byte order; read it there");
	else if (h->byte_order != IOT_BYTE_ORDER)
		iot_say(file, IOT_FATAL, "is the log of a job, and has a damaged header "
					 "(byte order mark)");
	else if (!h->version || h->version > IOT_JOB_VERSION)
		iot_say(file, IOT_FATAL,
			"is the log of a job as of version %u; this reader knows versions up to %u",
			h->version, IOT_JOB_VERSION);
	else
		return 0;
	return -1;
}

/* Bytes, and zeroes behind them up to a whole word. */
static void check(struct iot_job *job, uint64_t sum, const void *bytes, uint64_t size, const char *what,
		  uint64_t off)
{
	if (job->header.version > 1 && sum != iot_sum(0, bytes, (size + 7) / 8))
		iot_say(job->file, IOT_DAMAGE,
			"the %s that its logs share are damaged, the %llu bytes from offset %llu on: what they say may be wrong",
			what, (unsigned long long)size, (unsigned long long)off);
}

/* What the logs share; as much as there is of it. */
static void *read_shared(struct iot_job *job, const char *what, uint64_t off, uint64_t size,
			 uint64_t sum, size_t *got)
{
	uint64_t end = iot_log_size(job->file);
	char *p;

	*got = 0;
	if (!size)
		return NULL;
	if (size > IOT_TEXT_MAX || off > end || size > end - off) {
		iot_say(job->file, IOT_DAMAGE, "the %s that its logs share are not there", what);
		return NULL;
	}
	p = iot_alloc(size + 8);
	*got = iot_log_read(job->file, p, size, off);
	if (*got == size)
		check(job, sum, p, size, what, off);
	return p;
}

static void add_member(struct iot_job *job, const struct iot_job_member *m)
{
	job->member = iot_grow(job->member, &job->cap, job->n + 1, sizeof(*m));
	job->member[job->n++] = *m;
}

static bool begins_log(struct iot_job *job, uint64_t off)
{
	char magic[sizeof(IOT_MAGIC) - 1];

	return iot_log_read(job->file, magic, sizeof(magic), off) == sizeof(magic) &&
	       !memcmp(magic, IOT_MAGIC, sizeof(magic));
}

static bool index_sound(const struct iot_job *job)
{
	return job->header.version < 2 ||
	       job->header.index_sum == iot_sum(0, (const uint64_t *)(const void *)job->member,
						job->n * sizeof(*job->member) / 8);
}

/* The index as it stands; false if it can't be true. */
static bool read_index(struct iot_job *job)
{
	const struct iot_job_header *h = &job->header;
	uint64_t size = iot_log_size(job->file), end = h->index;
	struct iot_job_member m;

	for (uint32_t i = 0; i < h->n; i++) {
		uint64_t at;

		if (__builtin_add_overflow(h->index, i * (uint64_t)sizeof(m), &at) ||
		    iot_log_read(job->file, &m, sizeof(m), at) < sizeof(m) ||
		    m.offset % IOT_ALIGN || m.offset < end || m.offset >= size ||
		    __builtin_add_overflow(m.offset, m.size, &end) ||
		    !begins_log(job, m.offset))
			return false;
		add_member(job, &m);
	}
	return index_sound(job);
}

/* Where logs begin, whatever the index says. */
static void find_members(struct iot_job *job)
{
	uint64_t size = iot_log_size(job->file), off = 0;

	job->n = 0;
	while ((off = iot_log_data(job->file, off)) < size) {
		struct iot_job_member m = {.offset = off, .size = size - off};

		if (begins_log(job, off)) {
			if (job->n)
				job->member[job->n - 1].size = off - job->member[job->n - 1].offset;
			add_member(job, &m);
		}
		off += IOT_ALIGN;
	}
}

static struct iot_job *job_begin(struct iot_log *file)
{
	struct iot_job *job = iot_alloc(sizeof(*job));
	const struct iot_job_header *h = &job->header;
	size_t size;

	job->file = file;
	job->users = 1;
	job->shared = iot_shared_use(file->shared);
	if (check_fixed(job) < 0) {
		iot_job_close(job);
		return NULL;
	}
	if (h->version > 1 && h->sum != iot_job_sum(h))
		iot_say(file, IOT_DAMAGE, "the header is damaged, the %zu bytes from offset 0 on: what it says may be wrong",
			sizeof(*h));
	job->text = read_shared(job, "header texts", h->text, h->text_size, h->text_sum, &job->text_size);
	job->strings = read_shared(job, "names", h->strings, h->strings_size & ~7ULL, h->strings_sum, &size);
	job->n_strings = size / 8;
	if (!read_index(job)) {
		find_members(job);
		iot_say(file, IOT_DAMAGE, "the index of its logs is damaged; %zu of %u were found",
			job->n, h->n);
	}
	if (job->n)
		return job;
	iot_say(file, IOT_FATAL, "is the log of a job, and holds none");
	iot_job_close(job);
	return NULL;
}

static bool is_job(struct iot_log *bytes)
{
	char magic[sizeof(IOT_JOB_MAGIC)];

	return iot_log_read(bytes, magic, sizeof(magic), 0) == sizeof(magic) &&
	       !memcmp(magic, IOT_JOB_MAGIC, sizeof(magic));
}

struct iot_job *iot_job_open(const char *file, iot_message_fn *fn, void *arg)
{
	struct iot_log *bytes = iot_log_bytes(file, fn, arg);

	if (!bytes)
		return NULL;
	if (is_job(bytes))
		return job_begin(bytes);
	iot_say(bytes, IOT_FATAL, "is no log of a job");
	iot_log_close(bytes);
	return NULL;
}

void iot_job_close(struct iot_job *job)
{
	if (!job || --job->users)
		return;
	iot_log_close(job->file);
	iot_shared_drop(job->shared);
	free(job->member);
	free(job->text);
	free(job->strings);
	free(job);
}

/* ---- its logs ---- */

size_t iot_job_size(const struct iot_job *job)
{
	return job->n;
}

static struct iot_log *open_member(struct iot_job *job, size_t n,
				   struct iot_log *(*begin)(struct iot_log *))
{
	const struct iot_job_member *m = &job->member[n];
	uint64_t there = iot_log_size(job->file) - m->offset;
	char name[5000];
	struct iot_log *log;

	snprintf(name, sizeof(name), "%s:%zu", job->file->file, n);
	log = iot_log_new(name, job->file->fn, job->file->fn_arg);
	log->job = job;
	job->users++;
	log->shared = iot_shared_use(job->shared);
	log->base = m->offset;
	log->room = log->size = m->size < there ? m->size : there;
	return begin(log);
}

struct iot_log *iot_job_log(struct iot_job *job, size_t n)
{
	return n < job->n ? open_member(job, n, iot_log_begin) : NULL;
}

int iot_job_each(struct iot_log *bytes, struct iot_log *(*begin)(struct iot_log *),
		 struct iot_set *set)
{
	struct iot_job *job;
	struct iot_log *log;
	size_t i, added = 0;

	bytes->shared = iot_shared_use(iot_set_shared(set));
	if (!is_job(bytes)) {
		log = begin(bytes);
		if (log)
			iot_set_add_log(set, log);
		return log ? 0 : -1;
	}
	job = job_begin(bytes);
	for (i = 0; job && i < job->n; i++) {
		log = open_member(job, i, begin);
		if (!log)
			continue;
		iot_set_add_log(set, log);
		added++;
	}
	iot_job_close(job);
	return added ? 0 : -1;
}
