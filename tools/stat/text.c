/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - the report for people. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../common/screen.h"
#include "stat.h"

#define CELL 32

/* 1234567 bytes: "1.2M" with -h */
static void human(char *cell, uint64_t bytes)
{
	static const char units[] = " KMGTPE";
	double d = (double)bytes;
	unsigned i = 0;

	while (d >= 1023.95 && i < 6) {
		d /= 1024;
		i++;
	}
	if (!i)
		snprintf(cell, CELL, "%llu", (unsigned long long)bytes);
	else
		snprintf(cell, CELL, d < 9.95 ? "%.1f%c" : "%.0f%c", d, units[i]);
}

static void format_bytes(char *cell, uint64_t bytes)
{
	if (iot_stat_options.human)
		human(cell, bytes);
	else
		snprintf(cell, CELL, "%llu", (unsigned long long)bytes);
}

static void format_cell(char *cell, const struct iota_column *c, const struct iota_row *row)
{
	uint64_t v = row->v[c->field], of = row->v[c->of];

	switch (c->unit) {
	case IOTA_UNIT_COUNT:
		snprintf(cell, CELL, "%llu", (unsigned long long)v);
		break;
	case IOTA_UNIT_BYTES:
		format_bytes(cell, v);
		break;
	case IOTA_UNIT_SECONDS:
		snprintf(cell, CELL, "%.6f", (double)v / 1e9);
		break;
	case IOTA_UNIT_MICROS:
		snprintf(cell, CELL, "%.1f", (double)v / 1e3);
		break;
	case IOTA_UNIT_SHARE:
		if (of)
			snprintf(cell, CELL, "%.0f%%", 100.0 * (double)v / (double)of);
		else
			snprintf(cell, CELL, "-");
		break;
	case IOTA_UNIT_RANK:
		if (v)
			snprintf(cell, CELL, "%llu", (unsigned long long)v - 1);
		else
			snprintf(cell, CELL, "-");
		break;
	case IOTA_UNIT_DATE:
		cell[0] = '\0';
	}
}

static void pad(struct out *o, size_t n)
{
	while (n--)
		out_char(o, ' ');
}

static void out_right(struct out *o, const char *cell, size_t width)
{
	size_t n = strlen(cell);

	pad(o, n < width ? width - n : 0);
	out_str(o, cell);
}

/* A call that stands for none of the kernel's, but may have some inside. */
static bool above(const struct iota_row *row)
{
	return !row->v[IOTA_F_SYSCALLS];
}

static bool any_above(const struct iota_table *t, size_t n)
{
	while (n)
		if (above(t->row[--n]))
			return true;
	return false;
}

/* Columns of what did not happen at all are left out, but for calls, errors and
   times. */
static bool to_show(const struct iota_column *c, const struct iota_table *t, size_t n)
{
	enum iota_field field = c->unit == IOTA_UNIT_SHARE ? c->of : c->field;
	size_t i;

	if (!iota_column_in_text(c, t))
		return false;
	if (field == IOTA_F_CALLS || field == IOTA_F_ERRORS || c->unit == IOTA_UNIT_SECONDS ||
	    c->unit == IOTA_UNIT_MICROS)
		return true;
	for (i = 0; i < n; i++)
		if (t->row[i]->v[field])
			return true;
	return false;
}

/* A column of a table, as wide as its widest cell. */
struct shown {
	const struct iota_column *column;
	size_t width;
};

/* Puts the columns that fit first, and returns how many these are: the time, by which rows
   are sorted, and as many others as there is room for beside a third of the line for names.
   room: what they leave for the name. */
static size_t columns_that_fit(struct shown *shown, size_t n, size_t *room)
{
	size_t screen = iot_screen_width(), used = 0, fitting = 0, rest = 0, j;
	struct shown left_out[40];
	bool full = false;

	for (j = 0; j < n; j++)
		if (shown[j].column->field == IOTA_F_SELF)
			used += shown[j].width + 2;
	for (j = 0; j < n; j++) {
		bool time = shown[j].column->field == IOTA_F_SELF;

		full |= !time && used + shown[j].width + 2 > screen - screen / 3;
		if (full && !time) {
			left_out[rest++] = shown[j];
			continue;
		}
		used += time ? 0 : shown[j].width + 2;
		shown[fitting++] = shown[j];
	}
	memcpy(shown + fitting, left_out, rest * sizeof(*shown));
	*room = screen > used ? screen - used : 0;
	return fitting;
}

