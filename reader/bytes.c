/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes.c - a log as the bytes that the recorder wrote, whether its file has them as they are, packed,
 * or among those of a job.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"
#include "log-bytes.h"
#include "packed.h"
#include "schema.h"
#include "starve.h"

size_t iotr_bytes_read(struct iotr_log *log, void *buf, size_t size, uint64_t off)
{
	if (log->job) {
		if (off >= log->room)
			return 0;
		return iotr_bytes_read(iotr_job_bytes(log->job), buf,
				     size < log->room - off ? size : (size_t)(log->room - off),
				     log->base + off);
	}
	if (log->packed)
		return iotr_unpack_read(log, buf, size, off);
	return iotr_file_read(log, buf, size, off);
}

/* Where nothing is from off on.  The log's size may be from before it was lengthened: who
   goes on from there would not come to an end. */
static uint64_t behind_all(const struct iotr_log *log, uint64_t off)
{
	return log->size > off ? log->size : UINT64_MAX;
}

/* Skip what the file system knows to be a hole. */
uint64_t iotr_bytes_data(struct iotr_log *log, uint64_t off)
{
	off_t data;
	bool none;
	int fd;

	if (log->job) {
		uint64_t there = iotr_bytes_data(iotr_job_bytes(log->job), log->base + off);

		return there - log->base < log->room ? there - log->base : behind_all(log, off);
	}
	if (log->packed)
		return iotr_unpack_data(log, off);
	if (log->mem)
		return off;
	fd = iotr_descriptor_get(log);
	if (fd < 0)
		return behind_all(log, off);
	data = lseek(fd, (off_t)off, SEEK_DATA);
	none = data < 0 && errno == ENXIO;
	iotr_descriptor_put(log);
	if (data < 0)
		return none ? behind_all(log, off) : off;
	data &= ~(off_t)(IOT_ALIGN - 1);
	return (uint64_t)data > off ? (uint64_t)data : off;
}

size_t iotr_log_read(struct iotr_log *log, void *buf, size_t size, uint64_t off)
{
	struct iotr_guard guard;
	size_t n;

	if (!IOTR_TRY(&guard)) {
		iotr_starved_log(log);
		return 0;
	}
	n = iotr_bytes_read(log, buf, size, off);
	iotr_guard_end(&guard);
	return n;
}

uint64_t iotr_log_data(struct iotr_log *log, uint64_t off)
{
	struct iotr_guard guard;

	if (!IOTR_TRY(&guard)) {
		iotr_starved_log(log);
		return log->size;
	}
	off = iotr_bytes_data(log, off);
	iotr_guard_end(&guard);
	return off;
}

void iotr_log_resize(struct iotr_log *log)
{
	if (!log->packed && !log->job)
		log->size = iotr_file_size(log);
}

uint64_t iotr_log_size(const struct iotr_log *log)
{
	return log->size;
}

bool iotr_log_packed(const struct iotr_log *log)
{
	return log->packed;
}

struct iotr_log *iotr_log_new(const char *file, iotr_message_fn *fn, void *arg)
{
	struct iotr_log *log = iotr_alloc(sizeof(*log));

	log->file = strdup(file);
	if (!log->file) {
		free(log);
		iotr_no_memory();
	}
	log->fd = -1;
	log->rank = -1;
	log->calls = &iotr_no_calls;
	log->fn = fn;
	log->fn_arg = arg;
	return log;
}

/* From here on the log's bytes can be read, packed or not. */
static struct iotr_log *begin_bytes(struct iotr_log *log)
{
	char magic[sizeof(IOTR_PACK_MAGIC) - 1];

	iotr_log_resize(log);
	if (!iotr_pack_is(magic, iotr_file_read(log, magic, sizeof(magic), 0)) ||
	    iotr_unpack_open(log) == 0)
		return log;
	iotr_log_bytes_close(log);
	return NULL;
}

struct iotr_log *iotr_log_bytes_mem(const void *data, size_t size, const char *name,
				    iotr_message_fn *fn, void *arg)
{
	struct iotr_log *log = iotr_log_new(name, fn, arg);

	log->mem = data;
	log->mem_size = size;
	return begin_bytes(log);
}

struct iotr_log *iotr_log_bytes(const char *file, iotr_message_fn *fn, void *arg)
{
	struct iotr_log *log = iotr_log_new(file, fn, arg);

	if (iotr_descriptor_open(log) == 0)
		return begin_bytes(log);
	iotr_log_bytes_close(log);
	return NULL;
}

struct iotr_log *iotr_log_open_bytes(int fd, const char *name, iotr_message_fn *fn, void *arg)
{
	struct iotr_guard guard;
	struct iotr_log *log;
	struct stat st;

	if (!IOTR_TRY(&guard)) {
		iotr_say_starved(fn, arg, name);
		return NULL;
	}
	log = iotr_log_new(name, fn, arg);
	log->fd = fd;
	if (fstat(fd, &st) == 0)
		log->ino = st.st_ino;
	log = begin_bytes(log);
	iotr_guard_end(&guard);
	return log;
}

void iotr_log_bytes_close(struct iotr_log *log)
{
	iotr_unpack_close(log);
	iotr_arena_free(&log->arena);
	iotr_descriptor_close(log);
	free(log->file);
	free(log);
}
