/* SPDX-License-Identifier: BSD-3-Clause */
/* time.c - --by=time: what happened when, as a chart, and in which bursts. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "../common/screen.h"
#include "by-time.h"

#define LEAST_INTERVAL 1000 /* ns */

static uint64_t asked; /* ns; 0: as long as suits */

void iot_stat_time_option(const char *interval)
{
	iot_stat_options.time = true;
	if (!interval)
		return;
	asked = iot_option_duration("--by=time", interval);
	if (asked < LEAST_INTERVAL)
		iot_die("--by=time: '%s' is too short; an interval has to be 1us or longer", interval);
}

void iot_stat_time_begin(struct iota *a, const struct iotr_set *set)
{
	uint64_t begin = UINT64_MAX, end = 0, interval;
	char cell[CELL];
	size_t i;

	for (i = 0; i < iotr_set_size(set); i++) {
		struct iotr_log *log = iotr_set_log(set, i);
		uint64_t start = iotr_log_start(log), latest = iota_log_latest(log);

		begin = start < begin ? start : begin;
		end = latest > end ? latest : end;
	}
	interval = iota_when_begin(a, begin, end, asked);
	if (!asked || interval == asked)
		return;
	iot_stat_duration(cell, interval);
	iot_say(NULL, "--by=time: intervals are %s, since there would be too many shorter ones", cell);
}

void iot_stat_duration(char cell[CELL], uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = {{3600000000000, "h"}, {60000000000, "min"}, {1000000000, "s"},
		     {1000000, "ms"},	   {1000, "us"},	 {1, "ns"}};
	size_t i = 0;
	double d;

	/* 90 s, but 2 min; hours and minutes only if they are whole, or many */
	while (i < 5 && (ns < units[i].ns || (i < 2 && ns % units[i].ns && ns < 20 * units[i].ns)))
		i++;
	d = (double)ns / (double)units[i].ns;
	snprintf(cell, CELL, ns % units[i].ns ? (d < 9.995 ? "%.2f %s" : "%.1f %s") : "%.0f %s", d, units[i].name);
}

/* ---- what stands above the chart ---- */

static void out_time(struct out *o, uint64_t ns)
{
	char cell[CELL];

	iot_stat_duration(cell, ns);
	out_str(o, cell);
}

static void out_size(struct out *o, uint64_t bytes)
{
	char cell[CELL];

	iot_stat_human(cell, bytes);
	out_str(o, cell);
	if (bytes >= 1024)
		out_lit(o, "B");
	else
		out_str(o, bytes == 1 ? " byte" : " bytes");
}

static void out_period(struct out *o, const struct iota_bursts *b)
{
	char cell[CELL];

	out_lit(o, ", one every ");
	out_time(o, b->period);
	if (b->spread > 0.5) {
		out_lit(o, " on average, not regular");
		return;
	}
	snprintf(cell, sizeof(cell), " (+-%.0f %%)", b->spread * 100);
	out_str(o, cell);
}

static void out_bursts(struct out *o, const struct iota_bursts *b, unsigned direction, uint64_t begin)
{
	if (!b->n)
		return;
	out_str(o, direction ? "written in " : "read in ");
	iot_out_unsigned(o, b->n);
	out_str(o, b->n == 1 ? " burst of " : " bursts of ");
	out_size(o, b->bytes / b->n);
	out_lit(o, ", ");
	out_time(o, b->length / b->n);
	out_str(o, b->n == 1 ? " long" : " each");
	if (b->n > 2) {
		out_period(o, b);
	} else {
		out_lit(o, ", ");
		out_time(o, b->first - begin);
		out_lit(o, " to ");
		out_time(o, b->last - begin);
		out_lit(o, " after the start");
	}
	out_char(o, '\n');
}

void iot_stat_time_head(struct out *o, struct iota *a)
{
	const struct iota_when *w = iota_when(a);
	unsigned i;

	for (i = 0; i < 2; i++)
		if (iota_bursts_stand_out(&w->bursts[i]))
			out_bursts(o, &w->bursts[i], i, w->row[0].start);
}

