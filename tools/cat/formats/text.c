/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - a call as strace(1) prints it, beneath the call that has made it. */
#include "config.h"

#include <stdio.h>
#include <time.h>

#include "../../common/screen.h"
#include "../cat.h"

static bool many_threads, many_processes;
static uint64_t previous;

static void text_begin(struct out *o, const struct iotr_set *set)
{
	size_t i, threads = 0;

	(void)o;
	for (i = 0; i < iotr_set_size(set); i++)
		threads += iotr_log_threads(iotr_set_log(set, i));
	many_processes = iotr_set_size(set) > 1;
	many_threads = threads > 1 || iot_options.follow; /* others may begin */
}

/* ---- times ---- */

static void out_seconds(struct out *o, uint64_t ns, unsigned digits)
{
	unsigned i;
	uint64_t unit = 1;

	for (i = digits; i < 9; i++)
		unit *= 10;
	iot_out_unsigned(o, ns / 1000000000);
	out_char(o, '.');
	iot_out_padded(o, ns % 1000000000 / unit, digits);
}

/* Local time; the conversion is done once a second. */
static void out_clock(struct out *o, uint64_t ns, bool date)
{
	static time_t shown = -1;
	static struct tm tm;
	time_t now = (time_t)(ns / 1000000000);

	if (now != shown && localtime_r(&now, &tm))
		shown = now;
	if (date) {
		iot_out_padded(o, (uint64_t)tm.tm_year + 1900, 4);
		out_char(o, '-');
		iot_out_padded(o, (uint64_t)tm.tm_mon + 1, 2);
		out_char(o, '-');
		iot_out_padded(o, (uint64_t)tm.tm_mday, 2);
		out_char(o, 'T');
	}
	iot_out_padded(o, (uint64_t)tm.tm_hour, 2);
	out_char(o, ':');
	iot_out_padded(o, (uint64_t)tm.tm_min, 2);
	out_char(o, ':');
	iot_out_padded(o, (uint64_t)tm.tm_sec, 2);
	out_char(o, '.');
	iot_out_padded(o, ns % 1000000000 / (date ? 1 : 1000), date ? 9 : 6);
}

static void out_times(struct out *o, const struct iotr_call *call)
{
	uint64_t origin = iotr_log_start(call->log);

	switch (iot_options.clock) {
	case 0:
		break;
	case 1:
		out_clock(o, call->start, false);
		out_char(o, ' ');
		break;
	case 2:
		out_clock(o, call->start, true);
		out_char(o, ' ');
		break;
	default:
		out_seconds(o, call->start, 9);
		out_char(o, ' ');
	}
	if (iot_options.since_start) {
		if (call->start < origin) {
			out_char(o, '-');
			out_seconds(o, origin - call->start, 9);
		} else {
			out_seconds(o, call->start - origin, 9);
		}
		out_char(o, ' ');
	}
	if (iot_options.relative) {
		out_char(o, '+');
		out_seconds(o, previous && call->start > previous ? call->start - previous : 0, 9);
		out_char(o, ' ');
		previous = call->start;
	}
}

/* ---- results ---- */

static void out_number(struct out *o, const struct iotr_call *call)
{
	const struct iotr_path *path;
	const char *name;
	char names[512];
	size_t len;

	switch (call->schema->result) {
	case IOTR_KIND_PTR:
		if (!call->ret) {
			out_lit(o, "NULL");
			break;
		}
		/* fall through */
	case IOTR_KIND_MAP:
		if (call->ret == -1)
			out_lit(o, "-1");
		else
			iot_text_hex(o, (uint64_t)call->ret);
		break;
	case IOTR_KIND_MASK:
		if (call->ret)
			out_char(o, '0');
		iot_out_base(o, (uint64_t)call->ret, 3);
		break;
	case IOTR_KIND_DIRENT:
		if (call->entry.type == IOTR_VAL_BYTES)
			iot_text_quoted(o, call->entry.bytes, call->entry.len);
		else
			out_str(o, call->ret ? "..." : "NULL");
		break;
	case IOTR_KIND_FD:
	case IOTR_KIND_FILE:
	case IOTR_KIND_DIR:
		out_signed(o, call->ret);
		/* the file that an open opened, or that a dup shares; accept() makes another socket */
		name = NULL;
		if (iot_options.paths && call->ret >= 0 &&
		    (!call->handle || !strncmp(call->schema->name, "dup", 3)))
			name = iotr_call_path(call, &len, &path, NULL);
		if (name)
			iot_text_path(o, name, len);
		break;
	default:
		out_signed(o, call->ret);
		len = iot_result_names(call, names, sizeof(names));
		if (len) {
			out_lit(o, " (");
			iot_out_bytes(o, names, len);
			out_char(o, ')');
		}
	}
}

static void out_result(struct out *o, const struct iotr_call *call)
{
	const char *name, *text;
	int err;

	if (call->status == IOTR_NORETURN || call->status == IOTR_ABANDONED ||
	    !(call->has & IOT_HAS_RET))
		out_char(o, '?');
	else
		out_number(o, call);
	err = call->err;
	if (!err && call->schema->result == IOTR_KIND_PROGRESS)
		err = (int)call->ret;
	if (!err)
		return;
	name = iotr_errno_name(err);
	text = iotr_errno_text(err);
	out_char(o, ' ');
	iot_style(o, IOT_BAD);
	if (name && text) {
		out_str(o, name);
		out_lit(o, " (");
		out_str(o, text);
		out_char(o, ')');
	} else if (name) {
		out_str(o, name);
	} else {
		out_lit(o, "errno ");
		out_signed(o, err);
	}
	iot_style(o, IOT_PLAIN);
}

