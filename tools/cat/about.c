/* SPDX-License-Identifier: BSD-3-Clause */
/* about.c - what logs say beside calls: machines, file systems, files, and what threads used. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "cat.h"

static bool json(void)
{
	return iot_options.format == &iot_format_json;
}

/* ,"key":value or " value key" */
static void number(struct out *o, const char *key, uint64_t v)
{
	if (json()) {
		out_lit(o, ",\"");
		out_str(o, key);
		out_lit(o, "\":");
	} else {
		out_char(o, ' ');
	}
	iot_out_unsigned(o, v);
}

static void text(struct out *o, const char *words)
{
	if (!json())
		out_str(o, words);
}

static void string(struct out *o, const char *key, const char *s, size_t n)
{
	out_lit(o, ",\"");
	out_str(o, key);
	out_lit(o, "\":\"");
	iot_out_json(o, s, n);
	out_char(o, '"');
}

/* What a line is about, and of which process. */
static void begin(struct out *o, const struct iotr_log *log, const char *what, uint32_t pid)
{
	const char *host = iotr_log_key(log, "host", NULL);

	if (!json()) {
		out_str(o, what);
		return;
	}
	out_lit(o, "{\"about\":\"");
	out_str(o, what);
	out_char(o, '"');
	if (host)
		string(o, "host", host, strlen(host));
	number(o, "pid", pid);
}

static void end(struct out *o)
{
	out_str(o, json() ? "}\n" : "\n");
}

static void process(struct out *o, const struct iotr_log *log)
{
	const char *program = iotr_log_key(log, "program", NULL),
		   *host = iotr_log_key(log, "host", NULL);
	const char *cores = iotr_log_key(log, "cores", NULL),
		   *memory = iotr_log_key(log, "memory", NULL);
	uint32_t pid = iotr_log_pid(log);

	begin(o, log, "process", pid);
	if (!json())
		number(o, "", pid);
	if (program && json()) {
		string(o, "prog", program, strlen(program));
	} else if (program) {
		out_char(o, ' ');
		iot_out_c(o, program, strlen(program));
	}
	if (host && !json()) {
		out_lit(o, " on ");
		iot_out_c(o, host, strlen(host));
	}
	text(o, ":");
	if (cores) {
		number(o, "cores", strtoull(cores, NULL, 10));
		text(o, " cores,");
	}
	if (memory) {
		number(o, "memory", strtoull(memory, NULL, 10));
		text(o, " bytes of memory");
	}
	end(o);
}

static void out_dev(struct out *o, uint64_t dev)
{
	number(o, "dev", json() ? dev : major(dev));
	if (!json()) {
		out_char(o, ':');
		iot_out_unsigned(o, minor(dev));
	}
}

static void device(struct out *o, const struct iotr_log *log, const struct iotr_device *d)
{
	const char *name = iotr_filesystem_name(d->type);
	char unknown[20];

	snprintf(unknown, sizeof(unknown), "0x%x", d->type);
	if (!name)
		name = unknown;
	begin(o, log, "device", iotr_log_pid(log));
	out_dev(o, d->dev);
	if (json())
		string(o, "type", name, strlen(name));
	text(o, " (");
	text(o, name);
	text(o, "), blocks of");
	number(o, "blksize", d->blksize);
	text(o, " bytes");
	end(o);
}

static void layout(struct out *o, const struct iotr_layout *l, bool first)
{
	if (json()) {
		out_str(o, first ? ",\"stripes\":[{" : ",{");
		out_lit(o, "\"from\":");
		iot_out_unsigned(o, l->from);
		if (l->to != UINT64_MAX)
			number(o, "to", l->to);
	} else {
		out_lit(o, "; from offset ");
		iot_out_unsigned(o, l->from);
		out_lit(o, " stripes of");
	}
	number(o, "size", l->size);
	text(o, " bytes on");
	number(o, "count", l->count);
	text(o, " targets");
	if (l->first != UINT64_MAX) {
		text(o, " from number");
		number(o, "first", l->first);
	}
	if (json())
		out_char(o, '}');
}

