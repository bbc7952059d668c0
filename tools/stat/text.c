/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - the report for people. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "../common/screen.h"
#include "by-time.h"

/* Where libc moved bytes within itself, the log does not say by how many calls. */
static bool is_unknown(const struct iota_column *c, const struct iota_row *row)
{
	if (iota_number(row, c->field))
		return false;
	switch (c->field) {
	case IOTA_F_READS:
	case IOTA_F_READ_SIZE:
		return iota_number(row, IOTA_F_READ);
	case IOTA_F_WRITES:
	case IOTA_F_WRITE_SIZE:
		return iota_number(row, IOTA_F_WRITTEN);
	default:
		return false;
	}
}

static void format_cell(char *cell, const struct iota_column *c, const struct iota_row *row)
{
	uint64_t v = iota_number(row, c->field), of = iota_number(row, c->of);

	if (is_unknown(c, row)) {
		snprintf(cell, CELL, "?");
		return;
	}
	switch (c->unit) {
	case IOTA_UNIT_COUNT:
		snprintf(cell, CELL, "%llu", (unsigned long long)v);
		break;
	case IOTA_UNIT_BYTES:
		if (iot_stat_options.human)
			iot_stat_human(cell, v);
		else
			snprintf(cell, CELL, "%llu", (unsigned long long)v);
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
	case IOTA_UNIT_PERCENT:
		snprintf(cell, CELL, "%.1f", (double)v / 1e2);
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

/* A call that is no system call, but may make some. */
static bool above(const struct iota_row *row)
{
	return !iota_number(row, IOTA_F_SYSCALLS);
}

static bool any_above(const struct iota_table *t, size_t n)
{
	while (n)
		if (above(t->row[--n]))
			return true;
	return false;
}

/* A column whose numbers are all 0 is left out, but for calls, errors and times. */
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
		if (iota_number(t->row[i], field))
			return true;
	return false;
}

/* A column of a table, as wide as its widest cell. */
struct shown {
	const struct iota_column *column;
	size_t width;
};

/* The time is always there, since rows are sorted by it. */
static bool must_fit(const struct shown *shown)
{
	return shown->column->field == IOTA_F_SELF || shown->column->field == IOTA_F_PERCENT;
}

/* Puts the columns that fit first, and returns how many these are: those that must be there, and as many others as
   leave a third of the line for names.  *room: how wide a name may be. */
static size_t columns_that_fit(struct shown *shown, size_t n, size_t *room)
{
	size_t screen = iot_screen_width(), used = 0, fitting = 0, rest = 0, j;
	struct shown left_out[40];
	bool full = false;

	for (j = 0; j < n; j++)
		if (must_fit(&shown[j]))
			used += shown[j].width + 2;
	for (j = 0; j < n; j++) {
		bool must = must_fit(&shown[j]);

		full |= !must && used + shown[j].width + 2 > screen - screen / 3;
		if (full && !must) {
			left_out[rest++] = shown[j];
			continue;
		}
		used += must ? 0 : shown[j].width + 2;
		shown[fitting++] = shown[j];
	}
	memcpy(shown + fitting, left_out, rest * sizeof(*shown));
	*room = screen > used ? screen - used : 0;
	return fitting;
}

#define INDENT 12

/* Prints words in lines of the screen's width.  All lines but the first are indented. */
static void out_wrapped(struct out *o, const char *s, size_t n, size_t used)
{
	size_t width = iot_screen_width(), i, j;

	for (i = 0; i < n; i = j) {
		for (j = i; j < n && s[j] == ' '; j++)
			;
		while (j < n && s[j] != ' ')
			j++;
		if (i && used + (j - i) > (width < 80 ? width : 80)) {
			while (s[i] == ' ')
				i++;
			out_char(o, '\n');
			pad(o, INDENT);
			used = INDENT;
		}
		iot_out_escaped(o, s + i, j - i, "\\\\\nn\tt\rr");
		used += j - i;
	}
	out_char(o, '\n');
}

/* Names the columns that had no room. */
static void out_left_out(struct out *o, const struct shown *shown, size_t n)
{
	struct out text = {.fd = -1};
	size_t i;

	for (i = 0; i < n; i++) {
		out_str(&text, i ? ", " : "too narrow for: ");
		out_str(&text, shown[i].column->title);
	}
	if (n)
		out_wrapped(o, text.buf, text.len, 0);
	free(text.buf);
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
	out_left_out(o, shown + fitting, n_columns - fitting);
}

static const char star_note[] = "* no system call: its bytes may stay in a buffer, and total s has the "
			      "calls inside";

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
		out_wrapped(o, star_note, sizeof(star_note) - 1, 0);
}

