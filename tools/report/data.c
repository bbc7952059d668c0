/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data.c - what the page shows, as JSON: "stat" is iotrace-stat's, "diff", if runs are
 * compared, that of its --diff, "before" has title, stat and picture of the run before, if its calls
 * are there, "picture" is described here.  Times are ns since "begin", which is
 * ns since the epoch, as a string.
 *
 *	read, written	bytes of all files: bin, bytes, bin, bytes, ...
 *	lanes	threads: who they are (ppid: of the process that began the log), ns by part, and by
 *		bin: bins[part] is a list of bin, ns, bin, ns, ...
 *	files_seen	how many files there are; stat.files has the first ones, and a row of no file
 *	files	row: of stat.files; read and written: bin, bytes, ...; points: start, offset,
 *		bytes, lane, 1 if it wrote, ...; of each so manyeth access
 *	unlisted	names of files that calls, arcs and meetings are on, and that stat.files
 *		does not have, by what would be their row
 *	cells	lane, place in files, calls, ns, bytes read, written, ...: what a thread did to a
 *		file; the place behind the last one is all files that are not in files
 *	mpi	by rank: independent and collective calls, each with calls, bytes, ns, and the same
 *		of system calls beneath; met: collective calls in which it met others, ns waited,
 *		how often it was the last one, ns that others waited for it then
 *	operations	of MPI-IO, by lane that issued some: lane, how many, ns from issue to completion, ns of
 *		that in the calls that issued and completed them, ...
 *	arcs	the longest of arcs_seen operations: ns since the one before was issued, ns, lane, lane
 *		of the completion, number in operation_names, row of stat.files, bytes asked for, errno, ...
 *	meetings	collective calls with the longest waits; members: lane, start, ns, ...
 *	marks	at, lane, text of iotrace_mark(); of marks_seen the first ones
 *	nodes	parent, name, file, line, calls, bytes, ns of functions on stacks
 *	sources	lines of the program's source that nodes are at, by file and number of the line
 *	calls	ns since the call before began, ns, lane, number in names, row of stat.files,
 *		node, offset, size, result, errno, depth, part, ...; -1: not known
 *	inferred	places in calls of those that libc made within itself: how much further each is
 *		than the one before
 *	transfers	of names: 1 if bytes of these calls count
 *	reading, writing	names of all calls that read and write, in any log
 *	errors	names of the errnos that calls have, by number
 */
#include "config.h"

#include <stdlib.h>

#include "../stat/member.h"
#include "data.h"

static void out_bins(struct out *o, const uint64_t *bin, size_t n)
{
	bool any = false;
	size_t i;

	out_char(o, '[');
	for (i = 0; i < n; i++) {
		if (!bin[i])
			continue;
		if (any)
			out_char(o, ',');
		any = true;
		iot_out_unsigned(o, i);
		out_char(o, ',');
		iot_out_unsigned(o, bin[i]);
	}
	out_char(o, ']');
}

static void out_lane(struct out *o, const struct iota_picture *p, const struct iota_lane *l)
{
	unsigned part;

	out_char(o, '{');
	if (!l->others) {
		json_string(o, "host", l->host);
		json_string(o, "prog", l->prog);
		json_number(o, "pid", l->pid);
		json_number(o, "tid", l->tid);
		if (l->rank >= 0)
			json_number(o, "rank", (uint64_t)l->rank);
		if (l->ppid)
			json_number(o, "ppid", l->ppid);
	}
	json_number(o, "threads", l->threads);
	json_key(o, "begin");
	data_time(o, p, l->begin);
	json_key(o, "end");
	data_time(o, p, l->end);
	data_begin_list(o, "time");
	for (part = 0; part < IOTA_N_PARTS; part++) {
		out_str(o, part ? "," : "");
		iot_out_unsigned(o, l->time[part]);
	}
	out_char(o, ']');
	data_begin_list(o, "bins");
	for (part = 0; part < IOTA_N_PARTS; part++) {
		out_str(o, part ? "," : "");
		out_bins(o, l->bin + part * p->o.bins, p->o.bins);
	}
	out_lit(o, "]}");
}

static void out_file(struct out *o, const struct iota_picture *p, const struct iota_drawn_file *f)
{
	size_t i;

	out_char(o, '{');
	json_number(o, "row", f->row);
	json_key(o, "read");
	out_bins(o, f->bin, p->o.bins);
	json_key(o, "written");
	out_bins(o, f->bin + p->o.bins, p->o.bins);
	json_number(o, "every", f->every);
	data_begin_list(o, "points");
	for (i = 0; i < f->n_points; i++) {
		const struct iota_point *at = &f->point[i];

		out_str(o, i ? "," : "");
		data_time(o, p, at->start);
		out_char(o, ',');
		iot_out_unsigned(o, at->offset);
		out_char(o, ',');
		iot_out_unsigned(o, at->bytes);
		out_char(o, ',');
		iot_out_unsigned(o, at->lane);
		out_str(o, at->writes ? ",1" : ",0");
	}
	out_lit(o, "]}");
}

