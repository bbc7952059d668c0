/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c - a log as a file: opening, reading pieces of it, messages about it. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "block-files.h"
#include "starve.h"
#include "live.h"
#include "packed.h"

/* A hostile log must not bury the terminal: after so many lines about damage
   one more says that there is more. */
#define MAX_DAMAGE 20

void iotr_say(struct iotr_log *log, enum iotr_severity severity, const char *format, ...)
{
	char text[1024];
	va_list ap;
	unsigned i;

	if (severity == IOTR_DAMAGE) {
		log->damaged = true;
		if (log->n_damage++ == MAX_DAMAGE)
			format = "further damage is not listed";
		else if (log->n_damage > MAX_DAMAGE)
			return;
	}
	if (!log->fn)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	/* names and values come from the log: keep the terminal and the line whole */
	for (i = 0; text[i]; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	log->fn(log->fn_arg, severity, log->file, text);
}

size_t iotr_file_read(struct iotr_log *log, void *buf, size_t size, uint64_t off)
{
	size_t got = 0;
	int fd;

	if (log->mem) {
		if (off >= log->mem_size)
			return 0;
		got = log->mem_size - off < size ? log->mem_size - off : size;
		memcpy(buf, log->mem + off, got);
		return got;
	}
	fd = iotr_descriptor_get(log);
	while (fd >= 0 && got < size) {
		ssize_t n = pread(fd, (char *)buf + got, size - got, (off_t)(off + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			iotr_say(log, IOTR_DAMAGE, "can't read at offset %llu: %s",
				 (unsigned long long)off, strerror(errno));
			break;
		}
		if (n == 0)
			break;
		got += (size_t)n;
	}
	iotr_descriptor_put(log);
	return got;
}

uint64_t iotr_file_size(struct iotr_log *log)
{
	uint64_t size = log->size;
	struct stat st;
	int fd;

	if (log->mem)
		return log->mem_size;
	fd = iotr_descriptor_get(log);
	if (fd >= 0 && fstat(fd, &st) == 0)
		size = (uint64_t)st.st_size;
	iotr_descriptor_put(log);
	return size;
}

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
	iotr_log_close(log);
	return NULL;
}

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

struct iotr_log *iotr_log_bytes_mem(const void *data, size_t size, const char *name,
				    iotr_message_fn *fn, void *arg)
{
	struct iotr_log *log = iotr_log_new(name, fn, arg);

	log->mem = data;
	log->mem_size = size;
	return begin_bytes(log);
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

struct iotr_log *iotr_log_bytes(const char *file, iotr_message_fn *fn, void *arg)
{
	struct iotr_log *log = iotr_log_new(file, fn, arg);

	if (iotr_descriptor_open(log) == 0)
		return begin_bytes(log);
	iotr_log_close(log);
	return NULL;
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

void iotr_log_close(struct iotr_log *log)
{
	size_t i;

	if (!log)
		return;
	iotr_unpack_close(log);
	iotr_files_forget(log);
	for (i = 0; i < log->n_streams; i++) {
		iotr_stream_close(log->stream[i]);
		free(log->stream[i]->ref);
		free(log->stream[i]->found);
		free(log->stream[i]->passed);
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
	iotr_idmap_free(&log->process);
	iotr_idmap_free(&log->sum);
	free(log->gap);
	free(log->window);
	free(log->map);
	free(log->clock.anchor);
	free(log->clock.seg);
	free(log->keys.key);
	iotr_arena_free(&log->arena);
	iotr_descriptor_close(log);
	iotr_job_close(log->job);
	iotr_shared_drop(log->shared);
	free(log->file);
	free(log);
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

/* The recorder counts a lost call in the header, and where it can also in the
   stream that misses it: the biggest number is the truth. */
struct iotr_loss iotr_log_lost(const struct iotr_log *log)
{
	struct iotr_loss l = {log->header.lost_calls, log->header.lost_reason};

	if (log->lost_blocks.calls > l.calls)
		l.calls = log->lost_blocks.calls;
	if (log->lost_defs.calls > l.calls)
		l.calls = log->lost_defs.calls;
	if (!l.reason)
		l.reason = log->lost_defs.reason;
	return l;
}

const char *iotr_loss_reason(uint64_t reason, char *buf, size_t size)
{
	switch (reason) {
	case 0:
		return "reason not known";
	case IOT_LOST_LIMIT:
		return "IOTRACE_LIMIT was reached";
	case IOT_LOST_FSIZE:
		return "the limit on file size (RLIMIT_FSIZE) was reached";
	case IOT_LOST_FD:
		return "the program closed the log's descriptor and it could not be opened again";
	case IOT_LOST_FILTER:
		return "the program's seccomp filter keeps the recorder from writing";
	case IOT_LOST_FILE:
		return "the log was cut short or lost its disk space while it was written";
	case IOT_LOST_SLOW:
		return "the log's disk was slow, and IOTRACE_ON_SLOW says drop";
	case IOT_LOST_RING:
		return "requests or completions of an io_uring that no call of the program's saw in time; "
		       "iotrace run --syscalls sees calls by instructions, too";
	case IOT_LOST_FAULTS:
		return "page faults that came faster than they could be read";
	case IOT_LOST_DEPTH:
		return "regions nested too deep";
	case IOT_LOST_TIMEBASE:
		return "the program forbade itself to read the timebase (PR_SET_TSC)";
	}
	if (reason < 4096 && iotr_errno_text((int)reason))
		return iotr_errno_text((int)reason);
	snprintf(buf, size, "reason %llu", (unsigned long long)reason);
	return buf;
}

void **iotr_log_user(struct iotr_log *log)
{
	return &log->user;
}
