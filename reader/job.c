/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.c - the log of a parallel job: what those of its ranks, which are in one file, share.
 *
 * Each of them is opened by itself (job-logs.c), and its bytes are a part of the file's; the
 * file stays open for as long as one of them is.  What is wrong in what they share is said
 * once, of the file.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "log-bytes.h"
#include "schema.h"
#include "starve.h"

static int check_fixed(struct iotr_job *job)
{
	const struct iot_job_header *h = &job->header;
	struct iotr_log *file = job->file;

	if (iotr_bytes_read(file, &job->header, sizeof(job->header), 0) < sizeof(job->header))
		iotr_say(file, IOTR_FATAL, "is the log of a job, and cut short within its header");
	else if (h->byte_order == __builtin_bswap64(IOT_BYTE_ORDER))
		iotr_say(file, IOTR_FATAL,
			 "was written on a machine of the other byte order; read it there");
	else if (h->byte_order != IOT_BYTE_ORDER)
		iotr_say(file, IOTR_FATAL,
			 "is the log of a job, and has a damaged header "
			 "(byte order mark)");
	else if (!h->version || h->version > IOT_JOB_VERSION)
		iotr_say(
			file, IOTR_FATAL,
			"is the log of a job as of version %u; this reader knows versions up to %u",
			h->version, IOT_JOB_VERSION);
	else
		return 0;
	return -1;
}

/* Bytes, and zeroes behind them up to a whole word. */
static void check(struct iotr_job *job, uint64_t sum, const void *bytes, uint64_t size,
		  const char *what, uint64_t off)
{
	if (job->header.version > 1 && sum != iot_sum(0, bytes, (size + 7) / 8))
		iotr_say(job->file, IOTR_DAMAGE,
			 "the %s that its logs share are damaged, the %llu bytes from offset %llu "
			 "on: what they say may be wrong",
			 what, (unsigned long long)size, (unsigned long long)off);
}

/* What the logs share; as much as there is of it. */
static void *read_shared(struct iotr_job *job, const char *what, uint64_t off, uint64_t size,
			 uint64_t sum, size_t *got)
{
	uint64_t end = iotr_log_size(job->file);
	char *p;

	*got = 0;
	if (!size)
		return NULL;
	if (size > IOTR_TEXT_MAX || off > end || size > end - off) {
		iotr_say(job->file, IOTR_DAMAGE, "the %s that its logs share are not there", what);
		return NULL;
	}
	p = iotr_alloc(size + 8);
	*got = iotr_bytes_read(job->file, p, size, off);
	if (*got == size)
		check(job, sum, p, size, what, off);
	return p;
}

static void add_member(struct iotr_job *job, const struct iot_job_member *m)
{
	job->member = iotr_grow(job->member, &job->cap, job->n + 1, sizeof(*m));
	job->member[job->n++] = *m;
}

static bool begins_log(struct iotr_job *job, uint64_t off)
{
	char magic[sizeof(IOT_MAGIC) - 1];

	return iotr_bytes_read(job->file, magic, sizeof(magic), off) == sizeof(magic) &&
	       !memcmp(magic, IOT_MAGIC, sizeof(magic));
}

static bool index_sound(const struct iotr_job *job)
{
	return job->header.version < 2 ||
	       job->header.index_sum == iot_sum(0, (const uint64_t *)(const void *)job->member,
						job->n * sizeof(*job->member) / 8);
}

/* The index as it stands; false if it can't be true. */
static bool read_index(struct iotr_job *job)
{
	const struct iot_job_header *h = &job->header;
	uint64_t size = iotr_log_size(job->file), end = h->index;
	struct iot_job_member m;

	for (uint32_t i = 0; i < h->n; i++) {
		uint64_t at;

		if (__builtin_add_overflow(h->index, i * (uint64_t)sizeof(m), &at) ||
		    iotr_bytes_read(job->file, &m, sizeof(m), at) < sizeof(m) ||
		    m.offset % IOT_ALIGN || m.offset < end || m.offset >= size ||
		    __builtin_add_overflow(m.offset, m.size, &end) || !begins_log(job, m.offset))
			return false;
		add_member(job, &m);
	}
	return index_sound(job);
}

/* Where logs begin, whatever the index says. */
static void find_members(struct iotr_job *job)
{
	uint64_t size = iotr_log_size(job->file), off = 0;

	job->n = 0;
	while ((off = iotr_bytes_data(job->file, off)) < size) {
		struct iot_job_member m = {.offset = off, .size = size - off};

		if (begins_log(job, off)) {
			if (job->n)
				job->member[job->n - 1].size = off - job->member[job->n - 1].offset;
			add_member(job, &m);
		}
		off += IOT_ALIGN;
	}
}

struct iotr_job *iotr_job_begin(struct iotr_log *file)
{
	struct iotr_job *job = iotr_alloc(sizeof(*job));
	const struct iot_job_header *h = &job->header;
	size_t size;

	job->file = file;
	job->users = 1;
	job->shared = iotr_shared_use(file->shared);
	if (check_fixed(job) < 0) {
		iotr_job_close(job);
		return NULL;
	}
	if (h->version > 1 && h->sum != iot_job_sum(h))
		iotr_say(file, IOTR_DAMAGE,
			 "the header is damaged, the %zu bytes from offset 0 on: what it says may "
			 "be wrong",
			 sizeof(*h));
	job->text = read_shared(job, "header texts", h->text, h->text_size, h->text_sum, &job->text_size);
	job->strings = read_shared(job, "names", h->strings, h->strings_size & ~7ULL, h->strings_sum, &size);
	job->n_strings = size / 8;
	if (!read_index(job)) {
		find_members(job);
		iotr_say(file, IOTR_DAMAGE,
			 "the index of its logs is damaged; %zu of %u were found", job->n, h->n);
	}
	if (job->n)
		return job;
	iotr_say(file, IOTR_FATAL, "is the log of a job, and holds none");
	iotr_job_close(job);
	return NULL;
}

bool iotr_is_job(struct iotr_log *bytes)
{
	char magic[sizeof(IOT_JOB_MAGIC)];

	return iotr_bytes_read(bytes, magic, sizeof(magic), 0) == sizeof(magic) &&
	       !memcmp(magic, IOT_JOB_MAGIC, sizeof(magic));
}

static struct iotr_job *job_open(const char *file, iotr_message_fn *fn, void *arg)
{
	struct iotr_log *bytes = iotr_log_bytes(file, fn, arg);

	if (!bytes)
		return NULL;
	if (iotr_is_job(bytes))
		return iotr_job_begin(bytes);
	iotr_say(bytes, IOTR_FATAL, "is no log of a job");
	iotr_log_bytes_close(bytes);
	return NULL;
}

struct iotr_job *iotr_job_open(const char *file, iotr_message_fn *fn, void *arg)
{
	struct iotr_job *got;
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard)) {
		iotr_say_starved(fn, arg, file);
		return NULL;
	}
	got = job_open(file, fn, arg);
	iotr_guard_end(&guard);
	return got;
}

void iotr_job_close(struct iotr_job *job)
{
	if (!job || --job->users)
		return;
	iotr_shared_drop(job->file->shared);
	iotr_log_bytes_close(job->file);
	iotr_shared_drop(job->shared);
	free(job->member);
	free(job->text);
	free(job->strings);
	free(job);
}
