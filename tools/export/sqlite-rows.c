/* SPDX-License-Identifier: BSD-3-Clause */
/* sqlite-rows.c - what is known when all calls have come: files, processes, threads, findings. */
#include "config.h"

#include <stdlib.h>

#include "../../analysis/when.h"
#include "../stat/stat.h"
#include "sqlite.h"

static int64_t number_or_none(uint64_t v)
{
	return v ? (int64_t)v : NO_NUMBER;
}

static int64_t rank_of(const struct iota_row *row)
{
	return row->v[IOTA_F_RANK] ? (int64_t)row->v[IOTA_F_RANK] - 1 : NO_NUMBER;
}

/* ---- logs ---- */

static const char *key_of(const struct iotr_log *log, const char *key)
{
	const char *value = iotr_log_key(log, key, NULL);

	return value ? value : "";
}

static void add_devices(const struct iotr_log *log)
{
	const struct iotr_device *d;
	size_t i;

	for (i = 0; (d = iotr_log_device_at(log, i)); i++)
		iot_db_add("INSERT OR IGNORE INTO devices VALUES(?, ?, ?, ?, ?, ?)", "isisii", iot_db.run,
			   key_of(log, "host"), (int64_t)d->dev, iotr_filesystem_name(d->type), (int64_t)d->type,
			   (int64_t)d->blksize);
}

/* Numbers of rows, for those that name them: of logs by their files' names, of ranks by their own. */
static struct dict log_ids, rank_ids;

static void remember(struct dict *ids, const void *key, size_t len, int64_t id)
{
	bool is_new;

	*iot_dict(ids, key, len, &is_new) = (uint64_t)id;
}

/* NO_NUMBER: there is none. */
static int64_t id_of(struct dict *ids, const void *key, size_t len)
{
	bool is_new;
	uint64_t *id = iot_dict(ids, key, len, &is_new);

	if (is_new)
		*id = (uint64_t)NO_NUMBER;
	return (int64_t)*id;
}

/* A log is what process wrote it when, whatever its file is called now. */
static void add_log(struct iotr_log *log, int64_t id)
{
	int64_t rank = iotr_log_rank(log, NULL);

	remember(&log_ids, iotr_log_file(log), strlen(iotr_log_file(log)), id);
	if (!iot_db_add("INSERT INTO logs(id, run_id, file, host, boot, pid, rank, program, started, ended, lost)"
			" VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			"iisssiisiii", id, iot_db.run, iotr_log_file(log), key_of(log, "host"), key_of(log, "boot_id"),
			(int64_t)iotr_log_pid(log), rank < 0 ? NO_NUMBER : rank, key_of(log, "program"),
			(int64_t)iotr_log_start(log), (int64_t)iota_log_latest(log), (int64_t)iotr_log_lost(log).calls))
		iot_die("%s: has the calls of %s already; nothing was %s", iot_db.name, iotr_log_file(log),
			iot_db.is_new ? "written" : "added");
	add_devices(log);
}

void iot_db_logs(const struct iotr_set *set)
{
	const int64_t before = iot_db_last("logs");
	size_t i;

	for (i = 0; i < iotr_set_size(set); i++)
		add_log(iotr_set_log(set, i), before + 1 + (int64_t)i);
}

/* ---- rows of the analysis ---- */

static void add_other_name(const struct iota_row *row, const struct iota_row *file)
{
	iot_db_add("INSERT INTO other_names VALUES(?, ?, ?)", "iib", iot_db_bases.names + row->number,
		   iot_db_bases.names + file->number, row->name, row->name_len);
}

static void add_file(const struct iota_row *row, int64_t place)
{
	const struct iota_row *other;
	int64_t names = 1;

	for (other = row->rare->other; other; other = other->rare->other, names++)
		add_other_name(other, row);
	iot_db_add("INSERT INTO files VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", "iibsiiiii", iot_db_bases.names + row->number,
		   iot_db.run, row->name, row->name_len, row->extra, number_or_none(row->dev), number_or_none(row->ino),
		   number_or_none(row->mode), names, place);
}

struct placed {
	const struct iota_row *row;
	size_t place;
};

static int by_number(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->row->number > y->row->number) - (x->row->number < y->row->number);
}

/* In the order of their ids, so that each goes behind the one before. */
static void add_files(const struct iota_table *t)
{
	struct placed *file = calloc(t->n + 1, sizeof(*file));
	size_t i;

	if (!file)
		iot_no_memory();
	for (i = 0; i < t->n; i++)
		file[i] = (struct placed){t->row[i], i};
	qsort(file, t->n, sizeof(*file), by_number);
	for (i = 0; i < t->n; i++)
		add_file(file[i].row, (int64_t)file[i].place);
	free(file);
}

static void add_ranks(const struct iota_table *t)
{
	int64_t rank, id;
	size_t i;

	for (i = 0; i < t->n; i++) {
		rank = rank_of(t->row[i]);
		id = iot_db_bases.ranks + t->row[i]->number;
		if (rank == NO_NUMBER)
			continue;
		remember(&rank_ids, &rank, sizeof(rank), id);
		iot_db_add("INSERT INTO ranks VALUES(?, ?, ?, ?, ?)", "iiibs", id, iot_db.run, rank, t->row[i]->name,
			   t->row[i]->name_len, t->row[i]->extra);
	}
}

