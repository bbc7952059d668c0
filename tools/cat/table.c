/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - calls as rows of fields; how a field is written is the format's. */
#include "config.h"

#include "cat.h"

static const char columns[][12] = {
	"start",  "dur",  "host",    "pid",	 "tid",	   "rank", "prog",
	"family", "call", "syscall", "internal", "depth",  "fd",   "path",
	"offset", "size", "ret",     "errno",	 "status", "args", "mpi_own",
};
#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

void iot_table_head(struct out *o, char separator)
{
	size_t i;

	for (i = 0; i < N_COLUMNS; i++) {
		if (i)
			out_char(o, separator);
		out_str(o, columns[i]);
	}
	out_char(o, '\n');
}

static void text(struct out *o, const struct style *style, const char *s)
{
	if (s)
		style->text(o, s, strlen(s));
}

static void args(struct out *o, const struct iotr_call *call, const struct style *style)
{
	static struct out tmp = {.fd = -1};

	tmp.len = 0;
	if (iot_json_args(&tmp, call, ""))
		style->json(o, tmp.buf, tmp.len);
}

static void result(struct out *o, const struct iotr_call *call, const struct style *style)
{
	const char *name = call->err ? iotr_errno_name(call->err) : NULL;
	char sep = style->separator;

	if (call->has & IOT_HAS_OFFSET)
		out_signed(o, (int64_t)call->offset);
	out_char(o, sep);
	if (call->has & IOT_HAS_SIZE)
		iot_out_unsigned(o, call->size);
	out_char(o, sep);
	if (call->has & IOT_HAS_RET)
		out_signed(o, call->ret);
	out_char(o, sep);
	if (name)
		out_str(o, name);
	else if (call->err)
		out_signed(o, call->err);
	out_char(o, sep);
	text(o, style, iot_status_name(call));
	out_char(o, sep);
	args(o, call, style);
	out_char(o, sep);
	out_char(o, call->mpi_own ? '1' : '0');
	out_char(o, '\n');
}

void iot_table_call(struct out *o, const struct iotr_call *call, const struct style *style)
{
	const struct log_notes *log = iot_log_notes(call->log);
	const struct iotr_path *path;
	char sep = style->separator;
	const char *name;
	size_t len;
	int fd;

	iot_out_unsigned(o, call->start);
	out_char(o, sep);
	if (iotr_call_has_dur(call))
		iot_out_unsigned(o, call->dur);
	out_char(o, sep);
	text(o, style, log->host);
	out_char(o, sep);
	iot_out_unsigned(o, call->pid);
	out_char(o, sep);
	iot_out_unsigned(o, call->tid);
	out_char(o, sep);
	if (log->rank >= 0)
		out_signed(o, log->rank);
	out_char(o, sep);
	text(o, style, log->program);
	out_char(o, sep);
	text(o, style, call->schema->family);
	out_char(o, sep);
	text(o, style, call->schema->name);
	out_char(o, sep);
	text(o, style, iotr_call_syscall(call));
	out_char(o, sep);
	out_char(o, call->internal ? '1' : '0');
	out_char(o, sep);
	iot_out_unsigned(o, call->depth);
	out_char(o, sep);
	if (iot_fd_known(call, &fd))
		out_signed(o, fd);
	out_char(o, sep);
	name = iotr_call_path(call, &len, &path, NULL);
	if (name)
		style->text(o, name, len);
	out_char(o, sep);
	result(o, call, style);
}
