/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - the report for programs: one JSON object, or one table as csv. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "member.h"
#include "by-time.h"

/* Other names of a file. */
static void json_names(struct out *o, const struct iota_row *row)
{
	const struct iota_row *other;

	if (!row->rare->other)
		return;
	json_key(o, "names");
	for (other = row->rare->other; other; other = other->rare->other) {
		out_char(o, other == row->rare->other ? '[' : ',');
		json_text(o, other->name, other->name_len);
	}
	out_char(o, ']');
}

static void json_row(struct out *o, const struct iota_table *t, const struct iota_row *row)
{
	const struct iota_column *c;

	out_char(o, '{');
	json_key(o, t->shape->name);
	json_text(o, row->name, row->name_len);
	if (t->shape->extra)
		json_string(o, t->shape->extra, row->extra);
	if (t->id == IOTA_BY_FILE)
		json_names(o, row);
	for (c = iota_columns; c->key; c++) {
		uint64_t v;

		if (iota_column_in(c, t) && iota_column_value(c, row, &v))
			json_number(o, c->key, v);
	}
	out_char(o, '}');
}

static void json_table(struct out *o, const struct iota_table *t)
{
	size_t i;

	json_key(o, t->shape->plural);
	out_char(o, '[');
	for (i = 0; i < t->n && i < iot_stat_options.top; i++) {
		if (i)
			out_char(o, ',');
		out_char(o, '\n');
		/* room for what follows, so that the key knows what stands before it */
		iot_out_need(o, 4096);
		json_row(o, t, t->row[i]);
	}
	out_char(o, ']');
}

void iot_stat_rows_json(struct out *o, const struct iota_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		iot_out_need(o, 4096);
		json_row(o, t, t->row[i]);
		out_char(o, '\n');
	}
}

/* Calls that have no records: those by which MPI looked for news. */
static void json_sums(struct out *o, struct iotr_log *log)
{
	const struct iotr_schema *s;
	bool any = false;
	size_t i;

	for (i = 0; (s = iotr_log_schema(log, i)); i++) {
		struct iotr_sum sum = iotr_log_sum(log, s);

		if (!sum.count)
			continue;
		if (!any)
			json_key(o, "mpi_polls");
		out_str(o, any ? ",{" : "[{");
		json_string(o, "call", s->name);
		json_number(o, "calls", sum.count);
		json_number(o, "errors", sum.failed);
		json_number(o, "time", sum.time);
		out_char(o, '}');
		any = true;
	}
	if (any)
		out_char(o, ']');
}

/* What its threads used, times in ns; nothing if the log does not say. */
static void json_usage(struct out *o, struct iotr_log *log)
{
	struct iotr_usage u = iotr_log_usage(log);

	if (!u.ticks)
		return;
	json_number(o, "user", u.user * 1000);
	json_number(o, "system", u.system * 1000);
	json_number(o, "minor_faults", u.minor);
	json_number(o, "major_faults", u.major);
	json_number(o, "blocks_in", u.in);
	json_number(o, "blocks_out", u.out);
	json_number(o, "voluntary", u.voluntary);
	json_number(o, "involuntary", u.involuntary);
}

/* What proc(5) says of it, by the kernel's names; nothing if nobody asked. */
static void json_io(struct out *o, const struct iotr_log *log)
{
	struct iotr_io io;
	const char *name;
	uint64_t value;
	size_t i;

	if (!iotr_log_io(log, &io))
		return;
	for (i = 0; (name = iotr_io_number(&io, i, &value)); i++)
		json_number(o, name, value);
}