/* The last one before it of its log that had the parent's pid; of very many, too. */
static void find_parents(void)
{
	iot_db_run("CREATE TEMP TABLE born(log_id INT, pid INT, started INT, id INT, PRIMARY KEY(log_id, pid, started, id)) WITHOUT ROWID;"
		   "INSERT INTO born SELECT log_id, pid, started, id FROM processes WHERE log_id IS NOT NULL;"
		   "UPDATE processes SET parent_id = (SELECT max(b.id) FROM born b WHERE b.log_id = processes.log_id"
		   " AND b.pid = processes.parent_pid AND b.started <= processes.started)"
		   " WHERE parent_pid IS NOT NULL AND parent_id IS NULL");
}

/* The key begins with the log's name. */
static void add_processes(const struct iota_table *t)
{
	const struct iota_row *row;
	int64_t rank;
	size_t i;

	for (i = 0; i < t->n; i++) {
		row = t->row[i];
		rank = rank_of(row);
		iot_db_add("INSERT INTO processes VALUES(?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?)",
			   "iiiiiibsiii", iot_db_bases.processes + row->number, iot_db.run,
			   id_of(&log_ids, row->key, strlen(row->key)), id_of(&rank_ids, &rank, sizeof(rank)),
			   (int64_t)row->v[IOTA_F_PID], number_or_none(row->v[IOTA_F_PARENT]), row->name, row->name_len,
			   row->extra, (int64_t)row->v[IOTA_F_BEGIN], (int64_t)row->v[IOTA_F_ELAPSED],
			   (int64_t)row->v[IOTA_F_LIVED]);
	}
	find_parents();
	iot_dict_free(&log_ids);
	iot_dict_free(&rank_ids);
}

static void add_threads(const struct iota_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		iot_db_add("INSERT INTO threads VALUES(?, ?, ?, ?, ?)", "iiiii", iot_db_bases.threads + t->row[i]->number,
			   iot_db.run, iot_db_bases.processes + iot_db_process_of(t->row[i]->number),
			   (int64_t)t->row[i]->v[IOTA_F_TID], (int64_t)t->row[i]->v[IOTA_F_LIVED]);
}

static void add_intervals(struct iota *a)
{
	const struct iota_when *when = iota_when(a);
	const struct iota_when_row *row;
	size_t i;

	for (i = 0; i < when->n; i++) {
		row = &when->row[i];
		iot_db_add("INSERT INTO intervals VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiiii", iot_db.run,
			   (int64_t)row->start, (int64_t)when->interval, (int64_t)row->calls, (int64_t)row->read,
			   (int64_t)row->written, (int64_t)row->io, (int64_t)row->waiting, (int64_t)row->lived, (int64_t)row->fetched,
			   (int64_t)row->dirtied);
	}
}

/* What the other tables do not have: percentages, times of processors, what was lost. */
static void add_stat(const struct iotr_set *set, struct iota *a)
{
	struct out json = iot_stat_as_json(a, set);

	iot_db_add("INSERT INTO stats VALUES(?, ?)", "ib", iot_db.run, json.buf, json.len);
	free(json.buf);
}

void iot_db_rows(const struct iotr_set *set, struct iota *a)
{
	add_files(iota_table(a, IOTA_BY_FILE));
	add_ranks(iota_table(a, IOTA_BY_RANK));
	add_processes(iota_table(a, IOTA_BY_PROCESS));
	add_threads(iota_table(a, IOTA_BY_THREAD));
	add_intervals(a);
	add_stat(set, a);
}

/* ---- findings ---- */

static void add_lines(const struct iota_finding *f, int64_t id)
{
	size_t i, n = iota_lines(f);
	struct iota_line l;

	for (i = 0; i < n; i++) {
		l = iota_line(f, i);
		iot_db_add("INSERT INTO finding_lines VALUES(?, ?, ?, ?, ?, ?, ?, ?)", "iiissisi", id, (int64_t)i,
			   (int64_t)(i == f->level), l.func, l.file, number_or_none((uint64_t)l.line), l.module,
			   l.line ? NO_NUMBER : (int64_t)l.offset);
	}
}

static void add_finding(const struct iota_finding *f, int64_t id)
{
	struct iota_bytes says = {0}, remedy = {0};

	iota_words(&says, f, iota_words_bytes);
	iota_words_of_remedy(&remedy, f);
	iot_db_add("INSERT INTO findings VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		   "iissbsiiiiiiiiiisbb", id, iot_db.run, f->rule->id, iota_severity_name(f->rule->severity), f->name,
		   f->name_len, f->call, (int64_t)f->count, (int64_t)f->of, (int64_t)f->bytes, (int64_t)f->time,
		   (int64_t)(f->calls ? f->calls : f->count), (int64_t)f->files,
		   f->saves[1] ? (int64_t)f->saves[0] : NO_NUMBER, number_or_none(f->saves[1]), number_or_none(f->pid),
		   number_or_none(f->tid), f->rule->title, says.p, says.len, remedy.p, remedy.len);
	free(says.p);
	free(remedy.p);
	add_lines(f, id);
}

void iot_db_findings(struct iota *a)
{
	size_t n, i;
	const struct iota_finding *f = iota_findings(a, &n);

	for (i = 0; i < n; i++)
		add_finding(&f[i], iot_db_bases.findings + 1 + (int64_t)i);
}
