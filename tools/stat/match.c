/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match.c - the same thing gets the same name in all runs: a file whose name has the
 * process's number, a line that has moved, the second process of a program.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>

#include "diff.h"

/* A name that rows of a table have, and in how many runs of each side it is. */
struct name {
	const char *text;
	char *form;	   /* what names of the same thing have in common */
	const char *becomes[2]; /* in runs of that side; NULL: it stays */
	size_t runs[2], last_run;
	unsigned long long line;
};

struct names {
	struct diff_row **row; /* of the table, by name and run */
	size_t n_rows;
	struct name *name;
	size_t n;
};

static int by_name(const void *a, const void *b)
{
	const struct diff_row *x = *(struct diff_row *const *)a, *y = *(struct diff_row *const *)b;
	int c = strcmp(x->name, y->name);

	return c ? c : x->run < y->run ? -1 : x->run > y->run;
}

static struct names names_of(const struct diff *d, enum diff_table_id table)
{
	struct names t = {.row = reallocarray(NULL, d->n_rows + 1, sizeof(*t.row)),
			  .name = calloc(d->n_rows + 1, sizeof(*t.name))};
	struct name *name = NULL;
	size_t i;

	if (!t.row || !t.name)
		iot_no_memory();
	for (i = 0; i < d->n_rows; i++)
		if (d->row[i].table == table)
			t.row[t.n_rows++] = &d->row[i];
	qsort(t.row, t.n_rows, sizeof(*t.row), by_name);
	for (i = 0; i < t.n_rows; i++) {
		bool first = !name || strcmp(name->text, t.row[i]->name) != 0;

		if (first) {
			name = &t.name[t.n++];
			name->text = t.row[i]->name;
		}
		if (first || name->last_run != t.row[i]->run)
			name->runs[iot_diff_side(d, t.row[i]->run)]++;
		name->last_run = t.row[i]->run;
	}
	return t;
}

static char *copy(const char *s)
{
	char *c = strdup(s);

	if (!c)
		iot_no_memory();
	return c;
}

static int by_text(const void *key, const void *name)
{
	return strcmp(key, ((const struct name *)name)->text);
}

static int by_form(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int c = strcmp(x->form ? x->form : "", y->form ? y->form : "");

	if (!c)
		c = x->line < y->line ? -1 : x->line > y->line;
	return c ? c : strcmp(x->text, y->text);
}

