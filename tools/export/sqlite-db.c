/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite-db.c - the database.
 *
 * A new one is written under another name, without a journal, and gets its name when it is
 * complete.  One that is appended to is changed in a single transaction: the journal of SQLite
 * undoes it if we do not come to its end.
 */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "sqlite.h"

#include "../common/database.h"

#define SMALL_LOGS (8 << 20) /* bytes */

#define TEXT(x) #x
#define EXPANDED(x) TEXT(x)

struct db iot_db;
struct bases iot_db_bases;

static const char tables[] =
#include "tables-sql.h"
	;
static const char views[] =
#include "views-sql.h"
	;

/* Dies with what the database says. */
static __attribute__((noreturn)) void failed(void)
{
	iot_die("%s: %s", iot_db.name, sqlite3_errmsg(iot_db.handle));
}

void iot_db_run(const char *sql)
{
	if (sqlite3_exec(iot_db.handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		failed();
}

/* NULL: it can't be. */
static sqlite3_stmt *prepare(const char *sql)
{
	sqlite3_stmt *stmt;

	return sqlite3_prepare_v3(iot_db.handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) == SQLITE_OK ? stmt : NULL;
}

static int64_t number(const char *sql)
{
	sqlite3_stmt *stmt = prepare(sql);
	int64_t n;

	if (!stmt || sqlite3_step(stmt) != SQLITE_ROW)
		failed();
	n = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return n;
}

int64_t iot_db_last(const char *table)
{
	char sql[100];

	snprintf(sql, sizeof(sql), "SELECT coalesce(max(id), 0) FROM %s", table);
	return number(sql);
}

/* ---- values ---- */

/* Whether SQLite, and who reads from it, can take the bytes for text. */
static bool is_text(const unsigned char *s, size_t len)
{
	const unsigned char *end = s + len;
	unsigned more;
	uint32_t c, least;

	while (s < end) {
		c = *s++;
		if (!c || (c >= 0x80 && c < 0xc2) || c > 0xf4)
			return false;
		more = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
		least = more == 1 ? 0x80 : more == 2 ? 0x800 : more == 3 ? 0x10000 : 0;
		c = more ? c & (0x3f >> more) : c;
		for (; more; more--) {
			if (s == end || (*s & 0xc0) != 0x80)
				return false;
			c = c << 6 | (*s++ & 0x3f);
		}
		if (c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
			return false;
	}
	return true;
}

static int bind_number(sqlite3_stmt *stmt, int column, int64_t n)
{
	return n == NO_NUMBER ? sqlite3_bind_null(stmt, column) : sqlite3_bind_int64(stmt, column, n);
}

/* As text if the bytes are, else as a blob; NULL is NULL. */
static int bind_bytes(sqlite3_stmt *stmt, int column, const char *bytes, size_t len)
{
	if (!bytes)
		return sqlite3_bind_null(stmt, column);
	if (is_text((const unsigned char *)bytes, len))
		return sqlite3_bind_text64(stmt, column, bytes, len, SQLITE_STATIC, SQLITE_UTF8);
	return sqlite3_bind_blob64(stmt, column, bytes, len, SQLITE_STATIC);
}

static bool bind_all(sqlite3_stmt *stmt, const char *types, va_list ap)
{
	int i, err = SQLITE_OK;

	for (i = 1; *types && err == SQLITE_OK; types++, i++) {
		const char *s;

		if (*types == 'i') {
			err = bind_number(stmt, i, va_arg(ap, int64_t));
			continue;
		}
		s = va_arg(ap, const char *);
		err = bind_bytes(stmt, i, s, *types == 'b' ? va_arg(ap, size_t) : s ? strlen(s) : 0);
	}
	return err == SQLITE_OK;
}

/* Behind the values; NULL: they can't be. */
static const char *bind_packed(sqlite3_stmt *stmt, const char *types, const char *at)
{
	int i, err = SQLITE_OK;
	int64_t n;

	for (i = 1; *types && err == SQLITE_OK; types++, i++) {
		memcpy(&n, at, sizeof(n));
		at += sizeof(n);
		if (*types == 'i') {
			err = bind_number(stmt, i, n);
			continue;
		}
		err = bind_bytes(stmt, i, n < 0 ? NULL : at, n < 0 ? 0 : (size_t)n);
		at += n < 0 ? 0 : (n + 7) / 8 * 8;
	}
	return err == SQLITE_OK ? at : NULL;
}

/* Each statement is prepared once; there are as many as there are tables. */
static struct prepared {
	const char *sql;
	sqlite3_stmt *stmt;
} prepared[40];
static size_t n_prepared;

/* NULL: it can't be. */
static sqlite3_stmt *prepared_for(const char *sql)
{
	size_t i;

	for (i = 0; i < n_prepared; i++)
		if (prepared[i].sql == sql)
			return prepared[i].stmt;
	if (n_prepared == sizeof(prepared) / sizeof(prepared[0]))
		return NULL;
	prepared[n_prepared] = (struct prepared){sql, prepare(sql)};
	return prepared[n_prepared].stmt ? prepared[n_prepared++].stmt : NULL;
}

static int step(sqlite3_stmt *stmt)
{
	int err = sqlite3_step(stmt);

	if (err == SQLITE_DONE || err == SQLITE_CONSTRAINT)
		sqlite3_reset(stmt);
	return err;
}

/* As the queue has them. */
static const char *put(const char *at, const char *end)
{
	const struct queued *row = (const struct queued *)at;
	sqlite3_stmt *stmt = prepared_for(row->sql);
	const char *behind = NULL;

	if (stmt && row->types)
		behind = bind_packed(stmt, row->types, at + sizeof(*row));
	else if (stmt)
		behind = iot_db_calls_incoming(at, end);
	return behind && step(stmt) == SQLITE_DONE ? behind : NULL;
}

/* Whether there was none of it yet; the values are bound, if that went well. */
static bool inserted(sqlite3_stmt *stmt, bool well)
{
	int err = well ? step(stmt) : SQLITE_ERROR;

	if (err != SQLITE_DONE && err != SQLITE_CONSTRAINT)
		failed();
	return err == SQLITE_DONE;
}

bool iot_db_add(const char *sql, const char *types, ...)
{
	enum queue_says says;
	sqlite3_stmt *stmt;
	va_list ap;
	bool well;

	va_start(ap, types);
	says = iot_db_queue(sql, types, ap);
	va_end(ap);
	if (says == QUEUE_FAILED)
		failed();
	if (says == QUEUE_TAKES)
		return true;
	stmt = prepared_for(sql);
	va_start(ap, types);
	well = stmt && bind_all(stmt, types, ap);
	va_end(ap);
	return inserted(stmt, well);
}

void iot_db_add_call(const int64_t *v)
{
	if (iot_db_queue_numbers(iot_db_calls_sql, v, DB_N_CALL) == QUEUE_FAILED)
		failed();
}

void iot_db_calls_begin(void)
{
	if (!iot_db_calls_register(iot_db.handle))
		failed();
	iot_db_queue_begin(put);
}

void iot_db_calls_end(void)
{
	if (!iot_db_queue_end())
		failed();
}

/* ---- open and close ---- */

static int close_database(void)
{
	sqlite3_stmt *stmt;
	int err;

	while ((stmt = sqlite3_next_stmt(iot_db.handle, NULL)))
		sqlite3_finalize(stmt);
	n_prepared = 0;
	err = sqlite3_close(iot_db.handle);
	iot_db.handle = NULL;
	return err;
}

/* Undoes what was not committed. */
static void give_up(void)
{
	iot_db_queue_drop();
	if (iot_db.handle)
		close_database();
}

/* There are some 40 tables and indices, and the last page of each is partly empty: of few calls, small pages leave less
   room unused, and of many, large ones need fewer steps from the root to a row. */
static void begin_new(uint64_t size_of_logs)
{
	iot_db_run(size_of_logs < SMALL_LOGS ? "PRAGMA page_size = 4096" : "PRAGMA page_size = 16384");
	iot_db_run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
		   "PRAGMA application_id = " EXPANDED(APPLICATION_ID) "; PRAGMA user_version = " EXPANDED(TABLES_VERSION) ";"
		   "BEGIN EXCLUSIVE");
	iot_db_run(tables);
}

static void begin_append(void)
{
	iot_db_run("BEGIN EXCLUSIVE");
	if (number("PRAGMA application_id") != APPLICATION_ID || number("PRAGMA user_version") != TABLES_VERSION)
		iot_die("%s: is no database that this iotrace-export made; nothing was added", iot_db.name);
}

void iot_db_open(const char *name, const struct iotr_set *set)
{
	const char *file;
	uint64_t size = 0;
	size_t i;

	iot_db.name = name;
	iot_db.is_new = !iot_export_options.append || access(name, F_OK) < 0;
	file = iot_db.is_new ? iot_output_begin(name) : name;
	if (file == name && iot_db.is_new)
		iot_die("%s: a database has to be a file", name);
	iot_database_settle();
	if (sqlite3_open_v2(file, &iot_db.handle, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		failed();
	atexit(give_up);
	iot_db_run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536");
	for (i = 0; i < iotr_set_size(set); i++)
		size += iotr_log_size(iotr_set_log(set, i));
	if (iot_db.is_new)
		begin_new(size);
	else
		begin_append();
}

void iot_db_close(void)
{
	if (iot_db.is_new)
		iot_db_run(views);
	iot_db_run("COMMIT");
	if (close_database() != SQLITE_OK)
		iot_die("%s: can't be closed", iot_db.name);
	if (iot_db.is_new)
		iot_output_end();
}

void iot_db_find_bases(void)
{
	const int64_t files = iot_db_last("files"), others = iot_db_last("other_names");

	iot_db_bases = (struct bases){
		.ranks = iot_db_last("ranks"),
		.processes = iot_db_last("processes"),
		.threads = iot_db_last("threads"),
		.names = files > others ? files : others,
		.sites = iot_db_last("sites"),
		.kinds = iot_db_last("kinds"),
		.stacks = iot_db_last("stacks"),
		.frames = iot_db_last("frames"),
		.args = iot_db_last("args"),
		.contexts = iot_db_last("contexts"),
		.calls = iot_db_last("calls"),
		.findings = iot_db_last("findings"),
	};
}
