/* SPDX-License-Identifier: BSD-3-Clause */
/* seeks.c - --by=seek: where in each file processes read and wrote; --by=layout: files in the
   order in which they were first read. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../analysis/seeks.h"
#include "../common/screen.h"
#include "stat.h"

#define MOST_BLOCKS 24 /* ranges in text */

static size_t shown(size_t n)
{
	return n < iot_stat_options.top ? n : iot_stat_options.top;
}

/* ---- for programs ---- */

struct number {
	const char *key;
	size_t at; /* in the row; uint64_t */
};

static const struct number seek_numbers[] = {
#define NUMBER(name) {#name, offsetof(struct iota_seeks, name)}
	NUMBER(threads), NUMBER(reads), NUMBER(writes),	  NUMBER(read),	   NUMBER(written),
	NUMBER(seeks),	 NUMBER(back),	NUMBER(distance), NUMBER(unknown), NUMBER(ranges),
#undef NUMBER
	{NULL, 0},
};

static const struct number read_numbers[] = {
#define NUMBER(name) {#name, offsetof(struct iota_first_read, name)}
	NUMBER(first), NUMBER(reads), NUMBER(read), NUMBER(mapped),
#undef NUMBER
	{NULL, 0},
};

static void out_number(struct out *o, const char *before, const void *row, const struct number *n)
{
	uint64_t v;

	memcpy(&v, (const char *)row + n->at, sizeof(v));
	out_str(o, before);
	iot_out_unsigned(o, v);
}

static void json_text(struct out *o, const char *before, const char *s)
{
	out_str(o, before);
	out_char(o, '"');
	iot_out_json(o, s, strlen(s));
	out_char(o, '"');
}

static void json_numbers(struct out *o, const void *row, const struct number *n)
{
	char key[40];

	for (; n->key; n++) {
		snprintf(key, sizeof(key), ",\"%s\":", n->key);
		out_number(o, key, row, n);
	}
}

static void json_ranges(struct out *o, const struct iota_seeks *s)
{
	char text[100];
	size_t i;

	out_lit(o, ",\"order\":[");
	for (i = 0; i < s->n; i++) {
		const struct iota_range *r = &s->range[i];

		snprintf(text, sizeof(text), "%s[%llu,%llu,\"%s\"]", i ? "," : "",
			 (unsigned long long)r->start, (unsigned long long)r->end,
			 r->writes ? "write" : "read");
		out_str(o, text);
	}
	out_lit(o, "]}");
}

void iot_stat_seeks_json(struct out *o, const struct iota *a)
{
	size_t n, i;
	const struct iota_seeks *s = iota_seeks(a, &n);
	char text[60];

	out_lit(o, ",\"seeks\":[");
	for (i = 0; i < shown(n); i++) {
		json_text(o, i ? ",\n{\"path\":" : "\n{\"path\":", s[i].name);
		json_text(o, ",\"host\":", s[i].host);
		snprintf(text, sizeof(text), ",\"pid\":%u", s[i].pid);
		out_str(o, text);
		if (s[i].rank >= 0) {
			snprintf(text, sizeof(text), ",\"rank\":%d", s[i].rank);
			out_str(o, text);
		}
		json_numbers(o, &s[i], seek_numbers);
		json_ranges(o, &s[i]);
	}
	out_char(o, ']');
}

void iot_stat_layout_json(struct out *o, const struct iota *a)
{
	size_t n, i;
	const struct iota_first_read *r = iota_first_reads(a, &n);

	out_lit(o, ",\"layout\":[");
	for (i = 0; i < shown(n); i++) {
		json_text(o, i ? ",\n{\"path\":" : "\n{\"path\":", r[i].name);
		json_numbers(o, &r[i], read_numbers);
		out_char(o, '}');
	}
	out_char(o, ']');
}

static void csv_head(struct out *o, const char *texts, const struct number *n)
{
	out_str(o, texts);
	for (; n->key; n++) {
		out_char(o, ',');
		out_str(o, n->key);
	}
	out_char(o, '\n');
}

void iot_stat_seeks_csv(struct out *o, const struct iota *a)
{
	const struct number *k;
	size_t n, i;
	const struct iota_seeks *s = iota_seeks(a, &n);

	csv_head(o, "path,host,pid,rank", seek_numbers);
	for (i = 0; i < shown(n); i++) {
		iot_out_csv(o, s[i].name, strlen(s[i].name));
		out_char(o, ',');
		iot_out_csv(o, s[i].host, strlen(s[i].host));
		out_char(o, ',');
		iot_out_unsigned(o, s[i].pid);
		out_char(o, ',');
		if (s[i].rank >= 0)
			iot_out_unsigned(o, (uint64_t)s[i].rank);
		for (k = seek_numbers; k->key; k++)
			out_number(o, ",", &s[i], k);
		out_char(o, '\n');
	}
}

