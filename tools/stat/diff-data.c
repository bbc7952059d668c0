/* SPDX-License-Identifier: BSD-3-Clause */
/* diff-data.c - --diff for programs: JSON and csv. */
#include "config.h"

#include <stdlib.h>

#include "diff.h"
#include "member.h"

/* Calls fn for all of the job, and for what differs elsewhere. */
struct told {
	const struct diff_item *item;
	enum diff_measure_id m;
	struct diff_spread s[2];
	const char *word;
};
typedef void tell_fn(struct out *o, const struct told *told, bool first);

static void each(struct out *o, const struct diff *d, tell_fn *fn)
{
	bool first = true;
	size_t i, shown = 0;
	unsigned m;

	for (i = 0; i < d->n_items; i++) {
		const struct diff_item *item = &d->item[i];
		bool any = false;

		if (i && item->table != item[-1].table)
			shown = 0;
		for (m = 0; m < DIFF_N_MEASURES; m++) {
			struct told told = {.item = item, .m = (enum diff_measure_id)m};

			told.s[0] = iot_diff_spread(d, item, told.m, DIFF_BEFORE);
			told.s[1] = iot_diff_spread(d, item, told.m, DIFF_AFTER);
			told.word = iot_diff_word(item, told.m, told.s);
			if (told.m == DIFF_FOUND && !d->has[DIFF_FINDINGS])
				continue;
			if (shown >= iot_stat_options.top || (item->table != DIFF_JOB && !item->differs[m]))
				continue;
			fn(o, &told, first);
			first = false;
			any = true;
		}
		shown += any;
	}
}

static uint64_t whole(double v)
{
	return v < 18446744073709551615.0 ? (uint64_t)v : UINT64_MAX;
}

static void json_spread(struct out *o, const char *key, const struct diff_spread *s)
{
	json_key(o, key);
	out_char(o, '[');
	iot_out_unsigned(o, whole(s->median));
	out_char(o, ',');
	iot_out_unsigned(o, whole(s->min));
	out_char(o, ',');
	iot_out_unsigned(o, whole(s->max));
	out_char(o, ']');
}

static void tell_json(struct out *o, const struct told *told, bool first)
{
	const struct diff_item *item = told->item;

	out_str(o, first ? "\n{" : ",\n{");
	json_string(o, "table", iot_diff_tables[item->table]);
	json_string(o, "name", item->name);
	if (item->was && *item->was)
		json_string(o, "was", item->was);
	json_string(o, "measure", diff_measures[told->m].name);
	json_string(o, "change", told->word);
	json_spread(o, "before", &told->s[DIFF_BEFORE]);
	json_spread(o, "after", &told->s[DIFF_AFTER]);
	out_char(o, '}');
}

static void json_list(struct out *o, const char *key, const char *const *text, size_t n)
{
	size_t i;

	json_key(o, key);
	out_char(o, '[');
	for (i = 0; i < n; i++) {
		if (i)
			out_char(o, ',');
		json_text(o, text[i], strlen(text[i]));
	}
	out_char(o, ']');
}

void iot_diff_json(struct out *to, const struct diff *d)
{
	const char *lacking[DIFF_N_TABLES];
	struct out o = {.fd = -1};
	size_t n = 0, t;

	for (t = 0; t < DIFF_N_TABLES; t++)
		if (d->lacks[t])
			lacking[n++] = iot_diff_tables[t];
	out_char(&o, '{');
	json_number(&o, "version", 1);
	json_list(&o, "before", d->run, d->n[DIFF_BEFORE]);
	json_list(&o, "after", d->run + d->n[DIFF_BEFORE], d->n[DIFF_AFTER]);
	json_list(&o, "lacking", lacking, n);
	json_key(&o, "differences");
	out_char(&o, '[');
	each(&o, d, tell_json);
	out_lit(&o, "]}\n");
	iot_out_bytes(to, o.buf, o.len);
	free(o.buf);
}

static void csv_spread(struct out *o, const struct diff_spread *s)
{
	out_char(o, ',');
	iot_out_unsigned(o, whole(s->median));
	out_char(o, ',');
	iot_out_unsigned(o, whole(s->min));
	out_char(o, ',');
	iot_out_unsigned(o, whole(s->max));
}

static void tell_csv(struct out *o, const struct told *told, bool first)
{
	const char *was = told->item->was ? told->item->was : "";

	(void)first;
	out_str(o, iot_diff_tables[told->item->table]);
	out_char(o, ',');
	iot_out_csv(o, told->item->name, strlen(told->item->name));
	out_char(o, ',');
	iot_out_csv(o, was, strlen(was));
	out_char(o, ',');
	out_str(o, diff_measures[told->m].name);
	out_char(o, ',');
	out_str(o, told->word);
	csv_spread(o, &told->s[DIFF_BEFORE]);
	csv_spread(o, &told->s[DIFF_AFTER]);
	out_char(o, '\n');
}

void iot_diff_csv(struct out *o, const struct diff *d)
{
	out_lit(o, "table,name,was,measure,change,before,before_min,before_max,after,after_min,"
		   "after_max\n");
	each(o, d, tell_csv);
}
