/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c - --file: all about each file that matches. */
#include "config.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/screen.h"
#include "file.h"
#include "by-time.h"

static regex_t regex;
static const char *pattern;
static uint64_t begin; /* of the job */

void iot_stat_file_option(const char *text)
{
	char message[200];
	int err = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);

	if (err) {
		regerror(err, &regex, message, sizeof(message));
		iot_die("--file: '%s' is no regular expression: %s", text, message);
	}
	pattern = text;
}

bool iot_stat_file_given(void)
{
	return pattern != NULL;
}

static bool matches(void *unused, const char *name, size_t len)
{
	(void)unused;
	(void)len;
	return !regexec(&regex, name, 0, NULL, 0);
}

struct iota_details *iot_stat_file_read(struct iota *a, struct iotr_set *set)
{
	struct iota_details *d = iota_details_new(a, matches, NULL);
	const struct iotr_call *call;

	begin = iota_job(a).begin;
	if (!d->n) {
		iot_complain(STATUS_LESS, NULL, "--file: no file that has calls matches '%s'", pattern);
		return d;
	}
	iotr_set_rewind(set);
	while ((call = iotr_set_next(set))) {
		iot_progress();
		if (iot_filter_pass(call))
			iota_details_add(a, d, call);
	}
	iota_details_end(d);
	return d;
}

/* ---- for people ---- */