static void json_log(struct out *o, struct iotr_log *log)
{
	struct iotr_loss lost = iotr_log_lost(log);
	char buf[40];

	out_char(o, '{');
	json_string(o, "file", iotr_log_file(log));
	json_string(o, "prog", iotr_log_key(log, "program", NULL));
	json_string(o, "host", iotr_log_key(log, "host", NULL));
	json_number(o, "pid", iotr_log_pid(log));
	if (iotr_log_rank(log, NULL) >= 0)
		json_number(o, "rank", (uint64_t)iotr_log_rank(log, NULL));
	json_number(o, "start", iotr_log_start(log));
	json_number(o, "elapsed", iota_log_latest(log) - iotr_log_start(log));
	json_number(o, "processes", iotr_log_processes(log));
	json_number(o, "threads", iotr_log_threads(log));
	json_usage(o, log);
	json_io(o, log);
	json_number(o, "lost", lost.calls);
	if (lost.calls)
		json_string(o, "lost_reason", iotr_loss_reason(lost.reason, buf, sizeof(buf)));
	json_sums(o, log);
	out_char(o, '}');
}

static void json_words(struct out *o, const struct iota_finding *f)
{
	struct iota_bytes words = {0};

	iota_words(&words, f, iota_words_bytes);
	json_key(o, "text");
	json_text(o, words.p, words.len);
	free(words.p);
}

/* The line to look at, and all that led to the calls. */
static void json_lines(struct out *o, const struct iota_finding *f)
{
	size_t n = iota_lines(f), i;

	if (!n)
		return;
	json_key(o, "site");
	iot_stat_json_line(o, iota_line(f, f->level));
	json_key(o, "sites");
	out_char(o, '[');
	for (i = 0; i < n; i++) {
		if (i)
			out_char(o, ',');
		iot_out_need(o, 4096);
		iot_stat_json_line(o, iota_line(f, i));
	}
	out_char(o, ']');
}

/* What is said of it in words that are no part of its own text. */
static void json_about(struct out *o, const char *key, const struct iota_finding *f,
		       void (*say)(struct iota_bytes *, const struct iota_finding *))
{
	struct iota_bytes words = {0};

	say(&words, f);
	if (!words.len)
		return;
	json_key(o, key);
	json_text(o, words.p, words.len);
	free(words.p);
}

static void json_cost(struct out *o, const struct iota_finding *f)
{
	json_key(o, "seconds");
	json_seconds(o, f->time);
	if (!f->saves[1])
		return;
	json_key(o, "saves");
	out_char(o, '[');
	json_seconds(o, f->saves[0]);
	out_char(o, ',');
	json_seconds(o, f->saves[1]);
	out_char(o, ']');
	json_about(o, "assumes", f, iota_words_of_assumption);
}

static void json_list_of_findings(struct out *o, const struct iota_finding *f, size_t n);

static void json_finding(struct out *o, const struct iota_finding *f)
{
	json_string(o, "id", f->rule->id);
	json_string(o, "severity", iota_severity_name(f->rule->severity));
	if (f->name) {
		json_key(o, f->rule->over == IOTA_OVER_CALLS ? "call" : "path");
		json_text(o, f->name, f->name_len);
	}
	if (f->rule->over != IOTA_OVER_CALLS)
		json_string(o, "call", f->call);
	if (f->files)
		json_number(o, "files", f->files);
	if (f->below) {
		json_key(o, "below");
		out_lit(o, "true");
	}
	if (f->others)
		json_number(o, "others", f->others);
	json_lines(o, f);
	json_number(o, "calls", f->calls ? f->calls : f->count);
	json_number(o, "count", f->count);
	json_number(o, "of", f->of);
	json_number(o, "bytes", f->bytes);
	if (f->pid) {
		json_number(o, "pid", f->pid);
		json_number(o, "tid", f->tid);
	}
	json_cost(o, f);
	json_string(o, "title", f->rule->title);
	json_words(o, f);
	json_about(o, "remedy", f, iota_words_of_remedy);
	if (f->added_up)
		json_list_of_findings(o, f->added_up, f->count);
}

/* Of a finding that is the sum of others, too. */
static void json_list_of_findings(struct out *o, const struct iota_finding *f, size_t n)
{
	size_t i;

	json_key(o, "findings");
	out_char(o, '[');
	for (i = 0; i < n; i++) {
		out_str(o, i ? ",\n{" : "\n{");
		json_finding(o, &f[i]);
		out_char(o, '}');
	}
	out_char(o, ']');
}