/* ---- what stands out ---- */

/* Prints which files the finding is about.  Returns how wide that is. */
static size_t out_name(struct out *o, const struct iota_finding *f)
{
	char others[CELL] = "";

	if (!f->name)
		return 0;
	if (f->below)
		out_lit(o, "below ");
	iot_out_c(o, f->name, f->name_len);
	if (f->others)
		snprintf(others, sizeof(others), " and %llu more", (unsigned long long)f->others);
	out_str(o, others);
	out_lit(o, ": ");
	return strlen(f->below ? "below " : "") + f->name_len + strlen(others) + 2;
}

static void out_evidence(struct out *o, const struct iota_finding *f)
{
	struct iota_bytes words = {0};
	size_t used = INDENT;

	pad(o, INDENT);
	used += out_name(o, f);
	iota_words(&words, f, iot_stat_words_bytes);
	out_wrapped(o, words.p, words.len, used);
	free(words.p);
}

static const char *base(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

#define CALLERS 3 /* so many are enough to recognize the line */

/* An address tells a reader nothing, unless there is nothing else; nor do parameters of C++ functions. */
static void add_line(struct iota_bytes *words, struct iota_line line, const char *module_before)
{
	bool is_first = !words->len;

	iota_bytes_text(words, is_first ? "" : " < ");
	if (line.func)
		iota_bytes_add(words, iota_name_proper(line.func), iota_name_length(iota_name_proper(line.func)));
	iota_bytes_text(words, line.func && line.file ? " (" : "");
	if (line.file && line.line)
		iota_bytes_format(words, "%s:%d", base(line.file), line.line);
	else if (line.file)
		iota_bytes_text(words, base(line.file));
	iota_bytes_text(words, line.func && line.file ? ")" : "");
	if (line.file)
		return;
	if (line.module && !line.func)
		iota_bytes_format(words, "%s + 0x%llx", base(line.module), (unsigned long long)line.offset);
	else if (line.module && is_first)
		iota_bytes_format(words, " (%s + 0x%llx)", base(line.module), (unsigned long long)line.offset);
	else if (line.module && strcmp(line.module, module_before))
		iota_bytes_format(words, " (%s)", base(line.module));
}

/* The line to look at, and who called its function. */
static void out_lines(struct out *o, const struct iota_finding *f)
{
	size_t n = iota_lines(f), i, shown = 0;
	struct iota_bytes words = {0};
	const char *module = "";

	if (!n)
		return;
	for (i = f->level; i < n && shown <= CALLERS; i++) {
		struct iota_line line = iota_line(f, i);

		if (shown && !line.func && !line.file)
			continue;
		add_line(&words, line, module);
		module = line.module ? line.module : "";
		shown++;
	}
	pad(o, INDENT);
	out_wrapped(o, words.p, words.len, INDENT);
	free(words.p);
}

static void format_saves(char *cell, const struct iota_finding *f)
{
	double low = (double)f->saves[0] / 1e9, high = (double)f->saves[1] / 1e9;
	int digits = high < 1 ? 3 : 1;
	char least[24], most[24];

	cell[0] = '\0';
	if (high < 0.001)
		return;
	snprintf(least, sizeof(least), "%.*f", digits, low);
	snprintf(most, sizeof(most), "%.*f", digits, high);
	if (strcmp(least, most) != 0)
		snprintf(cell, 2 * CELL, "saves %s to %s s", least, most);
	else
		snprintf(cell, 2 * CELL, "saves %s s", most);
}

/* With as many digits as leave a space before them in a column of that width. */
static void format_spent(char *cell, uint64_t ns, size_t width)
{
	int digits = 3;

	if (ns < 1000000) {
		snprintf(cell, 2 * CELL, "%.0f us", (double)ns / 1e3);
		return;
	}
	while ((size_t)snprintf(cell, 2 * CELL, "%.*f s", digits, (double)ns / 1e9) >= width && digits)
		digits--;
}

static void out_finding(struct out *o, const struct iota_finding *f, size_t number)
{
	const char *title = f->rule->title;
	struct iota_bytes words = {0};
	char cell[2 * CELL];
	size_t used;

	iot_out_unsigned(o, number);
	used = INDENT - 3 - (number > 9) - (number > 99);
	format_spent(cell, f->time, used);
	out_right(o, f->time ? cell : "", used);
	out_lit(o, "  ");
	out_str(o, title);
	format_saves(cell, f);
	if (cell[0]) {
		used = INDENT + strlen(title) + strlen(cell);
		pad(o, used + 2 < 80 ? 80 - used : 2);
		out_str(o, cell);
	}
	out_char(o, '\n');
	out_evidence(o, f);
	out_lines(o, f);
	pad(o, INDENT);
	iota_words_of_remedy(&words, f);
	if (cell[0] && f->rule->assumes) {
		iota_bytes_text(&words, " The estimate assumes that ");
		iota_words_of_assumption(&words, f);
		iota_bytes_text(&words, ".");
	}
	out_wrapped(o, words.p, words.len, INDENT);
	free(words.p);
}

static void out_findings(struct out *o, struct iota *a, bool whole)
{
	size_t n, i, shown = 0;
	const struct iota_finding *f = iota_findings(a, &n);
	uint64_t total[IOTA_N_COMMON];
	bool faults = false;
	int info;

	for (i = 0; i < n; i++)
		faults |= f[i].rule->severity != IOTA_INFO;
	iota_total(a, IOTA_BY_CALL, total);
	if (faults)
		out_lit(o, "\nWhat stands out, and the time that it took:\n");
	else if (n)
		out_lit(o, "\nNothing stands out that costs time.  For information:\n");
	else if (total[IOTA_F_CALLS] && whole)
		out_lit(o, "\nNothing stands out: none of the faults in iotrace-findings(7) was found.\n");
	else if (total[IOTA_F_CALLS])
		out_lit(o, "\nNothing stands out in what was recorded, which is not all.\n");
	/* findings that are no fault come last */
	for (info = 0; info < 2; info++)
		for (i = 0; i < n && shown < iot_stat_options.top; i++)
			if (info == (f[i].rule->severity == IOTA_INFO))
				out_finding(o, &f[i], ++shown);
}

/* Prints words of text, escaped, in lines of the screen's width.  All lines but the first begin with two spaces. */
static void out_fitting(struct out *o, const char *s, size_t n)
{
	size_t width = iot_screen_width(), used = 0, i, j;

	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && s[j] != ' ' && s[j] != '\n'; j++)
			;
		if (s[i] == '\n')
			used = 0;
		if (s[i] == ' ' && used + (j - i) > width) {
			out_lit(o, "\n ");
			used = 1;
		}
		iot_out_bytes(o, s + i, j - i);
		used += j - i;
	}
}

static void out_head(struct out *o, struct iota *a, const struct iotr_set *set)
{
	struct out head = {.fd = -1};

	iot_stat_head(&head, a, set);
	if (iot_stat_options.findings)
		iot_stat_time_head(&head, a);
	out_fitting(o, head.buf, head.len);
	free(head.buf);
}

void iot_stat_text(struct iota *a, const struct iotr_set *set)
{
	struct out *o = &iot_stdout;
	size_t i;

	out_head(o, a, set);
	if (iot_stat_options.findings)
		out_findings(o, a, !iot_stat_lost(set));
	for (i = 0; i < IOTA_N_TABLES; i++)
		if (iot_stat_options.shown[i])
			out_table(o, iota_table(a, (enum iota_table_id)i));
	if (iot_stat_options.time)
		iot_stat_time_text(o, a);
	if (iot_stat_options.constellations)
		iot_stat_constellations_text(a);
	if (iot_stat_options.seeks)
		iot_stat_seeks_text(o, a);
	if (iot_stat_options.layout)
		iot_stat_layout_text(o, a);
}