static void out_overlap(struct out *o, const struct iota_when *w)
{
	out_lit(o, "\nintervals of ");
	out_time(o, w->interval);
	out_lit(o, "; I/O in ");
	out_time(o, w->total.busy);
	if (w->total.busy) {
		out_lit(o, ", and nobody computed in ");
		out_time(o, w->total.exposed);
		out_lit(o, " of these");
	}
	out_char(o, '\n');
}

/* ---- the chart ---- */

/* Moments in one unit for all rows: as many digits as tell rows apart. */
static void format_moment(char cell[CELL], uint64_t ns, uint64_t interval)
{
	unsigned digits = 0;
	uint64_t unit = 1000000000;

	while (interval % unit && digits < 6) {
		unit /= 10;
		digits++;
	}
	snprintf(cell, CELL, "%.*f", (int)digits, (double)ns / 1e9);
}

static void out_bar(struct out *o, const struct iota_when_row *row, uint64_t most, size_t width)
{
	double all = (double)(row->read + row->written), scale = (double)width / (double)most;
	size_t total = (size_t)(all * scale + 0.5), read = (size_t)((double)row->read * scale + 0.5), i;

	/* a little is not nothing */
	if (!total && all > 0)
		total = 1;
	if (!read && row->read && total > 1)
		read = 1;
	if (read >= total && row->written && total > 1)
		read = total - 1;
	if (total == 1)
		read = row->read > row->written;
	for (i = 0; i < total; i++)
		out_char(o, i < read ? 'r' : 'w');
}

struct cells {
	char moment[CELL], read[CELL], written[CELL], fetched[CELL], calls[CELL], share[CELL], depth[CELL],
		who[CELL];
};
#define N_CELLS 8

static void format_row(struct cells *c, const struct iota_when *w, const struct iota_when_row *row,
		       bool ranks)
{
	format_moment(c->moment, row->start - w->row[0].start, w->interval);
	iot_stat_human(c->read, row->read);
	iot_stat_human(c->written, row->written);
	iot_stat_human(c->fetched, row->fetched);
	snprintf(c->calls, CELL, "%llu", (unsigned long long)row->calls);
	snprintf(c->share, CELL, row->lived ? "%.0f" : "-",
		 row->lived ? 100 * (double)row->io / (double)row->lived : 0);
	snprintf(c->depth, CELL, "%.1f", (double)row->deepest / 100);
	snprintf(c->who, CELL, "%llu", (unsigned long long)(ranks ? row->ranks : row->threads));
}

/* width 0: the column is left out */
static void out_cell(struct out *o, const char *cell, size_t width)
{
	size_t n = strlen(cell);

	if (!width)
		return;
	for (; n < width; n++)
		out_char(o, ' ');
	out_str(o, cell);
	out_char(o, ' ');
}

static void out_chart(struct out *o, const struct iota_when *w)
{
	struct cells titles = {"s", "read", "written", "fetched", "calls", "I/O%", "deep", "thr"}, cells;
	char(*cell)[CELL] = &cells.moment, (*title)[CELL] = &titles.moment;
	size_t width[N_CELLS], used = 0, screen = iot_screen_width(), i, j;
	bool ranks = false;
	uint64_t most = 0;

	for (i = 0; i < w->n; i++) {
		ranks |= w->row[i].ranks > 0;
		if (w->row[i].read + w->row[i].written > most)
			most = w->row[i].read + w->row[i].written;
	}
	if (ranks)
		strcpy(titles.who, "ranks");
	for (j = 0; j < N_CELLS; j++)
		width[j] = title[j] == titles.fetched && !w->total.fetched ? 0 : strlen(title[j]);
	for (i = 0; i < w->n; i++) {
		format_row(&cells, w, &w->row[i], ranks);
		for (j = 0; j < N_CELLS; j++)
			if (width[j] && strlen(cell[j]) > width[j])
				width[j] = strlen(cell[j]);
	}
	for (j = 0; j < N_CELLS; j++)
		used += width[j] ? width[j] + 1 : 0;
	screen = screen > 80 && screen == SIZE_MAX ? 80 : screen;
	screen = screen > used + 10 ? screen - used - 1 : 10;
	iot_style(o, IOT_STRONG);
	for (j = 0; j < N_CELLS; j++)
		out_cell(o, title[j], width[j]);
	out_str(o, most ? "r read, w written" : "");
	iot_style(o, IOT_PLAIN);
	out_char(o, '\n');
	for (i = 0; i < w->n; i++) {
		format_row(&cells, w, &w->row[i], ranks);
		for (j = 0; j < N_CELLS; j++)
			out_cell(o, cell[j], width[j]);
		if (most)
			out_bar(o, &w->row[i], most, screen);
		while (o->len && o->buf[o->len - 1] == ' ')
			o->len--;
		out_char(o, '\n');
	}
}