void iot_stat_layout_csv(struct out *o, const struct iota *a)
{
	const struct number *k;
	size_t n, i;
	const struct iota_first_read *r = iota_first_reads(a, &n);

	csv_head(o, "path", read_numbers);
	for (i = 0; i < shown(n); i++) {
		iot_out_csv(o, r[i].name, strlen(r[i].name));
		for (k = read_numbers; k->key; k++)
			out_number(o, ",", &r[i], k);
		out_char(o, '\n');
	}
}

/* ---- text ---- */

static void out_moved(struct out *o, const struct iota_seeks *s)
{
	out_lit(o, "    ");
	if (s->reads) {
		iot_stat_out_count(o, s->reads, "read", "reads");
		iot_stat_out_bytes(o, " of ", s->read);
	}
	if (s->writes) {
		out_str(o, s->reads ? ", " : "");
		iot_stat_out_count(o, s->writes, "write", "writes");
		iot_stat_out_bytes(o, " of ", s->written);
	}
	out_lit(o, ", ");
	iot_stat_out_count(o, s->seeks, "seek", "seeks");
	if (s->back) {
		out_lit(o, ", back ");
		iot_stat_out_count(o, s->back, "time", "times");
	}
	if (s->seeks)
		iot_stat_out_bytes(o, s->seeks == 1 ? ", over " : ", on average over ", s->distance / s->seeks);
	out_char(o, '\n');
	if (!s->unknown)
		return;
	out_lit(o, "    reads and writes of which the log does not say where: ");
	iot_out_unsigned(o, s->unknown);
	out_char(o, '\n');
}

static void out_span(struct out *o, uint64_t first, uint64_t last)
{
	iot_out_unsigned(o, first);
	if (last == first)
		return;
	out_char(o, '-');
	iot_out_unsigned(o, last);
}

/* "read 0-7, 20, wrote 8": ranges that follow each other in blocks are one. */
static void out_blocks(struct out *o, const struct iota_seeks *s)
{
	size_t i = 0, printed;

	if (!s->n)
		return;
	out_lit(o, "    blocks ");
	for (printed = 0; i < s->n && printed < MOST_BLOCKS; printed++) {
		const struct iota_range *r = &s->range[i];
		uint64_t first = r->start / IOTA_BLOCK, last = (r->end - 1) / IOTA_BLOCK;

		if (printed)
			out_lit(o, ", ");
		if (!printed || r->writes != r[-1].writes)
			out_str(o, r->writes ? "written " : "read ");
		for (i++, r++; i < s->n && r->writes == r[-1].writes; i++, r++) {
			uint64_t next = r->start / IOTA_BLOCK;

			if (next != last && next != last + 1)
				break;
			last = (r->end - 1) / IOTA_BLOCK;
			if (last < next)
				last = next;
		}
		out_span(o, first, last);
	}
	if (i < s->ranges) {
		out_lit(o, ", and ");
		iot_stat_out_count(o, s->ranges - i, "more range", "more ranges");
	}
	out_char(o, '\n');
}

static void out_more(struct out *o, size_t n)
{
	if (shown(n) == n)
		return;
	out_lit(o, "\nand ");
	iot_stat_out_count(o, n - shown(n), "more line", "more lines");
	out_lit(o, "; --top=0 shows all\n");
}

void iot_stat_seeks_text(struct out *o, const struct iota *a)
{
	size_t n, i;
	const struct iota_seeks *s = iota_seeks(a, &n);

	out_lit(o, "\nSeeks of processes in files, and ranges in the order of time, in blocks of 4096 bytes:\n");
	for (i = 0; i < shown(n); i++) {
		out_char(o, '\n');
		iot_out_c(o, s[i].name, strlen(s[i].name));
		if (s[i].rank >= 0) {
			out_lit(o, ", rank ");
			iot_out_unsigned(o, (uint64_t)s[i].rank);
		}
		out_lit(o, ", process ");
		iot_out_unsigned(o, s[i].pid);
		if (s[i].threads > 1) {
			out_lit(o, ", ");
			iot_stat_out_count(o, s[i].threads, "thread", "threads");
		}
		out_char(o, '\n');
		out_moved(o, &s[i]);
		out_blocks(o, &s[i]);
	}
	out_more(o, n);
}

void iot_stat_layout_text(struct out *o, const struct iota *a)
{
	size_t n, i;
	const struct iota_first_read *r = iota_first_reads(a, &n);
	uint64_t begin = n ? r[0].first : 0;
	char text[100], cell[CELL];

	out_lit(o, "\nFiles in the order in which they were first read, or mapped:\n");
	iot_style(o, IOT_STRONG);
	out_lit(o, "         s     reads      read  mapped  file");
	iot_style(o, IOT_PLAIN);
	out_char(o, '\n');
	for (i = 0; i < shown(n); i++) {
		iot_stat_human(cell, r[i].read);
		snprintf(text, sizeof(text), "%10.6f %9llu %9s %7llu  ", (double)(r[i].first - begin) / 1e9,
			 (unsigned long long)r[i].reads, cell, (unsigned long long)r[i].mapped);
		out_str(o, text);
		iot_out_c(o, r[i].name, strlen(r[i].name));
		out_char(o, '\n');
	}
	out_more(o, n);
}
