/* SPDX-License-Identifier: BSD-3-Clause */
/* perfetto.c - JSON in the trace event format, which ui.perfetto.dev and chrome://tracing open. */
/*
 * Calls come by start, and each is written at once: memory is by threads, and by operations in flight.  Times are in
 * microseconds since the run was started, with three digits behind the point.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../tracks.h"

#define INTERVALS 1000	     /* of bytes a second */
#define LEAST_INTERVAL 100000 /* ns */

static struct out o;
static struct tracks tracks;
static struct iota *analysis;
static uint64_t started;
static const char *separator;

/* Bytes a second, of an interval of the run. */
static uint64_t interval, now; /* ns; the end of the interval that is added up, since started */
static uint64_t bytes[2];      /* read, written */
static bool was_zero;

/* ---- writing ---- */

static void out_text(const char *s, size_t n)
{
	out_char(&o, '"');
	iot_out_json(&o, s, n);
	out_char(&o, '"');
}

static void out_name(const char *s)
{
	out_text(s, strlen(s));
}

static void out_micros(uint64_t ns)
{
	iot_out_unsigned(&o, ns / 1000);
	out_char(&o, '.');
	iot_out_padded(&o, ns % 1000, 3);
}

static void begin_event(const char *phase, const struct process_track *p, uint64_t thread)
{
	iot_out_need(&o, 4096);
	out_str(&o, separator);
	separator = ",\n";
	out_lit(&o, "{\"ph\":\"");
	out_str(&o, phase);
	out_lit(&o, "\",\"pid\":");
	iot_out_unsigned(&o, p ? p->number : 0);
	out_lit(&o, ",\"tid\":");
	iot_out_unsigned(&o, thread);
}

static void out_time(uint64_t since)
{
	out_lit(&o, ",\"ts\":");
	out_micros(since);
}

static void begin_counter(const char *name, const struct process_track *p, uint64_t since)
{
	begin_event("C", p, 0);
	out_time(since);
	out_lit(&o, ",\"name\":");
	out_name(name);
	out_lit(&o, ",\"args\":{");
}

static void counter(const char *name, const struct process_track *p, uint64_t since, uint64_t value)
{
	begin_counter(name, p, since);
	out_lit(&o, "\"value\":");
	iot_out_unsigned(&o, value);
	out_lit(&o, "}}");
}

/* ---- who ---- */

static void begin_metadata(const char *name, const struct process_track *p, uint64_t thread)
{
	begin_event("M", p, thread);
	out_lit(&o, ",\"name\":");
	out_name(name);
	out_lit(&o, ",\"args\":{");
}

static void name_track(const char *what, const struct process_track *p, uint64_t thread, const char *name)
{
	begin_metadata(what, p, thread);
	out_lit(&o, "\"name\":");
	out_name(name);
	out_lit(&o, "}}");
}

static void sort_track(const char *what, const struct process_track *p, uint64_t thread, uint64_t index)
{
	begin_metadata(what, p, thread);
	out_lit(&o, "\"sort_index\":");
	iot_out_unsigned(&o, index);
	out_lit(&o, "}}");
}

/* Introduces a process: ranks come in their order, and then processes that are none. */
static void introduce_process(const struct process_track *p)
{
	const char *program = iotr_log_key(p->log, "program", NULL), *host = iotr_log_key(p->log, "host", NULL);
	int rank = iotr_log_rank(p->log, NULL);
	char *name;
	int n = rank < 0 ? asprintf(&name, "%s, pid %u on %s", program ? program : "?", p->pid, host ? host : "?")
			 : asprintf(&name, "rank %d: %s, pid %u on %s", rank, program ? program : "?", p->pid,
				    host ? host : "?");

	if (n < 0)
		iot_no_memory();
	name_track("process_name", p, 0, name);
	sort_track("process_sort_index", p, 0, rank < 0 ? INT32_MAX : (uint64_t)rank);
	free(name);
}

static void introduce_thread(const struct thread_track *t)
{
	char name[60];

	snprintf(name, sizeof(name), "%s%s %u%s", t->tid == t->process->pid ? "main " : "", "thread", t->tid,
		 t->beside ? ", at the same time" : "");
	name_track("thread_name", t->process, t->number, name);
	sort_track("thread_sort_index", t->process, t->number, t->number);
}

/* ---- a call ---- */

static void out_key(const char *key, char *lead)
{
	out_char(&o, *lead);
	*lead = ',';
	out_name(key);
	out_char(&o, ':');
}

static void out_number(const char *key, char *lead, int64_t v)
{
	out_key(key, lead);
	out_signed(&o, v);
}

