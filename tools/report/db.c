/* SPDX-License-Identifier: BSD-3-Clause */
/* db.c - a database that iotrace-export made is opened, one run of it, and asked. */
#include "config.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "../export/database.h"
#include "db.h"

static const char *wanted_run;

void report_db_run(const char *run)
{
	wanted_run = run;
}

bool report_is_db(const char *name)
{
	static const char magic[16] = "SQLite format 3";
	char bytes[sizeof(magic)];
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && read(fd, bytes, sizeof(bytes)) == sizeof(bytes) && !memcmp(bytes, magic, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return is;
}

const char *report_db_of(char **logs)
{
	const char *last = NULL, *other = NULL;

	for (; *logs; logs++)
		*(report_is_db(*logs) ? &last : &other) = *logs;
	if (last && other)
		iot_die("%s: is a database, and %s is none: databases are shown without logs", last, other);
	if (wanted_run && !last)
		iot_die("--run=%s: only databases that iotrace-export made have runs", wanted_run);
	return last;
}

/* ---- questions ---- */

void report_db_failed(const struct db *db)
{
	iot_die("%s: %s", db->name, sqlite3_errmsg(db->handle));
}

static sqlite3_stmt *ask(const struct db *db, const char *sql, va_list ap)
{
	sqlite3_stmt *stmt;
	int i, n;

	if (sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL) != SQLITE_OK)
		report_db_failed(db);
	n = sqlite3_bind_parameter_count(stmt);
	for (i = 1; i <= n; i++)
		sqlite3_bind_int64(stmt, i, va_arg(ap, int64_t));
	return stmt;
}

sqlite3_stmt *report_db_ask(const struct db *db, const char *sql, ...)
{
	sqlite3_stmt *stmt;
	va_list ap;

	va_start(ap, sql);
	stmt = ask(db, sql, ap);
	va_end(ap);
	return stmt;
}

bool report_db_next(const struct db *db, sqlite3_stmt *stmt)
{
	int err = sqlite3_step(stmt);

	if (err == SQLITE_ROW)
		return true;
	if (err != SQLITE_DONE)
		report_db_failed(db);
	sqlite3_finalize(stmt);
	return false;
}

int64_t report_db_number(const struct db *db, const char *sql, ...)
{
	sqlite3_stmt *stmt;
	int64_t n = 0;
	va_list ap;

	va_start(ap, sql);
	stmt = ask(db, sql, ap);
	va_end(ap);
	while (report_db_next(db, stmt))
		n = sqlite3_column_int64(stmt, 0);
	return n;
}

/* ---- opening ---- */

/* By name or by number, of several with a name the last one; NULL: the last one of all. */
static bool find_run(struct db *db, const char *wanted)
{
	sqlite3_stmt *stmt = report_db_ask(db, "SELECT id, started, name FROM runs ORDER BY id");
	bool found = false;

	while (report_db_next(db, stmt)) {
		const char *name = (const char *)sqlite3_column_text(stmt, 2);
		char number[24];

		snprintf(number, sizeof(number), "%lld", (long long)sqlite3_column_int64(stmt, 0));
		if (wanted && strcmp(wanted, number) && (!name || strcmp(wanted, name)))
			continue;
		db->run = sqlite3_column_int64(stmt, 0);
		db->started = sqlite3_column_int64(stmt, 1);
		free(db->run_name);
		db->run_name = name ? strdup(name) : NULL;
		found = true;
	}
	return found;
}

static struct db open_database(const char *name)
{
	struct db db = {.name = name};

	if (sqlite3_open_v2(name, &db.handle, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		report_db_failed(&db);
	sqlite3_exec(db.handle, "PRAGMA cache_size = -65536", NULL, NULL, NULL);
	if (report_db_number(&db, "PRAGMA application_id") != APPLICATION_ID)
		iot_die("%s: is a database, but not one that iotrace-export made", name);
	if (report_db_number(&db, "PRAGMA user_version") != TABLES_VERSION)
		iot_die("%s: was made by another version of iotrace-export; make it anew", name);
	return db;
}

/* Which calls are the run's. */
static void find_calls(struct db *db)
{
	db->first = report_db_number(db, "SELECT coalesce(min(first), 0) FROM spans WHERE run_id = ?", db->run);
	/* the last span of a run goes on where the next run's begin */
	db->last = report_db_number(db, "SELECT coalesce((SELECT min(first) FROM spans WHERE first > ?), 9223372036854775807) - 1",
				    report_db_number(db, "SELECT coalesce(max(first), -1) FROM spans WHERE run_id = ?", db->run));
}

struct db report_db_open_run(const char *name, const char *run)
{
	struct db db = open_database(name);

	if (!find_run(&db, run) && run)
		iot_die("%s: has no run '%s'", name, run);
	if (!db.run)
		iot_die("%s: has no run", name);
	find_calls(&db);
	return db;
}

struct db report_db_open(const char *name)
{
	return report_db_open_run(name, wanted_run);
}

void report_db_close(struct db *db)
{
	sqlite3_close(db->handle);
	db->handle = NULL;
	free(db->run_name);
}

/* ---- sums ---- */

struct out report_db_stat(const struct db *db)
{
	sqlite3_stmt *stmt = report_db_ask(db, "SELECT json FROM stats WHERE run_id = ?", db->run);
	struct out o = {.fd = -1};

	while (report_db_next(db, stmt))
		iot_out_bytes(&o, sqlite3_column_blob(stmt, 0), (size_t)sqlite3_column_bytes(stmt, 0));
	if (!o.len)
		iot_die("%s: has no sums of run %lld", db->name, (long long)db->run);
	return o;
}

struct out report_db_sums(const char *name, const char *run)
{
	struct db db = open_database(name);
	struct out o = {.fd = -1};

	if (find_run(&db, run))
		o = report_db_stat(&db);
	report_db_close(&db);
	return o;
}
