/* SPDX-License-Identifier: BSD-3-Clause */
/* cat-table.c - calls as rows: csv for spreadsheets, raw for perl and awk. */
#include "config.h"

#include "cat.h"

static const char columns[][12] = {
	"start",  "dur",  "host",    "pid",	 "tid",	   "rank", "prog",
	"family", "call", "syscall", "internal", "depth",  "fd",   "path",
	"offset", "size", "ret",     "errno",	 "status", "args", "mpi_own",
};
#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* A raw field holds no '!', no line ends and no other control characters: they,
   and the backslash, are \ooo. */
static void raw_text(struct out *o, const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i;

	iot_out_need(o, n * 4 + 1);
	for (i = 0; i < n; i++) {
		unsigned char c = s[i];

		if (c >= 0x20 && c != 0x7f && c != '!' && c != '\\') {
			o->buf[o->len++] = (char)c;
			continue;
		}
		o->buf[o->len++] = '\\';
		o->buf[o->len++] = (char)('0' + (c >> 6));
		o->buf[o->len++] = (char)('0' + (c >> 3 & 7));
		o->buf[o->len++] = (char)('0' + (c & 7));
	}
}

static void text_n(struct out *o, bool raw, const char *s, size_t n)
{
	if (raw)
		raw_text(o, s, n);
	else
		iot_out_csv(o, s, n);
}

static void text(struct out *o, bool raw, const char *s)
{
	if (s)
		text_n(o, raw, s, strlen(s));
}

void iot_table_log(struct out *o, const struct iotr_log *log)
{
	const char *key, *value;
	size_t i, len;

	out_lit(o, "#log!");
	raw_text(o, iotr_log_file(log), strlen(iotr_log_file(log)));
	out_lit(o, "\n#pid!");
	iot_out_unsigned(o, iotr_log_header(log)->pid);
	out_lit(o, "\n#start!");
	iot_out_unsigned(o, iotr_log_start(log));
	out_lit(o, "\n#lost!");
	iot_out_unsigned(o, iotr_log_lost(log).calls);
	out_char(o, '\n');
	for (i = 0; iotr_log_key_at(log, i, &key, &value, &len); i++) {
		out_char(o, '#');
		raw_text(o, key, strlen(key));
		out_char(o, '!');
		raw_text(o, value, len);
		out_char(o, '\n');
	}
}

void iot_table_begin(struct out *o, const struct iotr_set *set, bool raw)
{
	size_t i;

	if (raw) {
		out_lit(o, "#format!iotrace-raw 1\n");
		for (i = 0; i < iotr_set_size(set); i++)
			iot_table_log(o, iotr_set_log(set, i));
		out_lit(o, "#columns!");
	}
	for (i = 0; i < N_COLUMNS; i++) {
		if (i)
			out_char(o, raw ? '!' : ',');
		out_str(o, columns[i]);
	}
	out_char(o, '\n');
}

static void args(struct out *o, const struct iotr_call *call, bool raw)
{
	static struct out tmp = {.fd = -1};

	tmp.len = 0;
	if (iot_json_args(&tmp, call, ""))
		text_n(o, raw, tmp.buf, tmp.len);
}

static void result(struct out *o, const struct iotr_call *call, bool raw, char sep)
{
	const char *name = call->err ? iotr_errno_name(call->err) : NULL;

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
	text(o, raw, iot_status_name(call));
	out_char(o, sep);
	args(o, call, raw);
	out_char(o, sep);
	out_char(o, call->mpi_own ? '1' : '0');
	out_char(o, '\n');
}

void iot_table_call(struct out *o, const struct iotr_call *call, bool raw)
{
	const struct log_notes *log = iot_log_notes(call->log);
	const struct iotr_path *path;
	char sep = raw ? '!' : ',';
	const char *name;
	size_t len;
	int fd;

	iot_out_unsigned(o, call->start);
	out_char(o, sep);
	if (iotr_call_has_dur(call))
		iot_out_unsigned(o, call->dur);
	out_char(o, sep);
	text(o, raw, log->host);
	out_char(o, sep);
	iot_out_unsigned(o, call->pid);
	out_char(o, sep);
	iot_out_unsigned(o, call->tid);
	out_char(o, sep);
	if (log->rank >= 0)
		out_signed(o, log->rank);
	out_char(o, sep);
	text(o, raw, log->program);
	out_char(o, sep);
	text(o, raw, call->schema->family);
	out_char(o, sep);
	text(o, raw, call->schema->name);
	out_char(o, sep);
	text(o, raw, iotr_call_syscall(call));
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
		text_n(o, raw, name, len);
	out_char(o, sep);
	result(o, call, raw, sep);
}