static void out_frame(struct out *o, const struct iotr_frame *f, unsigned indent)
{
	while (indent--)
		out_lit(o, "  ");
	out_lit(o, " > ");
	if (f->func) {
		iot_out_c(o, f->func, strlen(f->func));
	} else if (f->module) {
		iot_out_c(o, f->module, strlen(f->module));
		out_char(o, '+');
		iot_text_hex(o, f->module_offset);
	} else {
		out_lit(o, "?");
	}
	if (f->file) {
		out_lit(o, " (");
		iot_out_c(o, f->file, strlen(f->file));
		if (f->line) {
			out_char(o, ':');
			out_signed(o, f->line);
		}
		out_char(o, ')');
	}
	iot_style(o, IOT_FAINT);
	out_lit(o, " [");
	if (f->outer)
		out_lit(o, "inlined");
	else if (f->language)
		out_str(o, f->language);
	else
		iot_text_hex(o, f->pc);
	out_char(o, ']');
	iot_style(o, IOT_PLAIN);
	out_char(o, '\n');
}

static void out_frames(struct out *o, struct iotr_log *log, const struct iotr_stack *s, unsigned indent)
{
	const struct iotr_frame *f;
	uint32_t i;

	for (i = 0; i < s->n; i++)
		for (f = iotr_log_frame(log, s, i); f; f = f->outer)
			out_frame(o, f, indent);
}

/* A call in progress.  If the log is still written, a reader wants to know on what, and since when. */
static void out_unfinished(struct out *o, const struct iotr_call *call)
{
	bool paths = iot_options.paths;

	iot_options.paths |= call->dur != 0;
	iot_text_params(o, call);
	iot_options.paths = paths;
	iot_style(o, IOT_ODD);
	out_lit(o, "<unfinished ...>");
	if (call->dur) {
		out_lit(o, " <");
		out_seconds(o, call->dur, 9);
		out_lit(o, " since ");
		out_clock(o, call->start, false);
		out_char(o, '>');
	}
	iot_style(o, IOT_PLAIN);
	out_char(o, '\n');
}

/* Whose call it is, where several processes or threads make calls. */
static void out_who(struct out *o, const struct iotr_call *call)
{
	if ((many_processes || iot_options.follow) && iotr_log_rank(call->log, NULL) >= 0) {
		out_char(o, 'r');
		out_signed(o, iotr_log_rank(call->log, NULL));
		out_char(o, ' ');
	}
	if (many_processes || many_threads) {
		iot_out_unsigned(o, call->pid);
		if (many_threads) {
			out_char(o, '/');
			iot_out_unsigned(o, call->tid);
		}
		out_char(o, ' ');
	}
}

/* How long the call took, or what became of the operation that it began or ended. */
static void out_duration(struct out *o, const struct iotr_call *call)
{
	bool any;

	iot_style(o, IOT_FAINT);
	iot_text_cache(o, call);
	any = iot_text_issued(o, call);
	if (!any && iotr_call_has_dur(call)) {
		out_lit(o, " <");
		out_seconds(o, call->dur, 9);
		out_char(o, '>');
	}
	iot_style(o, IOT_PLAIN);
}

static void out_finished(struct out *o, const struct iotr_call *call)
{
	iot_text_params(o, call);
	if (call->schema->result == IOTR_KIND_VOID && call->status == IOTR_FINISHED && !call->err) {
		out_char(o, ')');
	} else {
		out_lit(o, ") = ");
		out_result(o, call);
	}
	if (call->status == IOTR_ABANDONED) {
		iot_style(o, IOT_ODD);
		out_lit(o, " <abandoned ...>");
		iot_style(o, IOT_PLAIN);
	}
	if (call->inferred)
		out_lit(o, " <inferred>");
	if (iot_options.offsets && (call->has & IOT_HAS_OFFSET) && !(call->schema->flags & IOTR_CALL_HAS_OFFSET)) {
		out_lit(o, " @");
		out_signed(o, (int64_t)call->offset);
	}
	out_duration(o, call);
	out_char(o, '\n');
}

static void text_call(struct out *o, const struct iotr_call *call)
{
	unsigned indent = call->depth < 64 ? call->depth : 64, i;

	iot_out_need(o, 512);
	out_who(o, call);
	out_times(o, call);
	for (i = 0; i < indent; i++)
		out_lit(o, "  ");
	if (call->resumed)
		out_lit(o, "<... ");
	iot_style(o, IOT_STRONG);
	iot_out_c(o, call->schema->name, strlen(call->schema->name));
	iot_style(o, IOT_PLAIN);
	if (call->resumed)
		out_lit(o, " resumed>");
	else
		out_char(o, '(');
	if (call->status == IOTR_UNFINISHED)
		out_unfinished(o, call);
	else
		out_finished(o, call);
	if (iot_options.stacks && call->stack)
		iot_out_stack(o, call, indent, out_frames);
}

/* Calls that are counted and have no records. */
static void text_end(struct out *o, const struct iotr_set *set)
{
	struct iotr_sum total = iotr_set_sum(set);

	if (!total.count || iot_filter_given)
		return;
	out_lit(o, "MPI looked for news in ");
	iot_out_unsigned(o, total.count);
	out_lit(o, " more calls, ");
	out_seconds(o, total.time, 6);
	out_lit(o, " s\n");
}

FORMAT(text, 10,
	.begin = text_begin,
	.call = text_call,
	.end = text_end)