static void out_unlisted(struct out *o, const struct iota_picture *p)
{
	size_t i;

	json_key(o, "unlisted");
	out_char(o, '{');
	for (i = 0; i < p->n_unlisted; i++) {
		char file[24];

		snprintf(file, sizeof(file), "%zu", p->unlisted[i].file);
		if (p->unlisted[i].path)
			json_string(o, file, p->unlisted[i].path);
	}
	out_char(o, '}');
}

static void out_cells(struct out *o, const struct iota_picture *p)
{
	bool any = false;
	size_t i, k;

	data_begin_list(o, "cells");
	for (i = 0; i < p->n_lanes; i++)
		for (k = 0; p->lane[i].cell && k <= p->n_files; k++) {
			const struct iota_cell *c = &p->lane[i].cell[k];
			const int64_t number[] = {(int64_t)i,	     (int64_t)k,       (int64_t)c->calls,
						  (int64_t)c->time, (int64_t)c->read, (int64_t)c->written};

			if (c->calls || c->time)
				data_numbers(o, &any, number, sizeof(number) / sizeof(number[0]));
		}
	out_char(o, ']');
}

static void out_marks(struct out *o, const struct iota_picture *p)
{
	size_t i;

	json_number(o, "marks_seen", p->marks_seen);
	data_begin_list(o, "marks");
	for (i = 0; i < p->n_marks; i++) {
		out_str(o, i ? ",\n" : "\n");
		out_char(o, '[');
		data_time(o, p, p->mark[i].start);
		out_char(o, ',');
		iot_out_unsigned(o, p->mark[i].lane);
		out_char(o, ',');
		json_text(o, p->mark[i].text, strlen(p->mark[i].text));
		out_char(o, ']');
	}
	out_char(o, ']');
}

static void out_text_or_null(struct out *o, const char *s)
{
	if (s)
		json_text(o, s, strlen(s));
	else
		out_lit(o, "null");
}

static void out_nodes(struct out *o, const struct iota_picture *p)
{
	size_t i;

	data_begin_list(o, "nodes");
	for (i = 0; i < p->n_nodes; i++) {
		const struct iota_node *n = &p->node[i];

		out_str(o, i ? ",\n[" : "\n[");
		iot_out_unsigned(o, n->parent);
		out_char(o, ',');
		out_text_or_null(o, n->func);
		out_char(o, ',');
		out_text_or_null(o, n->file);
		out_char(o, ',');
		out_signed(o, n->line);
		out_char(o, ',');
		iot_out_unsigned(o, n->calls);
		out_char(o, ',');
		iot_out_unsigned(o, n->bytes);
		out_char(o, ',');
		iot_out_unsigned(o, n->time);
		out_char(o, ']');
	}
	out_char(o, ']');
}

/* ---- calls ---- */

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void out_errors(struct out *o, const struct iota_picture *p)
{
	int *err = reallocarray(NULL, p->n_calls + 1, sizeof(*err)), last = 0;
	size_t i, n = 0;

	if (!err)
		iot_no_memory();
	for (i = 0; i < p->n_calls; i++)
		if (p->call[i].err)
			err[n++] = p->call[i].err;
	qsort(err, n, sizeof(*err), by_number);
	json_key(o, "errors");
	out_char(o, '{');
	for (i = 0; i < n; last = err[i++])
		if (err[i] != last && iotr_errno_name(err[i])) {
			char number[16];

			snprintf(number, sizeof(number), "%d", err[i]);
			json_string(o, number, iotr_errno_name(err[i]));
		}
	out_char(o, '}');
	free(err);
}

static void out_inferred(struct out *o, const struct iota_picture *p)
{
	size_t i, last = 0;
	bool any = false;

	data_begin_list(o, "inferred");
	for (i = 0; i < p->n_calls; i++) {
		if (!p->call[i].inferred)
			continue;
		out_str(o, any ? "," : "");
		iot_out_unsigned(o, i - last);
		last = i;
		any = true;
	}
	out_char(o, ']');
}

static void out_calls_that(struct out *o, const char *key, enum iota_does does)
{
	struct data_names names = {0};
	const char *name;
	size_t at = 0;

	while ((name = iota_call_that(does, &at)))
		data_place_of(&names, name);
	data_names(o, key, names.name, names.n);
	free(names.name);
}