static int by_its_text(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

/* Calls fn for each group of names of the same form, then gives rows their new names. */
static void regroup(const struct diff *d, struct names *t,
		    void (*fn)(const struct diff *d, struct name *first, size_t n))
{
	const struct name *name;
	size_t i, j;

	qsort(t->name, t->n, sizeof(*t->name), by_form);
	for (i = 0; i < t->n; i = j) {
		for (j = i + 1; j < t->n && t->name[i].form && t->name[j].form; j++)
			if (strcmp(t->name[i].form, t->name[j].form) != 0)
				break;
		if (t->name[i].form)
			fn(d, &t->name[i], j - i);
	}
	qsort(t->name, t->n, sizeof(*t->name), by_its_text);
	for (i = 0; i < t->n_rows; i++) {
		struct diff_row *row = t->row[i];

		const char *becomes;

		name = bsearch(row->name, t->name, t->n, sizeof(*t->name), by_text);
		becomes = name ? name->becomes[iot_diff_side(d, row->run)] : NULL;
		if (!becomes)
			continue;
		row->was = row->was ? row->was : row->name;
		/* rows that come later still need the name's text */
		row->name = copy(becomes);
	}
	for (i = 0; i < t->n; i++)
		free(t->name[i].form);
	free(t->name);
	free(t->row);
}

static bool in_all(const struct diff *d, const struct name *name)
{
	return name->runs[DIFF_BEFORE] == d->n[DIFF_BEFORE] &&
	       name->runs[DIFF_AFTER] == d->n[DIFF_AFTER];
}

/* Whether the names are on both sides, or come and go between repeats. */
static bool is_one_thing(const struct diff *d, const struct name *name, size_t n)
{
	size_t runs[2] = {0, 0}, i;
	bool wavers = false;
	unsigned side;

	for (i = 0; i < n; i++)
		for (side = 0; side < 2; side++) {
			runs[side] += name[i].runs[side];
			wavers |= name[i].runs[side] && name[i].runs[side] < d->n[side];
		}
	return n > 1 && ((runs[DIFF_BEFORE] && runs[DIFF_AFTER]) || wavers);
}

/* ---- files ---- */

/* What mkstemp(3) and mktemp(1) make, without digits: kXWzqP. */
static bool is_random(const char *s, size_t n)
{
	size_t rises = 0, falls = 0, i;

	for (i = 1; i < n; i++) {
		rises += islower((unsigned char)s[i - 1]) && isupper((unsigned char)s[i]);
		falls += i > 1 && isupper((unsigned char)s[i - 1]) && islower((unsigned char)s[i]);
	}
	return (n == 6 || n == 10) && rises && rises + falls > 1;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '#';
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (in_word(s[n]))
		n++;
	return n;
}

/* Words with digits, which may be numbers of processes, times or random, become a #; of short
   ones, as log12, only the number does.  Returns the end. */
static char *add_word(char *to, const char *s, size_t n)
{
	const char *begin = to;
	size_t numbers = 0, i;

	for (i = 0; i < n; i++)
		numbers += !isalpha((unsigned char)s[i]);
	if (numbers == n || (numbers && n >= 6) || is_random(s, n)) {
		*to++ = '#';
		return to;
	}
	for (i = 0; i < n; i++)
		if (isalpha((unsigned char)s[i]))
			*to++ = s[i];
		else if (to == begin || to[-1] != '#')
			*to++ = '#';
	return to;
}

static char *without_numbers(const char *s)
{
	char *form = copy(s), *to = form;
	size_t n;

	for (; *s; s += n) {
		n = word_length(s);
		if (n)
			to = add_word(to, s, n);
		else
			n = 1, *to++ = *s;
	}
	*to = '\0';
	return form;
}

/* Of names of the same form: only words in which the two differ become a #. */
static void take_common(char *common, const char *other)
{
	char *to = common;
	const char *s = common;
	size_t n, m;

	for (; *s; s += n, other += m) {
		n = word_length(s);
		m = word_length(other);
		if (!n) {
			n = m = 1;
			*to++ = *s;
		} else if (n == m && !memcmp(s, other, n)) {
			memmove(to, s, n);
			to += n;
		} else {
			to = add_word(to, s, n);
		}
	}
	*to = '\0';
}

static void fold(const struct diff *d, struct name *name, size_t n)
{
	size_t i;

	if (!is_one_thing(d, name, n))
		return;
	strcpy(name[0].form, name[0].text);
	for (i = 1; i < n; i++)
		take_common(name[0].form, name[i].text);
	for (i = 0; i < n; i++)
		name[i].becomes[DIFF_BEFORE] = name[i].becomes[DIFF_AFTER] = name[0].form;
}

/* One file of that name before, and one after, in different directories. */
static void marry(const struct diff *d, struct name *name, size_t n)
{
	struct name *before = name[0].runs[DIFF_BEFORE] ? &name[0] : &name[1];
	struct name *after = before == name ? &name[1] : &name[0];

	(void)d;
	if (n == 2 && !before->runs[DIFF_AFTER] && !after->runs[DIFF_BEFORE])
		before->becomes[DIFF_BEFORE] = after->text;
}

static void match_files(const struct diff *d, enum diff_table_id table)
{
	struct names t = names_of(d, table);
	size_t i;

	for (i = 0; i < t.n; i++)
		if (!in_all(d, &t.name[i]))
			t.name[i].form = without_numbers(t.name[i].text);
	regroup(d, &t, fold);
	t = names_of(d, table);
	for (i = 0; i < t.n; i++) {
		const char *slash = strrchr(t.name[i].text, '/');

		if (slash && (!t.name[i].runs[DIFF_BEFORE] || !t.name[i].runs[DIFF_AFTER]))
			t.name[i].form = without_numbers(slash);
	}
	regroup(d, &t, marry);
}

/* ---- lines of the program ---- */

/* "work (work.c:*)", of "work (/src/work.c:12)"; line: 12.  Of what has no line, "work + *" and
   the offset. */
static char *function_of(const char *site, unsigned long long *line)
{
	const char *colon = strrchr(site, ':'), *plus = strstr(site, " + 0x"), *open, *slash, *from;
	char *form;

	open = strstr(site, " (");
	if (colon && open && colon > open && isdigit((unsigned char)colon[1])) {
		*line = strtoull(colon + 1, NULL, 10);
		slash = memrchr(open, '/', (size_t)(colon - open));
		from = slash ? slash + 1 : open + 2;
		if (asprintf(&form, "%.*s (%.*s:*)", (int)(open - site), site, (int)(colon - from),
			     from) < 0)
			iot_no_memory();
		return form;
	}
	if (!plus)
		return NULL;
	*line = strtoull(plus + 5, NULL, 16);
	form = copy(site);
	memcpy(form + (plus - site), " + *", 5);
	return form;
}

/* As many lines of the function before as after are the same ones, in their order, as if
   lines had been added above them.  Else those that have moved are taken together. */
static void shift(const struct diff *d, struct name *name, size_t n)
{
	size_t lines[2] = {0, 0}, i, a = 0, moved = 0;
	unsigned side;

	for (i = 0; i < n; i++) {
		moved += !name[i].runs[DIFF_BEFORE] || !name[i].runs[DIFF_AFTER];
		for (side = 0; side < 2; side++)
			lines[side] += name[i].runs[side] != 0;
	}
	if (!moved || !lines[DIFF_BEFORE] || !lines[DIFF_AFTER])
		return;
	if (lines[DIFF_BEFORE] != lines[DIFF_AFTER]) {
		for (i = 0; i < n; i++)
			if (!in_all(d, &name[i]))
				name[i].becomes[DIFF_BEFORE] = name[i].becomes[DIFF_AFTER] =
					name[i].form;
		return;
	}
	for (i = 0; i < n; i++) {
		if (!name[i].runs[DIFF_BEFORE])
			continue;
		while (!name[a].runs[DIFF_AFTER])
			a++;
		if (a != i)
			name[i].becomes[DIFF_BEFORE] = name[a].text;
		a++;
	}
}

static void match_sites(const struct diff *d)
{
	struct names t = names_of(d, DIFF_SITES);
	size_t i;

	for (i = 0; i < t.n; i++)
		t.name[i].form = function_of(t.name[i].text, &t.name[i].line);
	regroup(d, &t, shift);
}

/* ---- processes and threads ---- */

static int by_order(const void *a, const void *b)
{
	const struct diff_row *x = *(struct diff_row *const *)a, *y = *(struct diff_row *const *)b;
	int c = strcmp(x->name, y->name), i;

	if (!c && x->run != y->run)
		c = x->run < y->run ? -1 : 1;
	for (i = 0; i < 3 && !c; i++)
		c = x->order[i] < y->order[i] ? -1 : x->order[i] > y->order[i];
	return c;
}

/* Whether all runs have as many of the program as one of them; its rows are from first on. */
static bool as_many_in_all(const struct diff *d, struct diff_row **first, size_t n, size_t n_in_run)
{
	size_t i;

	if (n != n_in_run * d->n_runs)
		return false;
	for (i = 0; i < n; i++)
		if (first[i]->run != i / n_in_run)
			return false;
	return true;
}

/* The first, second ... of each program, in the order in which they were started. */
static void match_members(struct diff *d, enum diff_table_id table, const char *what)
{
	struct names t = names_of(d, table);
	size_t i, j, k;

	qsort(t.row, t.n_rows, sizeof(*t.row), by_order);
	for (i = 0; i < t.n_rows; i = j) {
		size_t in_run;
		bool all;

		for (j = i + 1; j < t.n_rows && !strcmp(t.row[i]->name, t.row[j]->name); j++)
			;
		for (in_run = 1; i + in_run < j && t.row[i + in_run]->run == t.row[i]->run; in_run++)
			;
		all = as_many_in_all(d, &t.row[i], j - i, in_run);
		for (k = i; k < j && (!all || in_run > 1); k++) {
			char *name;

			if ((all ? asprintf(&name, "%s, %s %zu", t.row[k]->name, what, (k - i) % in_run + 1)
				 : asprintf(&name, "%s, all of its %s", t.row[k]->name,
					    table == DIFF_THREADS ? "threads" : "processes")) < 0)
				iot_no_memory();
			t.row[k]->name = name;
		}
	}
	free(t.name);
	free(t.row);
}

/* Of one row in each run, all is said by the job: the calls outside of regions. */
static void leave_out_single(struct diff *d, enum diff_table_id table)
{
	size_t i, n = 0;

	for (i = 0; i < d->n_rows; i++)
		n += d->row[i].table == table;
	d->has[table] &= n > d->n_runs;
}

/* Without the rows that were left out it is not known who is the same under another name, nor what all members add up to. */
static void match_by_order(struct diff *d, enum diff_table_id table, const char *what)
{
	d->has[table] &= !d->cut[table];
	if (d->has[table])
		match_members(d, table, what);
}

void iot_diff_match(struct diff *d)
{
	leave_out_single(d, DIFF_REGIONS);
	leave_out_single(d, DIFF_RANKS);
	leave_out_single(d, DIFF_PROCESSES);
	leave_out_single(d, DIFF_THREADS);
	if (!d->cut[DIFF_FILES])
		match_files(d, DIFF_FILES);
	match_files(d, DIFF_FINDINGS);
	if (!d->cut[DIFF_SITES])
		match_sites(d);
	match_by_order(d, DIFF_PROCESSES, "process");
	match_by_order(d, DIFF_THREADS, "thread");
}
