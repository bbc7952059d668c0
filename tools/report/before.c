/* SPDX-License-Identifier: BSD-3-Clause */
/* before.c - runs before a change, which --diff names, and the run that the page is about. */
#include "config.h"

#include <stdlib.h>

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

/* What is drawn is the run that was read last. */
static void drop(struct report_before *b)
{
	if (b->draw)
		b->end(b->run);
	free(b->stat.buf);
	*b = (struct report_before){.diff.fd = -1, .stat.fd = -1};
}

/* A run of the database that is shown, if it has one of that name; else the last one of the database that is called so. */
static bool is_of_database(const char *name, const char **database, const char **run)
{
	*run = name;
	if (*database && iot_database_has(*database, name))
		return true;
	*database = name;
	*run = NULL;
	return iot_database_is(name);
}

static void end_logs(void *run)
{
	struct report_logs *logs = run;

	iota_free(logs->a);
	iotr_set_free(logs->set);
	free(logs);
}

/* name: of logs, or of a database that keeps those of its run of. */
static void read_logs(size_t run, const char *name, const char *of, struct report_before *b)
{
	char *names[] = {(char *)name, NULL};
	struct report_logs *logs = malloc(sizeof(*logs));
	const char *shown = iot_logs_run;

	if (!logs)
		iot_no_memory();
	logs->set = iot_set_new();
	iot_logs_run = of;
	logs->a = iot_stat_analyse(logs->set, names);
	iot_logs_run = shown;
	if (!logs->a)
		exit(iot_exit_status ? iot_exit_status : STATUS_TROUBLE);
	iot_diff_add(&compared, run, logs->a, logs->set);
	b->name = compared.run[run];
	b->stat = iot_stat_as_json(logs->a, logs->set);
	b->draw = report_logs_draw;
	b->end = end_logs;
	b->run = logs;
}

static void read_run(size_t run, const char *database, struct report_before *b)
{
	const char *of;

	if (is_of_database(compared.run[run], &database, &of)) {
		drop(b);
		if (iot_database_keeps(database, of)) {
			read_logs(run, database, of, b);
			return;
		}
		report_db_before(b, database, of);
		read_sums(run, &b->stat);
	} else if (!iot_diff_read_json(&compared, run)) {
		drop(b);
		read_logs(run, compared.run[run], NULL, b);
	}
}

/* All but the last one, which is this one. */
static struct report_before begin(const char *name, const char *database)
{
	struct report_before b = {.diff.fd = -1, .stat.fd = -1};
	size_t i;

	compared.n[DIFF_BEFORE] = compared.n_runs;
	compared.n[DIFF_AFTER] = 1;
	for (i = 0; i < DIFF_N_TABLES; i++)
		compared.has[i] = true;
	for (i = 0; i < compared.n_runs; i++)
		read_run(i, database, &b);
	compared.run[compared.n_runs++] = name;
	return b;
}

static void end(struct report_before *b)
{
	iot_diff_match(&compared);
	iot_diff_compare(&compared, IOTA_F_SELF);
	iot_diff_json(&b->diff, &compared);
	iot_diff_free(&compared);
	free(compared.run);
}

struct report_before report_before_logs(const char *name, const char *database, struct iota *a, const struct iotr_set *set)
{
	struct report_before b;

	if (!compared.n_runs)
		return (struct report_before){.diff.fd = -1, .stat.fd = -1};
	b = begin(name, database);
	iot_diff_add(&compared, compared.n_runs - 1, a, set);
	end(&b);
	return b;
}

struct report_before report_before_sums(const char *name, const char *database, const struct out *stat)
{
	struct report_before b;

	if (!compared.n_runs)
		return (struct report_before){.diff.fd = -1, .stat.fd = -1};
	b = begin(name, database);
	read_sums(compared.n_runs - 1, stat);
	end(&b);
	return b;
}

void report_before_free(struct report_before *b)
{
	free(b->diff.buf);
	drop(b);
}

/* ---- two runs ---- */

/* All will be said when the logs are read. */
static void say_nothing(void *unused, enum iotr_severity severity, const char *file, const char *text)
{
	(void)unused;
	(void)severity;
	(void)file;
	(void)text;
}

/* When the logs began and ended; false: none is there. */
static bool lived(const char *name, uint64_t *began, uint64_t *ended)
{
	struct iotr_set *set = iotr_set_new(say_nothing, NULL);
	size_t i;

	if (!set)
		iot_no_memory();
	iotr_set_add(set, name);
	*began = UINT64_MAX;
	*ended = 0;
	for (i = 0; i < iotr_set_size(set); i++) {
		struct iotr_log *log = iotr_set_log(set, i);

		*began = iotr_log_start(log) < *began ? iotr_log_start(log) : *began;
		*ended = iota_log_latest(log) > *ended ? iota_log_latest(log) : *ended;
	}
	iotr_set_free(set);
	return *ended;
}

char **report_two_runs(char **logs)
{
	uint64_t began[2], ended[2];

	if (compared.n_runs || !logs[0] || !logs[1] || logs[2] || !strcmp(logs[0], "-") || !strcmp(logs[1], "-"))
		return logs;
	if (iot_database_is(logs[0]) || iot_database_is(logs[1]) || !lived(logs[0], &began[0], &ended[0]) || !lived(logs[1], &began[1], &ended[1]))
		return logs;
	if (ended[0] > began[1])
		return logs;
	report_compare_with(logs[0]);
	return logs + 1;
}
