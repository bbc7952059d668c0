/* SPDX-License-Identifier: BSD-3-Clause */
/* one-log.c - packs, unpacks or lists one log. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/screen.h"
#include "pack.h"

#define SUFFIX ".iotrace"
#define PACKED ".packed" SUFFIX

struct pack_options iot_options = {.level = 3};

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

/* The name of the log's other form, packed or unpacked.  NULL: there is none, which is said. */
static char *other_name(const char *file)
{
	const char *from = iot_options.unpack ? PACKED : SUFFIX, *to = iot_options.unpack ? SUFFIX : PACKED;
	char *name = NULL;

	if (iot_options.output)
		return strdup(iot_options.output);
	if (ends_in(file, from) &&
	    asprintf(&name, "%.*s%s", (int)(strlen(file) - strlen(from)), file, to) >= 0)
		return name;
	iot_complain(STATUS_TROUBLE, file, "has no name that ends in %s; use -o FILE", from);
	return NULL;
}

/* Reads what was written, and compares it with the log. */
static bool check(struct iotr_log *log, const struct output *o)
{
	int fd = dup(o->fd);
	struct iotr_log *back =
		fd < 0 ? NULL : iotr_log_open_bytes(fd, o->name, iot_on_message, NULL);
	bool same = back && iot_same_bytes(log, back);

	if (!same)
		iot_complain(STATUS_TROUBLE, iotr_log_file(log), "the log changed while it was read; it is kept as it is");
	iotr_log_close(back);
	return same;
}

static int convert(struct iotr_log *log, int fd, bool sparse)
{
	return iot_options.unpack ? iot_write_bytes(log, fd, sparse) : iotr_pack(log, fd, iot_options.level);
}

/* Writes the log's other form to a file. */
static void to_file(struct iotr_log *log, const char *file, const struct stat *st, bool remove)
{
	char *name = other_name(file);
	struct output o = {.fd = -1};
	bool failed;

	if (!name || iot_output_open(&o, name) < 0) {
		free(name);
		return;
	}
	failed = convert(log, o.fd, true) < 0;
	if (iotr_log_damaged(log))
		iot_complain(STATUS_LESS, file, "is kept, since it is damaged");
	else if (failed)
		iot_complain(STATUS_TROUBLE, name, "can't be written: %s",
			     errno == ENOSYS ? "this iotrace was built without zstd"
					     : strerror(errno));
	else if (check(log, &o))
		iot_output_finish(&o, st, remove ? file : NULL);
	iot_output_close(&o);
	free(name);
}

static void list_log(struct iotr_log *log, const struct stat *st)
{
	static bool headed;
	struct out name = {.fd = -1};
	double packed = (double)st->st_size, calls = (double)iotr_log_packed_calls(log);
	size_t columns = 61, width = iot_screen_width();

	if (!headed)
		printf("%12s %14s %12s %10s %7s  %s\n", "packed", "unpacked", "calls", "bytes/call",
		       "ratio", "log");
	headed = true;
	iot_out_end_of(&name, iotr_log_file(log), strlen(iotr_log_file(log)),
		       width > columns ? width - columns : 0);
	printf("%12llu %14llu %12llu %10.2f %7.2f  %.*s\n", (unsigned long long)st->st_size,
	       (unsigned long long)iotr_log_size(log),
	       (unsigned long long)iotr_log_packed_calls(log), calls > 0 ? packed / calls : 0.0,
	       (double)iotr_log_size(log) / packed, (int)name.len, name.buf);
	free(name.buf);
}

static bool is_log(struct iotr_log *log)
{
	char magic[sizeof(IOT_MAGIC) - 1];

	if (iotr_log_read(log, magic, sizeof(magic), 0) == sizeof(magic) &&
	    (!memcmp(magic, IOT_MAGIC, sizeof(magic)) ||
	     !memcmp(magic, IOT_JOB_MAGIC, sizeof(magic))))
		return true;
	iot_complain(STATUS_LESS, iotr_log_file(log), "is no iotrace log");
	return false;
}

/* Does a process of the log still run?  Then the log may not be removed. */
static bool is_written(const char *file)
{
	struct iotr_log *log = iotr_log_open(file, NULL, NULL);
	uint32_t writer = log ? iotr_log_writer_among(log, iot_options.mapped) : 0;

	if (writer && !iot_options.force)
		iot_complain(STATUS_LESS, file,
			     "seems to be written by process %u still; wait for it, or use --force",
			     writer);
	iotr_log_close(log);
	return writer;
}

static void process_log(struct iotr_log *log, const char *file, const struct stat *st)
{
	bool written;

	if (!iot_options.unpack && !is_log(log))
		return;
	written = !iot_options.unpack && is_written(file);
	if (written && !iot_options.force)
		return;
	if (!iot_options.to_stdout)
		to_file(log, file, st, !iot_options.keep && !iot_options.output && !written);
	else if (convert(log, STDOUT_FILENO, false) < 0 && !iotr_log_damaged(log))
		iot_die("can't write to standard output: %s", strerror(errno));
}

void iot_process(const char *file, bool one_of_many)
{
	/* O_NONBLOCK: a FIFO by that name must not make us wait. */
	int fd = !strcmp(file, "-") ? iot_logs_stdin()
				    : open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct iotr_log *log;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		iot_complain(STATUS_TROUBLE, file,
			     fd < 0 ? "can't be opened: %s" : "is no log: not a regular file",
			     strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	log = iotr_log_open_bytes(fd, file, iot_on_message, NULL);
	if (!log)
		return;
	if (iotr_log_packed(log) != (iot_options.unpack || iot_options.list)) {
		if (!one_of_many)
			iot_complain(STATUS_LESS, file,
				     iot_options.unpack || iot_options.list ? "is not packed" : "is packed already");
	} else if (iot_options.list) {
		list_log(log, &st);
	} else {
		process_log(log, file, &st);
	}
	iotr_log_close(log);
}
