/* SPDX-License-Identifier: BSD-3-Clause */
/* make.c - what logs add up to, and what of it a page has: as many calls as its size allows. */
#include "config.h"

#include <stdlib.h>

#include "db.h"

/* All rows of all tables; calls one by one are another list, and there are few kinds of them. */
static void list_all(struct out *o, struct iota *a)
{
	unsigned i;

	for (i = 0; i < IOTA_N_TABLES; i++) {
		if (i == IOTA_BY_CALL)
			continue;
		out_char(o, '[');
		out_str(o, iota_table(a, (enum iota_table_id)i)->shape->plural);
		out_char(o, '\n');
		iot_stat_rows_json(o, iota_table(a, (enum iota_table_id)i));
	}
}

/* Of the program that began first: it started the others. */
static char *title_of(const struct iotr_set *set)
{
	const struct iotr_log *first = iotr_set_log(set, 0);
	const char *prog;
	char *title;
	size_t i;

	for (i = 1; i < iotr_set_size(set); i++)
		if (iotr_log_start(iotr_set_log(set, i)) < iotr_log_start(first))
			first = iotr_set_log(set, i);
	prog = iotr_log_key(first, "program", NULL);
	title = strdup(report_options.title ? report_options.title : prog ? prog : "iotrace");
	if (!title)
		iot_no_memory();
	return title;
}

/* Whether a process still writes one of them. */
static bool are_written(const struct iotr_set *set)
{
	struct iotr_mapped *mapped = iotr_mapped_look();
	bool written = false;
	size_t i;

	for (i = 0; i < iotr_set_size(set) && !written; i++)
		written = iotr_log_writer_among(iotr_set_log(set, i), mapped) != 0;
	iotr_mapped_free(mapped);
	return written;
}

/* database: that keeps the logs; NULL: none does. */
static bool make_of_logs(struct report *r, char **logs, const char *database)
{
	struct iotr_set *set = iot_set_new();
	struct iota *a = iot_stat_analyse(set, logs);
	struct report_logs all = {a, set};
	struct report_before before;
	char *run;

	*r = (struct report){.data.fd = -1, .lists.fd = -1};
	if (!a)
		return false;
	run = database ? iot_database_run_name(database, iot_logs_run) : NULL;
	before = report_before_logs(run ? run : *logs, database, a, set);
	free(run);
	r->stat = iot_stat_as_json(a, set);
	r->title = title_of(set);
	report_fit(r, report_logs_draw, &all, &before);
	if (report_options.lists)
		list_all(&r->lists, a);
	r->running = are_written(set);
	report_before_free(&before);
	iota_free(a);
	iotr_set_free(set);
	return true;
}

bool report_make(struct report *r, char **logs)
{
	const char *db = report_db_of(logs);

	if (!db)
		return make_of_logs(r, logs, NULL);
	for (; *logs != db; logs++)
		report_compare_with(*logs);
	if (iot_database_keeps(db, iot_logs_run))
		return make_of_logs(r, logs, db);
	iot_filter_check(iot_set_new());
	return report_db_make(r, db);
}

void report_free(struct report *r)
{
	free(r->data.buf);
	free(r->stat.buf);
	free(r->lists.buf);
	free(r->title);
}