/* Without keys, since there are many; starts are short since each counts from the one before. */
static void out_calls(struct out *o, const struct iota_picture *p)
{
	struct data_names names = {0};
	bool any = false, *transfers = NULL;
	uint64_t previous = p->begin;
	size_t i, place = 0, n = 0;

	data_begin_list(o, "calls");
	for (i = 0; i < p->n_calls; i++) {
		const struct iota_drawn_call *c = &p->call[i];

		/* as a rule that of the call before */
		if (!i || c->schema->name != p->call[i - 1].schema->name)
			place = data_place_of(&names, c->schema->name);
		if (names.n > n) {
			transfers = reallocarray(transfers, n = names.n, sizeof(*transfers));
			if (!transfers)
				iot_no_memory();
			transfers[place] = false;
		}
		transfers[place] |= c->transfers;

		const int64_t number[] = {
			(int64_t)(c->start - previous), (int64_t)c->dur,  c->lane,	      (int64_t)place,
			(int64_t)c->file,		(int64_t)c->node, (int64_t)c->offset, (int64_t)c->size,
			c->ret,				c->err,		  c->depth,	      c->part,
		};

		previous = c->start;
		data_numbers(o, &any, number, sizeof(number) / sizeof(number[0]));
	}
	out_char(o, ']');
	data_names(o, "names", names.name, names.n);
	data_begin_list(o, "transfers");
	for (i = 0; i < names.n; i++) {
		out_str(o, i ? "," : "");
		out_char(o, transfers[i] ? '1' : '0');
	}
	out_char(o, ']');
	free(names.name);
	free(transfers);
}

static void out_picture(struct out *o, const struct iota_picture *p)
{
	char begin[24];
	size_t i;

	snprintf(begin, sizeof(begin), "%llu", (unsigned long long)p->begin);
	json_key(o, "picture");
	out_char(o, '{');
	json_string(o, "begin", begin);
	json_number(o, "wall", p->end - p->begin);
	json_number(o, "bins", p->o.bins);
	json_number(o, "width", p->width);
	json_number(o, "seen", p->seen);
	json_number(o, "shortest", p->shortest);
	json_number(o, "files_seen", p->files_seen);
	json_key(o, "read");
	out_bins(o, p->bin, p->o.bins);
	json_key(o, "written");
	out_bins(o, p->bin + p->o.bins, p->o.bins);
	data_names(o, "parts", iota_part_names, IOTA_N_PARTS);
	out_calls_that(o, "reading", IOTA_DOES_READ);
	out_calls_that(o, "writing", IOTA_DOES_WRITE);
	data_begin_list(o, "lanes");
	for (i = 0; i < p->n_lanes; i++) {
		out_str(o, i ? ",\n" : "\n");
		iot_out_need(o, 4096);
		out_lane(o, p, &p->lane[i]);
	}
	out_char(o, ']');
	data_begin_list(o, "files");
	for (i = 0; i < p->n_files; i++) {
		out_str(o, i ? ",\n" : "\n");
		out_file(o, p, &p->file[i]);
	}
	out_char(o, ']');
	out_unlisted(o, p);
	out_cells(o, p);
	data_ranks(o, p);
	out_marks(o, p);
	out_nodes(o, p);
	if (report_options.sources)
		data_sources(o, p);
	out_calls(o, p);
	out_errors(o, p);
	out_inferred(o, p);
	out_char(o, '}');
}

/* In a script of HTML no < may be: it could end it. */
static void out_in_script(struct out *to, const struct out *from)
{
	const char *at = from->buf, *end = at + from->len, *next;

	for (; (next = memchr(at, '<', (size_t)(end - at))); at = next + 1) {
		iot_out_bytes(to, at, (size_t)(next - at));
		out_lit(to, "\\u003c");
	}
	iot_out_bytes(to, at, (size_t)(end - at));
}

static void out_before(struct out *o, const struct report_before *b, const struct iota_picture *p)
{
	json_key(o, "before");
	out_char(o, '{');
	json_string(o, "title", b->name);
	json_key(o, "stat");
	iot_out_bytes(o, b->stat.buf, b->stat.len);
	out_picture(o, p);
	out_char(o, '}');
}

void report_data(struct report *r, const struct iota_picture *p, const struct report_before *before, const struct iota_picture *other)
{
	struct out all = {.fd = -1};

	out_char(&all, '{');
	json_number(&all, "version", 1);
	json_string(&all, "title", r->title);
	json_key(&all, "stat");
	iot_out_bytes(&all, r->stat.buf, r->stat.len);
	if (before->diff.len) {
		json_key(&all, "diff");
		iot_out_bytes(&all, before->diff.buf, before->diff.len);
	}
	if (other)
		out_before(&all, before, other);
	out_picture(&all, p);
	out_char(&all, '}');
	out_in_script(&r->data, &all);
	free(all.buf);
}