static void out_bytes_moved(const struct iota_sample *s, char *lead)
{
	const bool system = s->is_syscall || s->call->inferred, copies = s->does == IOTA_DOES_COPY && s->is_syscall;

	if (!s->moved)
		return;
	if (!system)
		out_number("moved", lead, (int64_t)s->moved);
	if (system && (s->does == IOTA_DOES_READ || copies))
		out_number("read", lead, (int64_t)s->moved);
	if (system && (s->does == IOTA_DOES_WRITE || copies))
		out_number("written", lead, (int64_t)s->moved);
}

static void out_result(const struct iotr_call *call, char *lead)
{
	const char *name = call->err ? iotr_errno_name(call->err) : NULL, *status = iot_status_name(call);

	if (call->has & IOTR_HAS_RET)
		out_number("ret", lead, call->ret);
	if (name) {
		out_key("errno", lead);
		out_name(name);
	} else if (call->err) {
		out_number("errno", lead, call->err);
	}
	if (status) {
		out_key("status", lead);
		out_name(status);
	}
}

static void out_args(const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const struct iotr_path *path;
	const char *name;
	char lead = '{';
	size_t len;
	int fd;

	out_lit(&o, ",\"args\":");
	name = iotr_call_path(call, &len, &path, NULL);
	if (name) {
		out_key("path", &lead);
		out_text(name, len);
	}
	if (iot_fd_known(call, &fd))
		out_number("fd", &lead, fd);
	if (call->has & IOTR_HAS_OFFSET)
		out_number("offset", &lead, (int64_t)call->offset);
	if (call->has & IOTR_HAS_SIZE) {
		out_key("size", &lead);
		iot_out_unsigned(&o, call->size);
	}
	out_result(call, &lead);
	out_bytes_moved(s, &lead);
	if (call->stack) {
		const struct iota_row *site = iota_site_of(analysis, call);

		out_key("site", &lead);
		out_text(site->name, site->name_len);
	}
	out_key("id", &lead);
	iot_out_unsigned(&o, call->id);
	iot_json_args(&o, call, ",\"arguments\":");
	out_char(&o, '}');
}

/* A call that did not come back has no end, and is shown as a moment. */
static void out_call(const struct iota_sample *s, const struct thread_track *t, uint64_t since, bool has_dur)
{
	begin_event(has_dur ? "X" : "i", t->process, t->number);
	out_time(since);
	if (has_dur) {
		out_lit(&o, ",\"dur\":");
		out_micros(s->call->dur);
	} else {
		out_lit(&o, ",\"s\":\"t\"");
	}
	out_lit(&o, ",\"name\":\"");
	iot_out_json(&o, s->call->schema->name, strlen(s->call->schema->name));
	out_str(&o, s->call->inferred ? IOT_EXPORT_INFERRED : "");
	out_lit(&o, "\",\"cat\":");
	out_name(s->call->schema->family);
	out_args(s);
	out_char(&o, '}');
}

/* ---- operations: an arrow from the call that begins one to the call that ends it ---- */

/* One half of an operation, whose other half has not come yet. */
struct half {
	struct iota_op op; /* first, for iota_op_other(); op.begun: it is the beginning */
	struct thread_track *thread;
	uint64_t since; /* ns since the run was started */
};

static void *halves;

/* The arrow's number.  Viewers read it as a double, which holds 53 bits. */
static uint64_t flow_id(const struct process_track *p, uint64_t number)
{
	return (p->number & 0x1ffffff) << 28 | (number & 0xfffffff);
}

static void flow(const char *phase, const struct half *h)
{
	begin_event(phase, h->thread->process, h->thread->number);
	out_time(h->since);
	out_lit(&o, ",\"id\":");
	iot_out_unsigned(&o, flow_id(h->thread->process, h->op.number));
	out_lit(&o, ",\"bp\":\"e\",\"name\":\"operation\",\"cat\":");
	out_name(h->op.family);
	out_char(&o, '}');
}

static void in_flight(struct process_track *p, uint64_t since, int64_t more)
{
	p->in_flight += (uint64_t)more;
	counter("operations in flight", p, since, p->in_flight);
}

/* The request's record is made when the call that issued it is back.  Another thread may have learned of the end
   before: the arrow begins at that call then.  Such an operation is not counted as in flight. */
static void join_early(const struct half *end, struct half *begin, const struct iotr_call *request)
{
	uint64_t issued = request->start;

	iot_track_around(begin->thread, request, &issued);
	begin->since = issued > started ? issued - started : 0;
	if (begin->since > end->since)
		return;
	flow("s", begin);
	flow("f", end);
}

static struct half *half_of(const struct iotr_call *call, uint64_t number, struct thread_track *t, uint64_t since)
{
	struct half *h = malloc(sizeof(*h));

	if (!h)
		iot_no_memory();
	*h = (struct half){.op = iota_op_of(call, number), .thread = t, .since = since};
	return h;
}

