/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c - a log is opened and closed, and what it says of itself. */
#include "config.h"

#include <stdlib.h>

#include "block-files.h"
#include "blocks.h"
#include "define.h"
#include "job.h"
#include "live.h"
#include "log-bytes.h"
#include "schema.h"
#include "starve.h"

struct iotr_log *iotr_log_begin(struct iotr_log *log)
{
	if (!log->shared)
		log->shared = iotr_shared_use(NULL);
	if (!iotr_header_unborn(log) && iotr_header_read(log) < 0) {
		iotr_log_close(log);
		return NULL;
	}
	iotr_index(log);
	return log;
}

struct iotr_log *iotr_log_open_mem(const void *data, size_t size, const char *name,
				   iotr_message_fn *fn, void *arg)
{
	struct iotr_guard guard;
	struct iotr_log *log;

	if (!IOTR_TRY(&guard)) {
		iotr_say_starved(fn, arg, name);
		return NULL;
	}
	log = iotr_log_bytes_mem(data, size, name, fn, arg);
	if (log)
		log = iotr_log_begin(log);
	iotr_guard_end(&guard);
	return log;
}

struct iotr_log *iotr_log_open(const char *file, iotr_message_fn *fn, void *arg)
{
	struct iotr_guard guard;
	struct iotr_log *log;

	if (!IOTR_TRY(&guard)) {
		iotr_say_starved(fn, arg, file);
		return NULL;
	}
	log = iotr_log_bytes(file, fn, arg);
	if (log)
		log = iotr_log_begin(log);
	iotr_guard_end(&guard);
	return log;
}

struct iotr_log *iotr_log_begin_live(struct iotr_log *log)
{
	if (iotr_header_read(log) < 0) {
		iotr_log_close(log);
		return NULL;
	}
	log->followed = log->live = log->quiet = true;
	iotr_log_locate(log);
	log->walked = log->header.text_end;
	return log;
}

void iotr_log_close(struct iotr_log *log)
{
	size_t i;

	if (!log)
		return;
	iotr_files_forget(log);
	for (i = 0; i < log->n_streams; i++) {
		iotr_stream_close(log->stream[i]);
		free(log->stream[i]->ref);
		free(log->stream[i]->found);
		free(log->stream[i]->passed);
		free(log->stream[i]->used);
		free(log->stream[i]->late);
		free(log->stream[i]->slots);
		free(log->stream[i]->now);
		free(log->stream[i]);
	}
	free(log->stream);
	iotr_idmap_free(&log->frames);
	iotr_idmap_free(&log->unknown);
	iotr_idmap_free(&log->path);
	iotr_idmap_free(&log->layout);
	iotr_idmap_free(&log->handle);
	iotr_stacks_forget(log);
	free(log->branch);
	iotr_idmap_free(&log->codes);
	iotr_idmap_free(&log->stream_by_id);
	iotr_idmap_free(&log->by_thread);
	iotr_idmap_free(&log->process);
	iotr_idmap_free(&log->sum);
	free(log->gap);
	free(log->window);
	free(log->map);
	free(log->clock.anchor);
	free(log->clock.seg);
	free(log->keys.key);
	iotr_job_close(log->job);
	iotr_shared_drop(log->shared);
	iotr_log_bytes_close(log);
}

const char *iotr_log_file(const struct iotr_log *log)
{
	return log->file;
}

uint32_t iotr_log_version(const struct iotr_log *log)
{
	return log->header.version;
}

uint32_t iotr_log_pid(const struct iotr_log *log)
{
	return log->header.pid;
}

bool iotr_log_damaged(const struct iotr_log *log)
{
	return log->damaged;
}

size_t iotr_log_processes(const struct iotr_log *log)
{
	return log->n_processes;
}

size_t iotr_log_threads(const struct iotr_log *log)
{
	return log->n_threads;
}

void **iotr_log_user(struct iotr_log *log)
{
	return &log->user;
}