/* In memory: json_key looks back. */
struct out iot_stat_as_json(struct iota *a, const struct iotr_set *set)
{
	struct out o = {.fd = -1};
	uint64_t total[IOTA_N_COMMON];
	const struct iota_column *c;
	size_t i;

	out_char(&o, '{');
	json_number(&o, "version", 1);
	json_key(&o, "logs");
	out_char(&o, '[');
	for (i = 0; i < iotr_set_size(set); i++) {
		out_str(&o, i ? ",\n" : "\n");
		json_log(&o, iotr_set_log(set, i));
	}
	out_char(&o, ']');
	iota_total(a, IOTA_BY_CALL, total);
	iot_stat_job(&o, a, set);
	json_key(&o, "total");
	out_char(&o, '{');
	/* sites have the columns that all tables have */
	for (c = iota_columns; c->key; c++)
		if (iota_column_in(c, iota_table(a, IOTA_BY_SITE)) && c->merge != IOTA_MERGE_NONE)
			json_number(&o, c->key, total[c->field]);
	out_char(&o, '}');
	for (i = 0; i < IOTA_N_TABLES; i++)
		if (iot_stat_options.shown[i])
			json_table(&o, iota_table(a, (enum iota_table_id)i));
	if (iot_stat_options.time)
		iot_stat_time_json(&o, a);
	if (iot_stat_options.constellations)
		iot_stat_constellations_json(&o, a);
	if (iot_stat_options.seeks)
		iot_stat_seeks_json(&o, a);
	if (iot_stat_options.layout)
		iot_stat_layout_json(&o, a);
	if (iot_stat_options.findings) {
		const struct iota_finding *f = iota_findings(a, &i);

		json_list_of_findings(&o, f, i);
	}
	out_lit(&o, "}\n");
	return o;
}

void iot_stat_json(struct iota *a, const struct iotr_set *set)
{
	struct out o = iot_stat_as_json(a, set);

	iot_out_bytes(&iot_stdout, o.buf, o.len);
	free(o.buf);
}

void iot_stat_csv(struct iota *a)
{
	struct out *o = &iot_stdout;
	const struct iota_column *c;
	const struct iota_table *t;
	size_t i = 0;

	if (iot_stat_options.time) {
		iot_stat_time_csv(o, a);
		return;
	}
	if (iot_stat_options.constellations) {
		iot_stat_constellations_csv(a);
		return;
	}
	if (iot_stat_options.seeks) {
		iot_stat_seeks_csv(o, a);
		return;
	}
	if (iot_stat_options.layout) {
		iot_stat_layout_csv(o, a);
		return;
	}
	while (!iot_stat_options.shown[i])
		i++;
	t = iota_table(a, (enum iota_table_id)i);
	out_str(o, t->shape->name);
	if (t->shape->extra) {
		out_char(o, ',');
		out_str(o, t->shape->extra);
	}
	for (c = iota_columns; c->key; c++) {
		if (!iota_column_in(c, t))
			continue;
		out_char(o, ',');
		out_str(o, c->key);
	}
	out_char(o, '\n');
	for (i = 0; i < t->n && i < iot_stat_options.top; i++) {
		const struct iota_row *row = t->row[i];
		uint64_t v;

		iot_out_csv(o, row->name, row->name_len);
		if (t->shape->extra) {
			out_char(o, ',');
			iot_out_csv(o, row->extra ? row->extra : "",
				    row->extra ? strlen(row->extra) : 0);
		}
		for (c = iota_columns; c->key; c++) {
			if (!iota_column_in(c, t))
				continue;
			out_char(o, ',');
			if (iota_column_value(c, row, &v))
				iot_out_unsigned(o, v);
		}
		out_char(o, '\n');
	}
}
