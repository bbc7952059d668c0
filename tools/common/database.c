/* SPDX-License-Identifier: BSD-3-Clause */
/* database.c - databases that iotrace-export made: one is opened, with one run of it, and asked; the logs that it keeps. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database.h"
#include "tool.h"
#include "unnamed.h"

bool iot_database_is(const char *name)
{
	static const char magic[16] = "SQLite format 3";
	char bytes[sizeof(magic)];
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	/* from a pipe bytes can be read but once */
	bool is = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && read(fd, bytes, sizeof(bytes)) == sizeof(bytes) &&
		  !memcmp(bytes, magic, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return is;
}

/* ---- questions ---- */

/* Ends the program, unless others are read as well. */
static void refuse(const struct database *db, const char *why)
{
	if (!db->mild)
		iot_die("%s: %s", db->name, why);
	if (!db->mild->failed)
		iot_complain(db->mild->status, db->name, "%s", why);
	db->mild->failed = true;
}

void iot_database_failed(const struct database *db)
{
	iot_die("%s: %s", db->name, sqlite3_errmsg(db->handle));
}

static sqlite3_stmt *ask(const struct database *db, const char *sql, va_list ap)
{
	sqlite3_stmt *stmt;
	int i, n;

	if (sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL) != SQLITE_OK) {
		refuse(db, sqlite3_errmsg(db->handle));
		return NULL;
	}
	n = sqlite3_bind_parameter_count(stmt);
	for (i = 1; i <= n; i++)
		sqlite3_bind_int64(stmt, i, va_arg(ap, int64_t));
	return stmt;
}

sqlite3_stmt *iot_database_ask(const struct database *db, const char *sql, ...)
{
	sqlite3_stmt *stmt;
	va_list ap;

	va_start(ap, sql);
	stmt = ask(db, sql, ap);
	va_end(ap);
	return stmt;
}

bool iot_database_next(const struct database *db, sqlite3_stmt *stmt)
{
	int err = stmt ? sqlite3_step(stmt) : SQLITE_DONE;

	if (err == SQLITE_ROW)
		return true;
	if (err != SQLITE_DONE)
		refuse(db, sqlite3_errmsg(db->handle));
	sqlite3_finalize(stmt);
	return false;
}

int64_t iot_database_number(const struct database *db, const char *sql, ...)
{
	sqlite3_stmt *stmt;
	int64_t n = 0;
	va_list ap;

	va_start(ap, sql);
	stmt = ask(db, sql, ap);
	va_end(ap);
	while (iot_database_next(db, stmt))
		n = sqlite3_column_int64(stmt, 0);
	return n;
}

/* ---- opening ---- */

/* By name or by number, of several with a name the last one; NULL: the last one of all. */
static bool find_run(struct database *db, const char *wanted)
{
	sqlite3_stmt *stmt = iot_database_ask(db, "SELECT id, started, name FROM runs ORDER BY id");
	bool found = false;

	while (iot_database_next(db, stmt)) {
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

/* One thread at a time asks: locks and sums of memory took a tenth of the time. */
void iot_database_settle(void)
{
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static struct database open_database(const char *name, struct database_mild *mild)
{
	struct database db = {.name = name, .mild = mild};

	iot_database_settle();
	if (sqlite3_open_v2(name, &db.handle, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		refuse(&db, sqlite3_errmsg(db.handle));
	sqlite3_exec(db.handle, "PRAGMA cache_size = -65536", NULL, NULL, NULL);
	if (iot_database_number(&db, "PRAGMA application_id") != APPLICATION_ID)
		refuse(&db, "is a database, but not one that iotrace-export made");
	if (iot_database_number(&db, "PRAGMA user_version") != TABLES_VERSION)
		refuse(&db, "was made by another version of iotrace-export; make it anew");
	return db;
}

/* Which calls are the run's. */
static void find_calls(struct database *db)
{
	db->first = iot_database_number(db, "SELECT coalesce(min(first), 0) FROM spans WHERE run_id = ?", db->run);
	db->last = iot_database_number(db, "SELECT coalesce(max(last), -1) FROM spans WHERE run_id = ?", db->run);
}

static struct database open_run(const char *name, const char *run, struct database_mild *mild)
{
	struct database db = open_database(name, mild);

	if (!find_run(&db, run) && run && !(mild && mild->failed))
		iot_die("%s: has no run '%s'", name, run);
	if (!db.run)
		refuse(&db, "has no run");
	return db;
}

struct database iot_database_open(const char *name, const char *run)
{
	struct database db = open_run(name, run, NULL);

	find_calls(&db);
	return db;
}

void iot_database_close(struct database *db)
{
	sqlite3_close(db->handle);
	db->handle = NULL;
	free(db->run_name);
}

bool iot_database_has(const char *name, const char *run)
{
	struct database db = open_database(name, NULL);
	bool has = find_run(&db, run);

	iot_database_close(&db);
	return has;
}

char *iot_database_run_name(const char *name, const char *run)
{
	struct database db = iot_database_open(name, run);
	char *run_name = db.run_name;

	db.run_name = NULL;
	iot_database_close(&db);
	return run_name;
}

/* ---- the logs that it keeps ---- */

bool iot_database_keeps(const char *name, const char *run)
{
	struct database db = iot_database_open(name, run);
	bool keeps = iot_database_number(&db, "SELECT EXISTS(SELECT * FROM kept WHERE run_id = ?)", db.run);

	iot_database_close(&db);
	return keeps;
}

static void write_piece(const struct database *db, int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			iot_die("%s: the logs in it don't fit into TMPDIR: %s", db->name, strerror(errno));
		bytes += done;
		n -= (size_t)done;
	}
}

static char *name_at(sqlite3_stmt *stmt, int column)
{
	const char *bytes = sqlite3_column_blob(stmt, column);
	char *name = strndup(bytes ? bytes : "", (size_t)sqlite3_column_bytes(stmt, column));

	if (!name)
		iot_die("out of memory");
	return name;
}

bool iot_database_logs(const char *name, const char *run, void fn(void *arg, const char *log, int fd), void *arg)
{
	struct database_mild mild = {.status = STATUS_TROUBLE};
	struct database db = open_run(name, run, &mild);
	sqlite3_stmt *stmt = NULL;
	char *log = NULL;
	bool some;
	int fd = -1;

	if (!mild.failed)
		stmt = iot_database_ask(&db, "SELECT name, piece, bytes FROM kept WHERE run_id = ? ORDER BY id", db.run);
	while (iot_database_next(&db, stmt)) {
		if (!log || !sqlite3_column_int(stmt, 1)) {
			if (log)
				fn(arg, log, fd);
			free(log);
			mild.status = STATUS_LESS;
			log = name_at(stmt, 0);
			fd = iot_unnamed(name);
		}
		write_piece(&db, fd, sqlite3_column_blob(stmt, 2), (size_t)sqlite3_column_bytes(stmt, 2));
	}
	if (log)
		fn(arg, log, fd);
	else if (!mild.failed)
		iot_complain(STATUS_TROUBLE, name,
			     "keeps no logs of run %lld (made of chosen calls, or with --no-logs); iotrace-report shows it, and for "
			     "other tools export its logs again",
			     (long long)db.run);
	some = log != NULL;
	free(log);
	iot_database_close(&db);
	return some;
}
