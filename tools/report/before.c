/* SPDX-License-Identifier: BSD-3-Clause */
/* before.c - runs before a change, which --diff names, and the run that the page is about. */
#include "config.h"

#include <stdlib.h>

#include "../export/database.h"
#include "../stat/diff.h"
#include "db.h"

/* Runs before a change; it ends with this one. */
static struct diff compared;

void report_compare_with(const char *run)
{
	compared.run = reallocarray(compared.run, compared.n_runs + 2, sizeof(*compared.run));
	if (!compared.run)
		iot_no_memory();
	compared.run[compared.n_runs++] = run;
}

/* A database has no more rows of a table than that. */
static void read_sums(size_t run, const struct out *json)
{
	compared.most_rows = STATS_ROWS;
	iot_diff_read(&compared, run, json->buf, json->len);
	compared.most_rows = 0;
}

/* A run of the database that is shown, if it has one of that name; else what is called so: a database, logs or JSON. */
static void read_run(size_t run, const char *database)
{
	const char *name = compared.run[run];
	struct out json = {.fd = -1};

	if (database)
		json = report_db_sums(database, name);
	if (!json.len && report_is_db(name)) {
		json = report_db_sums(name, NULL);
		if (!json.len)
			iot_die("%s: has no run", name);
	}
	if (json.len && iot_filter_given)
		iot_die("%s: calls can't be chosen in a database, which has the sums of all; name the logs", name);
	if (json.len)
		read_sums(run, &json);
	else
		iot_diff_read_run(&compared, run);
	free(json.buf);
}

/* All but the last one, which is this one. */
static void begin(const char *name, const char *database)
{
	size_t i;

	compared.n[DIFF_BEFORE] = compared.n_runs;
	compared.n[DIFF_AFTER] = 1;
	for (i = 0; i < DIFF_N_TABLES; i++)
		compared.has[i] = true;
	for (i = 0; i < compared.n_runs; i++)
		read_run(i, database);
	compared.run[compared.n_runs++] = name;
}

static struct out end(void)
{
	struct out json = {.fd = -1};

	iot_diff_match(&compared);
	iot_diff_compare(&compared, IOTA_F_SELF);
	iot_diff_json(&json, &compared);
	iot_diff_free(&compared);
	free(compared.run);
	return json;
}

struct out report_compare_logs(const char *name, struct iota *a, const struct iotr_set *set)
{
	if (!compared.n_runs)
		return (struct out){.fd = -1};
	begin(name, NULL);
	iot_diff_add(&compared, compared.n_runs - 1, a, set);
	return end();
}

struct out report_compare_sums(const char *name, const char *database, const struct out *stat)
{
	if (!compared.n_runs)
		return (struct out){.fd = -1};
	begin(name, database);
	read_sums(compared.n_runs - 1, stat);
	return end();
}