static void note_operation(const struct iotr_call *call, struct thread_track *t, uint64_t since)
{
	struct half *h, *other;
	uint64_t number;

	if (iota_op_begins(call, &number)) {
		h = half_of(call, number, t, since);
		h->op.begun = true;
		other = iota_op_other(&halves, h);
		if (other) {
			join_early(other, h, call);
			free(other);
			free(h);
		} else {
			in_flight(t->process, since, 1);
		}
	}
	if (iota_op_ends(call, &number)) {
		h = half_of(call, number, t, since);
		other = iota_op_other(&halves, h);
		if (other) {
			flow("s", other);
			flow("f", h);
			in_flight(t->process, since, -1);
			free(other);
			free(h);
		}
	}
}

/* ---- counters ---- */

static void end_interval(void)
{
	const char *const names[] = {"read", "written"};
	const uint64_t none[2] = {0, 0};
	unsigned i;

	if (was_zero && !bytes[0] && !bytes[1])
		return;
	begin_counter("bytes a second", NULL, now - interval);
	for (i = 0; i < 2; i++) {
		char text[60];

		snprintf(text, sizeof(text), "%s\"%s\":%.3f", i ? "," : "", names[i], (double)bytes[i] * 1e9 / (double)interval);
		out_str(&o, text);
	}
	out_lit(&o, "}}");
	was_zero = !bytes[0] && !bytes[1];
	memcpy(bytes, none, sizeof(bytes));
}

/* Empty intervals are written as one. */
static void advance(uint64_t since)
{
	while (since >= now) {
		bool empty = !bytes[0] && !bytes[1];

		end_interval();
		now += empty && was_zero ? (since - now) / interval * interval + interval : interval;
	}
}

static void count_bytes(const struct iota_sample *s)
{
	const bool copies = s->does == IOTA_DOES_COPY && s->is_syscall;

	if (!s->is_syscall && !s->call->inferred)
		return;
	if (s->does == IOTA_DOES_READ || copies)
		bytes[0] += s->moved;
	if (s->does == IOTA_DOES_WRITE || copies)
		bytes[1] += s->moved;
}

/* Is the call the outermost of its kind?  fopen() opens one file, with the open() inside of it. */
static bool outermost(const struct iota_sample *s)
{
	return !s->call->parent || iota_effect(s->call->parent->name).does != s->does;
}

static void count_files(const struct iota_sample *s, struct process_track *p, uint64_t since)
{
	const bool opens = s->does == IOTA_DOES_OPEN, closes = s->does == IOTA_DOES_CLOSE && p->open_files;

	if ((!opens && !closes) || !outermost(s))
		return;
	p->open_files += opens ? 1 : (uint64_t)-1;
	counter("open files", p, since, p->open_files);
}

/* ---- the format ---- */

static void begin(const char *name, const struct iotr_set *set, struct iota *a)
{
	const char *file = iot_output_begin(name);
	uint64_t length = iot_export_ends(set) - iot_export_begins(set);

	analysis = a;
	o = (struct out){.fd = open(file, O_WRONLY | O_CLOEXEC), .name = name};
	if (o.fd < 0)
		iot_die("%s: %s", name, strerror(errno));
	iot_out_need(&o, 1 << 18);
	started = iot_export_begins(set);
	interval = length / INTERVALS > LEAST_INTERVAL ? length / INTERVALS : LEAST_INTERVAL;
	now = interval;
	was_zero = true;
	separator = "";
	out_lit(&o, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"tool\":\"" PACKAGE_STRING "\",\"started\":");
	iot_out_unsigned(&o, started);
	out_lit(&o, ",\"interval\":");
	iot_out_unsigned(&o, interval);
	out_lit(&o, "},\"traceEvents\":[\n");
}

static void add_call(const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const uint64_t since = call->start > started ? call->start - started : 0;
	const bool has_dur = iotr_call_has_dur(call);
	bool is_new, new_process;
	struct thread_track *t = iot_track(&tracks, call, has_dur ? call->dur : 0, &is_new, &new_process);

	advance(since);
	if (new_process)
		introduce_process(t->process);
	if (is_new)
		introduce_thread(t);
	out_call(s, t, since, has_dur);
	count_bytes(s);
	count_files(s, t->process, since);
	note_operation(call, t, since);
}

static void end(const struct iotr_set *set, struct iota *a)
{
	(void)set;
	(void)a;
	end_interval();
	now += interval;
	end_interval();
	out_lit(&o, "\n]}\n");
	iot_out_flush(&o);
	if (close(o.fd) < 0)
		iot_die("can't write to %s: %s", o.name, strerror(errno));
	free(o.buf);
	tdestroy(halves, free);
	iot_tracks_free(&tracks);
	iot_output_end();
}

FORMAT(perfetto, 20, .begin = begin, .call = add_call, .end = end)