static void file(struct out *o, const struct iotr_log *log, const struct iotr_path *path)
{
	const struct iotr_layout *l;

	begin(o, log, "file", iotr_log_pid(log));
	if (json()) {
		string(o, "path", path->name, path->len);
	} else {
		out_char(o, ' ');
		iot_text_quoted(o, path->name, path->len);
		out_lit(o, ": device");
	}
	out_dev(o, path->dev);
	text(o, ", inode");
	number(o, "ino", path->ino);
	if (json()) {
		number(o, "mode", path->mode);
	} else {
		out_lit(o, ", mode 0");
		iot_out_base(o, path->mode, 3);
	}
	if (path->size != IOTR_UNKNOWN_SIZE) {
		text(o, ",");
		number(o, "size", path->size);
		text(o, " bytes when it was opened, blocks of");
		number(o, "blksize", path->blksize);
		text(o, " bytes");
	}
	for (l = path->layout; l; l = l->next)
		layout(o, l, l == path->layout);
	if (json() && path->layout)
		out_char(o, ']');
	end(o);
}

/* In text in seconds, in JSON in ns. */
static void micros(struct out *o, const char *key, uint64_t us)
{
	char buf[40];

	if (json())
		number(o, key, us > UINT64_MAX / 1000 ? UINT64_MAX : us * 1000);
	else
		iot_out_bytes(o, buf, (size_t)snprintf(buf, sizeof(buf), " %llu.%06u s %s",
						       (unsigned long long)(us / 1000000),
						       (unsigned)(us % 1000000), key));
}

static void begin_thread(struct out *o, const struct iotr_log *log, const char *what, uint32_t pid, uint32_t tid)
{
	begin(o, log, what, pid);
	if (json()) {
		number(o, "tid", tid);
	} else {
		number(o, "", pid);
		out_char(o, '/');
		iot_out_unsigned(o, tid);
		out_char(o, ':');
	}
}

static void thread(struct out *o, const struct iotr_log *log, uint32_t pid, uint32_t tid,
		   const struct iotr_usage *u)
{
	begin_thread(o, log, "thread", pid, tid);
	micros(o, "user", u->user);
	text(o, ",");
	micros(o, "system", u->system);
	text(o, ", page faults:");
	number(o, "minor", u->minor);
	text(o, " minor,");
	number(o, "major", u->major);
	text(o, " major, blocks of 512 bytes:");
	number(o, "in", u->in);
	text(o, " in,");
	number(o, "out", u->out);
	text(o, " out, context switches:");
	number(o, "voluntary", u->voluntary);
	text(o, " voluntary,");
	number(o, "involuntary", u->involuntary);
	text(o, " involuntary");
	end(o);
}

/* Of one thread, what proc(5) says, by the kernel's names. */
static void thread_io(struct out *o, const struct iotr_log *log, uint32_t pid, uint32_t tid, const struct iotr_io *io)
{
	const char *name;
	uint64_t value;
	size_t i;

	begin_thread(o, log, "io", pid, tid);
	for (i = 0; (name = iotr_io_number(io, i, &value)); i++) {
		text(o, i ? ", " : " ");
		text(o, name);
		number(o, name, value);
	}
	end(o);
}

void iot_cat_about(const struct iotr_set *set)
{
	struct out *o = &iot_stdout;
	size_t i, j, n;

	for (i = 0; i < iotr_set_size(set); i++) {
		const struct iotr_log *log = iotr_set_log(set, i);
		uint32_t *id = iotr_log_path_ids(log, &n), pid, tid;
		const struct iotr_device *d;
		struct iotr_usage u;
		struct iotr_io io;

		process(o, log);
		for (j = 0; (d = iotr_log_device_at(log, j)); j++)
			device(o, log, d);
		for (j = 0; j < n; j++)
			if (iotr_log_path(log, id[j])->mode)
				file(o, log, iotr_log_path(log, id[j]));
		free(id);
		for (j = 0; iotr_log_usage_next(log, &j, &pid, &tid, &u);)
			thread(o, log, pid, tid, &u);
		for (j = 0; iotr_log_io_next(log, &j, &pid, &tid, &io);)
			thread_io(o, log, pid, tid, &io);
	}
}
