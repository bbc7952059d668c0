/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite-calls.c - rows of calls, which are most rows: one statement inserts many of them.
 *
 * SQLite begins and ends a statement for each row that it is given by itself.  Here it copies rows from a table that
 * is not in the database: the rows of calls that follow each other in the queue.
 */
#include "config.h"

#include <stdlib.h>

#include "sqlite.h"

const char iot_db_calls_sql[] =
	"INSERT INTO calls(id, parent_id, context_id, name_id, start, dur, inside, moved, below, offset, short, more, args_id)"
	" SELECT * FROM incoming";
static const char columns[] = "CREATE TABLE incoming(id, parent, context, name, start, dur, inside, moved, below, offset, short, more, args)";

/* As the queue has it. */
struct row {
	struct queued head;
	int64_t v[DB_N_CALL];
};

static const struct row *first, *last; /* the rows that are incoming: last is behind them */

struct cursor {
	sqlite3_vtab_cursor base;
	const struct row *at;
};

static int connect_table(sqlite3 *db, void *arg, int argc, const char *const *argv, sqlite3_vtab **table, char **error)
{
	(void)arg, (void)argc, (void)argv, (void)error;
	*table = calloc(1, sizeof(**table));
	return *table ? sqlite3_declare_vtab(db, columns) : SQLITE_NOMEM;
}

static int disconnect(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table, (void)info; /* all rows, from the first one on */
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct cursor *c = calloc(1, sizeof(*c));

	(void)table;
	*cursor = c ? &c->base : NULL;
	return c ? SQLITE_OK : SQLITE_NOMEM;
}

static struct cursor *cursor_of(sqlite3_vtab_cursor *base)
{
	return (struct cursor *)base;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	free(cursor_of(base));
	return SQLITE_OK;
}

static int rewind_cursor(sqlite3_vtab_cursor *base, int n, const char *name, int argc, sqlite3_value **argv)
{
	(void)n, (void)name, (void)argc, (void)argv;
	cursor_of(base)->at = first;
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
	cursor_of(base)->at++;
	return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *base)
{
	return cursor_of(base)->at == last;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *result, int i)
{
	const int64_t n = cursor_of(base)->at->v[i];

	if (n != NO_NUMBER)
		sqlite3_result_int64(result, n);
	return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	*id = cursor_of(base)->at->v[DB_CALL_ID];
	return SQLITE_OK;
}

static const sqlite3_module incoming = {
	.xConnect = connect_table,
	.xDisconnect = disconnect,
	.xBestIndex = best_index,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = rewind_cursor,
	.xNext = next_row,
	.xEof = at_end,
	.xColumn = column,
	.xRowid = rowid,
};

bool iot_db_calls_register(sqlite3 *db)
{
	return sqlite3_create_module(db, "incoming", &incoming, NULL) == SQLITE_OK;
}

const char *iot_db_calls_incoming(const char *at, const char *end)
{
	first = last = (const struct row *)at;
	while ((const char *)last < end && last->head.sql == iot_db_calls_sql)
		last++;
	return (const char *)last;
}