void iot_stat_time_text(struct out *o, struct iota *a)
{
	const struct iota_when *w = iota_when(a);
	unsigned i;

	out_overlap(o, w);
	for (i = 0; i < 2; i++)
		out_bursts(o, &w->bursts[i], i, w->row[0].start);
	out_chart(o, w);
}

/* ---- for programs ---- */

static const struct {
	const char *key;
	size_t at;
} columns[] = {
#define COLUMN(name) {#name, offsetof(struct iota_when_row, name)}
	COLUMN(start), COLUMN(calls), COLUMN(read),    COLUMN(written), COLUMN(io),	 COLUMN(waiting),
	COLUMN(lived), COLUMN(busy),  COLUMN(exposed), COLUMN(deepest), COLUMN(threads), COLUMN(ranks),
	COLUMN(fetched), COLUMN(dirtied),
#undef COLUMN
};
#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static uint64_t value(const struct iota_when_row *row, size_t column)
{
	return *(const uint64_t *)((const char *)row + columns[column].at);
}

static void json_bursts(struct out *o, const struct iota_bursts *b, unsigned direction)
{
	char text[300];

	snprintf(text, sizeof(text),
		 "{\"does\":\"%s\",\"bursts\":%llu,\"bytes\":%llu,\"length\":%llu,\"first\":%llu,"
		 "\"last\":%llu,\"period\":%llu,\"spread\":%.4f}",
		 direction ? "write" : "read", (unsigned long long)b->n, (unsigned long long)b->bytes,
		 (unsigned long long)b->length, (unsigned long long)b->first,
		 (unsigned long long)b->last, (unsigned long long)b->period, b->spread);
	out_str(o, text);
}

void iot_stat_time_json(struct out *o, struct iota *a)
{
	const struct iota_when *w = iota_when(a);
	char text[200];
	bool any = false;
	size_t i, j;

	snprintf(text, sizeof(text),
		 ",\n\"time\":{\"interval\":%llu,\"slice\":%llu,\"busy\":%llu,\"exposed\":%llu,\"bursts\":[",
		 (unsigned long long)w->interval, (unsigned long long)w->slice,
		 (unsigned long long)w->total.busy, (unsigned long long)w->total.exposed);
	out_str(o, text);
	for (i = 0; i < 2; i++) {
		if (!w->bursts[i].n)
			continue;
		out_str(o, any ? "," : "");
		json_bursts(o, &w->bursts[i], (unsigned)i);
		any = true;
	}
	out_lit(o, "],\"intervals\":[");
	for (i = 0; i < w->n; i++) {
		out_str(o, i ? ",\n" : "\n");
		for (j = 0; j < N_COLUMNS; j++) {
			out_str(o, j ? ",\"" : "{\"");
			out_str(o, columns[j].key);
			out_lit(o, "\":");
			iot_out_unsigned(o, value(&w->row[i], j));
		}
		out_char(o, '}');
	}
	out_lit(o, "]}");
}

void iot_stat_time_csv(struct out *o, struct iota *a)
{
	const struct iota_when *w = iota_when(a);
	size_t i, j;

	for (j = 0; j < N_COLUMNS; j++) {
		out_str(o, j ? "," : "");
		out_str(o, columns[j].key);
	}
	out_char(o, '\n');
	for (i = 0; i < w->n; i++) {
		for (j = 0; j < N_COLUMNS; j++) {
			out_str(o, j ? "," : "");
			iot_out_unsigned(o, value(&w->row[i], j));
		}
		out_char(o, '\n');
	}
}