static void out_rows(struct out *o, const struct iota_table *t, size_t n)
{
	const struct iota_column *c;
	struct shown shown[40];
	size_t n_columns = 0, fitting, room, i, j, k;
	char cell[CELL];
	bool starred;

	for (c = iota_columns; c->key && n_columns < 40; c++)
		if (to_show(c, t, n))
			shown[n_columns++] = (struct shown){c, strlen(c->title)};
	for (j = 0; j < n_columns; j++) {
		for (i = 0; i < n; i++) {
			format_cell(cell, shown[j].column, t->row[i]);
			k = strlen(cell);
			if (k > shown[j].width)
				shown[j].width = k;
		}
	}
	fitting = columns_that_fit(shown, n_columns, &room);
	iot_style(o, IOT_STRONG);
	for (j = 0; j < fitting; j++) {
		out_right(o, shown[j].column->title, shown[j].width);
		out_lit(o, "  ");
	}
	out_str(o, t->shape->by);
	iot_style(o, IOT_PLAIN);
	out_char(o, '\n');
	for (i = 0; i < n; i++) {
		for (j = 0; j < fitting; j++) {
			format_cell(cell, shown[j].column, t->row[i]);
			out_right(o, cell, shown[j].width);
			out_lit(o, "  ");
		}
		starred = t->id == IOTA_BY_CALL && above(t->row[i]);
		iot_out_end_of(o, t->row[i]->name, t->row[i]->name_len,
			       starred && room > 2 ? room - 2 : room);
		if (starred)
			out_lit(o, " *");
		out_char(o, '\n');
	}
	for (j = fitting; j < n_columns; j++) {
		out_str(o, j == fitting ? "too narrow for: " : ", ");
		out_str(o, shown[j].column->title);
	}
	if (fitting < n_columns)
		out_char(o, '\n');
}

static void out_table(struct out *o, const struct iota_table *t)
{
	size_t n = t->n < iot_stat_options.top ? t->n : iot_stat_options.top;

	if (!t->n)
		return;
	out_char(o, '\n');
	out_rows(o, t, n);
	if (n < t->n) {
		out_lit(o, "and ");
		iot_out_unsigned(o, t->n - n);
		out_lit(o, " more; --top=0 shows all\n");
	}
	if (t->id == IOTA_BY_CALL && any_above(t, n))
		out_lit(o, "* no system call: its bytes may stay in a buffer, and total s has the "
			   "calls inside\n");
}

/* ---- the head ---- */

static void out_seconds(struct out *o, uint64_t ns)
{
	char cell[CELL];

	snprintf(cell, sizeof(cell), "%.6f s", (double)ns / 1e9);
	out_str(o, cell);
}

static void words_bytes(struct iota_bytes *to, uint64_t bytes)
{
	char cell[CELL];

	if (!iot_stat_options.human || bytes < 1024) {
		iota_words_bytes(to, bytes);
		return;
	}
	human(cell, bytes);
	iota_bytes_text(to, cell);
	iota_bytes_text(to, "B");
}

static void out_bytes(struct out *o, uint64_t bytes)
{
	struct iota_bytes words = {0};

	words_bytes(&words, bytes);
	iot_out_bytes(o, words.p, words.len);
	free(words.p);
}