static void out_cells(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void out_cells(struct out *o, const char *format, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	out_str(o, text);
}

typedef unsigned long long ull;

static size_t shown(size_t n)
{
	return n < iot_stat_options.top ? n : iot_stat_options.top;
}

static void out_rest(struct out *o, uint64_t n, size_t printed)
{
	if (n > printed)
		out_cells(o, "  and %llu more\n", (ull)(n - printed));
}

static void out_title(struct out *o, const char *title)
{
	iot_style(o, IOT_STRONG);
	out_str(o, title);
	iot_style(o, IOT_PLAIN);
	out_char(o, '\n');
}

static void out_openings(struct out *o, const struct iota_detail *d)
{
	size_t n = shown(d->n_openings), i;
	char cell[CELL];

	if (!n)
		return;
	out_title(o, "      at s    open for  process/thread      fd  opened by");
	for (i = 0; i < n; i++) {
		const struct iota_opening *p = &d->opening[i];
		char who[2 * CELL];

		strcpy(cell, "to the end");
		if (p->end)
			iot_stat_duration(cell, p->end - p->start);
		snprintf(who, sizeof(who), "%u/%u", p->pid, p->tid);
		out_cells(o, "%10.6f  %10s  %-16s  %4d  %s", (double)(int64_t)(p->start - begin) / 1e9, cell,
			  who, p->fd, p->call);
		if (p->name && strcmp(p->name, d->row->name) != 0) {
			out_lit(o, " as ");
			iot_out_end_of(o, p->name, strlen(p->name), 24);
		}
		out_char(o, '\n');
	}
	out_rest(o, d->opens, n);
}

static void out_layers(struct out *o, const struct iota_detail *d)
{
	uint64_t above[2] = {0}, below[2] = {0}, n[2] = {0};
	size_t i;

	out_char(o, '\n');
	out_title(o, "   calls  errors         bytes  a call     total s  call");
	for (i = 0; i < d->calls.n; i++) {
		const struct iota_of_file *m = &d->calls.of[i];
		bool system = m->is_syscall || m->inferred;

		out_cells(o, "%8llu  %6llu  %12llu  %6llu  %10.6f  %s%s\n", (ull)m->calls, (ull)m->errors,
			  (ull)m->bytes, (ull)(m->calls ? m->bytes / m->calls : 0), (double)m->time / 1e9,
			  m->name, system ? "" : " *");
		if (m->does != IOTA_DOES_READ && m->does != IOTA_DOES_WRITE)
			continue;
		*(system ? &below[m->does == IOTA_DOES_WRITE] : &above[m->does == IOTA_DOES_WRITE]) += m->bytes;
		n[m->does == IOTA_DOES_WRITE] += system ? m->calls + m->inferred : 0;
	}
	for (i = 0; i < 2; i++)
		if (above[i] && below[i])
			out_cells(o, "* %s %llu bytes; system calls moved %llu in %llu pieces, %.2f times as many\n",
				  i ? "wrote" : "read", (ull)above[i], (ull)below[i], (ull)n[i],
				  (double)below[i] / (double)above[i]);
}

static void out_order(struct out *o, const struct iota_sequence *p, const char *does)
{
	uint64_t rest = p->located - p->first - p->consecutive - p->strided;
	unsigned i;

	if (!p->located)
		return;
	out_cells(o, "%s: %.0f %% sequential, %.0f %% strided, %.0f %% elsewhere", does,
		  100.0 * (double)(p->first + p->consecutive) / (double)p->located,
		  100.0 * (double)p->strided / (double)p->located, 100.0 * (double)rest / (double)p->located);
	for (i = 0; i < 3 && p->stride[i].n; i++)
		out_cells(o, "%s%+lld (%llu)", i ? ", " : "; distances ", (long long)p->stride[i].distance,
			  (ull)p->stride[i].n);
	out_char(o, '\n');
}

/* What of it the page cache had, and what the kernel fetched in which order. */
static void out_page_cache(struct out *o, const struct iota_detail *d)
{
	const struct iota_page_cache *c = &d->cache;
	size_t n = shown(c->n_ranges), i;

	if (!c->reads && !c->dirtied && !c->mapped)
		return;
	out_char(o, '\n');
	if (c->mapped)
		out_cells(o, "mapped: %llu bytes were in the page cache; %llu came, %llu of them unused, at least %llu touched\n",
			  (ull)iota_number(d->row, IOTA_F_FOUND), (ull)iota_number(d->row, IOTA_F_GAINED),
			  (ull)iota_number(d->row, IOTA_F_UNUSED), (ull)iota_number(d->row, IOTA_F_TOUCHED));
	if (c->reads)
		out_cells(o, "page cache: %llu bytes asked for, %.1f %% were there; %llu fetched, %llu of them in vain",
			  (ull)c->asked, c->asked ? 100.0 * (double)c->cached / (double)c->asked : 0.0,
			  (ull)c->fetched, (ull)(c->unused < c->fetched ? c->unused : c->fetched));
	else if (c->dirtied)
		out_lit(o, "page cache:");
	if (c->again)
		out_cells(o, "; %llu had been there before", (ull)c->again);
	if (c->dirtied)
		out_cells(o, "%s %llu made dirty", c->reads ? ";" : "", (ull)c->dirtied);
	if (c->reads || c->dirtied)
		out_char(o, '\n');
	if (n)
		out_title(o, "      at s        offset         bytes  fetched");
	for (i = 0; i < n; i++)
		out_cells(o, "%10.6f  %12llu  %12llu\n", (double)(int64_t)(c->range[i].time - begin) / 1e9,
			  (ull)c->range[i].start, (ull)c->range[i].size);
	out_rest(o, c->n_fetched, n);
}

static void out_histogram(struct out *o, const uint64_t count[2][65], const char *title, bool time)
{
	uint64_t most = 0;
	unsigned i, j, low = 65, high = 0;
	char cell[CELL];

	for (i = 0; i < 65; i++) {
		uint64_t n = count[0][i] + count[1][i];

		most = n > most ? n : most;
		low = n && i < low ? i : low;
		high = n ? i : high;
	}
	if (!most)
		return;
	out_char(o, '\n');
	out_title(o, title);
	for (i = low; i <= high; i++) {
		uint64_t least = i ? 1ull << (i - 1) : 0;
		uint64_t bars = (count[0][i] + count[1][i]) * 40 / most;

		for (j = i; !count[0][j] && !count[1][j]; j++)
			;
		if (j - i > 2) {
			out_lit(o, "       ...\n");
			i = j - 1;
			continue;
		}
		if (time)
			iot_stat_duration(cell, least);
		else
			iot_stat_human(cell, least);
		out_cells(o, "%10s  %9llu  %9llu  ", cell, (ull)count[0][i], (ull)count[1][i]);
		if (!bars && count[0][i] + count[1][i])
			bars = 1;
		for (j = 0; j < bars; j++)
			out_char(o, '#');
		out_char(o, '\n');
	}
}

static void out_members(struct out *o, const struct iota_list *l, const char *title)
{
	size_t n = shown(l->n), i;

	out_char(o, '\n');
	out_title(o, title);
	for (i = 0; i < n; i++) {
		const struct iota_of_file *m = &l->of[i];

		out_cells(o, "%8llu  %12llu  %10.6f  ", (ull)m->calls, (ull)m->bytes, (double)m->time / 1e9);
		if (m->name) {
			size_t width = iot_screen_width();

			iot_out_end_of(o, m->name, strlen(m->name), width > 60 ? width - 36 : 44);
		} else {
			const char *program = iotr_log_key(m->log, "program", NULL);
			int rank = iotr_log_rank(m->log, NULL);

			out_cells(o, "%u/%u ", m->pid, m->tid);
			iot_out_c(o, program ? program : "?", strlen(program ? program : "?"));
			if (rank >= 0)
				out_cells(o, ", rank %d", rank);
			out_cells(o, ", %.3f to %.3f s", (double)(int64_t)(m->first - begin) / 1e9,
				  (double)(int64_t)(m->last - begin) / 1e9);
		}
		out_char(o, '\n');
	}
	out_rest(o, l->n, n);
}

void iot_stat_file_text(struct out *o, const struct iota_details *details)
{
	const struct iota_row *other;
	size_t i;

	for (i = 0; i < details->n; i++) {
		const struct iota_detail *d = &details->detail[i];

		out_str(o, i ? "\n" : "");
		iot_style(o, IOT_STRONG);
		iot_out_c(o, d->row->name, d->row->name_len);
		iot_style(o, IOT_PLAIN);
		out_char(o, '\n');
		for (other = d->row->rare->other; other; other = other->rare->other) {
			out_lit(o, "  also ");
			iot_out_c(o, other->name, other->name_len);
			out_char(o, '\n');
		}
		out_openings(o, d);
		out_layers(o, d);
		out_order(o, &d->order[0], "reads");
		out_order(o, &d->order[1], "writes");
		out_page_cache(o, d);
		iot_stat_requests_text(o, &d->requests, begin, iot_stat_options.top);
		out_histogram(o, d->sizes, "  bytes >=      reads     writes", false);
		out_histogram(o, d->durations, "   time >=      reads     writes", true);
		out_members(o, &d->lines, "   calls         bytes     total s  line of the program");
		out_members(o, &d->threads, "   calls         bytes     total s  process/thread");
	}
}

/* ---- for programs ---- */

static void json_text(struct out *o, const char *key, const char *s)
{
	out_cells(o, "\"%s\":\"", key);
	iot_out_json(o, s, strlen(s));
	out_char(o, '"');
}

static void json_openings(struct out *o, const struct iota_detail *d)
{
	size_t i;

	out_cells(o, ",\"opens\":%llu,\"opened\":[", (ull)d->opens);
	for (i = 0; i < d->n_openings; i++) {
		const struct iota_opening *p = &d->opening[i];

		out_cells(o, "%s{\"start\":%llu,", i ? ",\n" : "", (ull)p->start);
		if (p->end)
			out_cells(o, "\"end\":%llu,", (ull)p->end);
		out_cells(o, "\"pid\":%u,\"tid\":%u,\"fd\":%d,", p->pid, p->tid, p->fd);
		json_text(o, "call", p->call);
		out_char(o, ',');
		json_text(o, "path", p->name ? p->name : d->row->name);
		out_char(o, '}');
	}
	out_char(o, ']');
}

static void json_members(struct out *o, const struct iota_list *l, const char *key, const char *name)
{
	size_t i;

	out_cells(o, ",\n\"%s\":[", key);
	for (i = 0; i < l->n; i++) {
		const struct iota_of_file *m = &l->of[i];
		const char *host = m->log ? iotr_log_key(m->log, "host", NULL) : NULL;

		out_str(o, i ? ",\n{" : "{");
		if (m->name)
			json_text(o, name, m->name);
		else
			out_cells(o, "\"pid\":%u,\"tid\":%u", m->pid, m->tid);
		if (host) {
			out_char(o, ',');
			json_text(o, "host", host);
		}
		if (m->log && iotr_log_rank(m->log, NULL) >= 0)
			out_cells(o, ",\"rank\":%d", iotr_log_rank(m->log, NULL));
		out_cells(o, ",\"calls\":%llu,\"errors\":%llu,\"inferred\":%llu,\"bytes\":%llu,", (ull)m->calls,
			  (ull)m->errors, (ull)m->inferred, (ull)m->bytes);
		out_cells(o, "\"time\":%llu,\"first\":%llu,\"last\":%llu}", (ull)m->time, (ull)m->first,
			  (ull)m->last);
	}
	out_char(o, ']');
}

/* The numbers up to the last that is not 0, by powers of two. */
static void json_histogram(struct out *o, const uint64_t count[65], const char *key)
{
	unsigned i, n = 65;

	while (n && !count[n - 1])
		n--;
	out_cells(o, ",\"%s\":[", key);
	for (i = 0; i < n; i++)
		out_cells(o, "%s%llu", i ? "," : "", (ull)count[i]);
	out_char(o, ']');
}

static void json_direction(struct out *o, const struct iota_detail *d, unsigned i, const char *key)
{
	const struct iota_sequence *p = &d->order[i];
	unsigned j;

	out_cells(o, ",\n\"%s\":{\"located\":%llu,\"first\":%llu,\"consecutive\":%llu,\"strided\":%llu,\"distances\":[",
		  key, (ull)p->located, (ull)p->first, (ull)p->consecutive, (ull)p->strided);
	for (j = 0; j < IOTA_N_STRIDES && p->stride[j].n; j++)
		out_cells(o, "%s[%lld,%llu]", j ? "," : "", (long long)p->stride[j].distance,
			  (ull)p->stride[j].n);
	out_cells(o, "],\"other\":%llu", (ull)p->other);
	json_histogram(o, d->sizes[i], "sizes");
	json_histogram(o, d->durations[i], "durations");
	out_char(o, '}');
}

static void json_page_cache(struct out *o, const struct iota_detail *d)
{
	const struct iota_page_cache *c = &d->cache;
	size_t i;

	if (!c->reads && !c->dirtied && !c->mapped)
		return;
	out_cells(o, ",\n\"page_cache\":{\"reads\":%llu,\"asked\":%llu,\"cached\":%llu,\"fetched\":%llu",
		  (ull)c->reads, (ull)c->asked, (ull)c->cached, (ull)c->fetched);
	out_cells(o, ",\"found\":%llu,\"gained\":%llu,\"touched\":%llu,\"spare\":%llu", (ull)iota_number(d->row, IOTA_F_FOUND),
		  (ull)iota_number(d->row, IOTA_F_GAINED), (ull)iota_number(d->row, IOTA_F_TOUCHED),
		  (ull)iota_number(d->row, IOTA_F_UNUSED));
	out_cells(o, ",\"unused\":%llu,\"again\":%llu,\"dirtied\":%llu,\"n_ranges\":%llu,\"ranges\":[",
		  (ull)(c->unused < c->fetched ? c->unused : c->fetched), (ull)c->again, (ull)c->dirtied,
		  (ull)c->n_fetched);
	for (i = 0; i < c->n_ranges; i++)
		out_cells(o, "%s[%llu,%llu,%llu]", i ? "," : "", (ull)c->range[i].start, (ull)c->range[i].size,
			  (ull)c->range[i].time);
	out_lit(o, "]}");
}

void iot_stat_file_json(struct out *o, const struct iota_details *details)
{
	const struct iota_row *other;
	size_t i;

	out_lit(o, "{\"version\":1,\"details\":[");
	for (i = 0; i < details->n; i++) {
		const struct iota_detail *d = &details->detail[i];

		out_str(o, i ? ",\n{" : "\n{");
		json_text(o, "path", d->row->name);
		if (d->row->rare->other)
			out_lit(o, ",\"names\":[");
		for (other = d->row->rare->other; other; other = other->rare->other) {
			out_char(o, '"');
			iot_out_json(o, other->name, other->name_len);
			out_str(o, other->rare->other ? "\"," : "\"]");
		}
		json_openings(o, d);
		json_members(o, &d->calls, "calls", "call");
		json_direction(o, d, 0, "reads");
		json_direction(o, d, 1, "writes");
		json_page_cache(o, d);
		json_members(o, &d->lines, "sites", "site");
		json_members(o, &d->threads, "threads", "");
		iot_stat_requests_json(o, &d->requests);
		out_char(o, '}');
	}
	out_lit(o, "]}\n");
}