static void out_date(struct out *o, uint64_t ns)
{
	time_t t = (time_t)(ns / 1000000000);
	char text[40];
	struct tm tm;

	if (localtime_r(&t, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		out_str(o, text);
}

static void out_count(struct out *o, uint64_t n, const char *one, const char *many)
{
	iot_out_unsigned(o, n);
	out_char(o, ' ');
	out_str(o, n == 1 ? one : many);
}

static void out_logs(struct out *o, const struct iota *a, const struct iotr_set *set)
{
	const struct iota_table *processes = iota_table(a, IOTA_BY_PROCESS);
	const struct iota_row *row = processes->n ? processes->row[0] : NULL;

	if (iotr_set_size(set) != 1 || processes->n != 1) {
		out_count(o, iotr_set_size(set), "log", "logs");
		out_lit(o, ", ");
		out_count(o, processes->n, "process", "processes");
		out_lit(o, "\n");
		return;
	}
	iot_out_c(o, row->name, row->name_len);
	out_lit(o, ", process ");
	iot_out_unsigned(o, row->v[IOTA_F_PID]);
	if (row->extra) {
		out_lit(o, " on ");
		iot_out_c(o, row->extra, strlen(row->extra));
	}
	out_lit(o, ", ");
	out_date(o, row->v[IOTA_F_BEGIN]);
	out_lit(o, ", ");
	out_seconds(o, row->v[IOTA_F_ELAPSED]);
	out_lit(o, "\n");
}

static uint64_t calls_lost(const struct iotr_set *set)
{
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < iotr_set_size(set); i++)
		lost += iotr_log_lost(iotr_set_log(set, i)).calls;
	return lost;
}

static void out_also(struct out *o, uint64_t n, const char *what)
{
	if (!n)
		return;
	out_lit(o, ", ");
	iot_out_unsigned(o, n);
	out_char(o, ' ');
	out_str(o, what);
}

static void out_moved(struct out *o, const char *who, uint64_t bytes_read, uint64_t written)
{
	out_str(o, who);
	out_lit(o, " read ");
	out_bytes(o, bytes_read);
	out_lit(o, " and wrote ");
	out_bytes(o, written);
}

/* Calls that have no records. */
static void out_sums(struct out *o, const struct iotr_set *set)
{
	struct iotr_sum total = iotr_set_sum(set);

	if (!total.count)
		return;
	out_lit(o, "MPI looked for news in ");
	out_count(o, total.count, "more call", "more calls");
	out_lit(o, ", ");
	out_seconds(o, total.time);
	out_char(o, '\n');
}

static void out_head(struct out *o, const struct iota *a, const struct iotr_set *set)
{
	uint64_t total[IOTA_N_COMMON], lost = calls_lost(set);

	iota_total(a, IOTA_BY_CALL, total);
	out_logs(o, a, set);
	out_count(o, total[IOTA_F_CALLS], "call", "calls");
	out_lit(o, " (");
	out_count(o, total[IOTA_F_SYSCALLS], "system call", "system calls");
	out_char(o, ')');
	out_also(o, total[IOTA_F_ERRORS], "failed");
	out_also(o, total[IOTA_F_UNFINISHED], "unfinished");
	out_also(o, total[IOTA_F_NORETURN], "did not return");
	out_also(o, total[IOTA_F_ABANDONED], "abandoned");
	out_also(o, total[IOTA_F_INFERRED], "inferred");
	out_also(o, lost, "NOT RECORDED");
	out_lit(o, "; ");
	out_seconds(o, total[IOTA_F_SELF]);
	out_lit(o, " in calls\n");
	out_sums(o, set);
	if (total[IOTA_F_WAITING]) {
		out_lit(o, "of these, ");
		out_seconds(o, total[IOTA_F_WAITING]);
		out_lit(o, " waiting for others and ");
		out_seconds(o, total[IOTA_F_MOVING]);
		out_lit(o, " reading and writing\n");
	}
	out_moved(o, "system calls", total[IOTA_F_READ], total[IOTA_F_WRITTEN]);
	if (total[IOTA_F_LIB_READ] || total[IOTA_F_LIB_WRITTEN]) {
		out_lit(o, "; ");
		out_moved(o, "calls above them", total[IOTA_F_LIB_READ], total[IOTA_F_LIB_WRITTEN]);
	}
	out_char(o, '\n');
}

/* ---- what stands out ---- */

static void out_finding(struct out *o, const struct iota_finding *f)
{
	struct iota_bytes words = {0};

	iota_words(&words, f, words_bytes);
	iot_out_bytes(o, words.p, words.len);
	free(words.p);
}

static void out_facts(struct out *o, struct iota *a)
{
	size_t n, i;
	const struct iota_finding *f = iota_findings(a, &n);

	if (!n)
		return;
	out_lit(o, "\nWhat stands out, and the time that such calls took:\n");
	for (i = 0; i < n && i < iot_stat_options.top; i++) {
		char cell[CELL];

		snprintf(cell, sizeof(cell), "%.6f s", (double)f[i].time / 1e9);
		out_right(o, f[i].time ? cell : "", 14);
		out_lit(o, "  ");
		if (f[i].name) {
			iot_out_c(o, f[i].name, f[i].name_len);
			out_lit(o, ": ");
		}
		out_finding(o, &f[i]);
		out_char(o, '\n');
	}
}

void iot_stat_text(struct iota *a, const struct iotr_set *set)
{
	struct out *o = &iot_stdout;
	size_t i;

	out_head(o, a, set);
	for (i = 0; i < IOTA_N_TABLES; i++)
		if (iot_stat_options.shown[i])
			out_table(o, iota_table(a, (enum iota_table_id)i));
	if (iot_stat_options.facts)
		out_facts(o, a);
}
