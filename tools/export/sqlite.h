/* SPDX-License-Identifier: BSD-3-Clause */
/* sqlite.h - what the parts of --to=sqlite know of each other. */
#ifndef SQLITE_H
#define SQLITE_H

#include <sqlite3.h>
#include <stdarg.h>

#include "export.h"

/* ---- sqlite-db.c: the database, and rows of any table ---- */

struct db {
	sqlite3 *handle;
	const char *name;   /* the user's */
	bool is_new;	    /* it is not appended to */
	int64_t run;	    /* its id */
	uint64_t started;   /* of the run, ns since the epoch */
};
extern struct db iot_db;

void iot_db_open(const char *name, const struct iotr_set *set);
void iot_db_close(void); /* all is there */
void iot_db_run(const char *sql);
/* The greatest id of a table; 0: it is empty. */
int64_t iot_db_last(const char *table);

#define NO_NUMBER INT64_MIN /* NULL */
/*
 * A row.  sql and types are literals; sql is "INSERT INTO t VALUES(?, ...)"; types has a
 * letter for each value: i, int64_t, or NO_NUMBER; s, const char *, or NULL; b, const char *
 * and size_t.  false: there is such a row already; while there is a queue that is an error.
 */
bool iot_db_add(const char *sql, const char *types, ...);
/* Between these two, rows wait in the queue, and a thread of its own inserts them: nothing else may be asked of the
   database.  Rows of calls come between them alone. */
void iot_db_calls_begin(void);
void iot_db_calls_end(void);
void iot_db_add_call(const int64_t *v); /* DB_N_CALL numbers */

/* What ids of rows of the analysis begin behind, since earlier runs have those before. */
struct bases {
	int64_t ranks, processes, threads, names, contexts, calls, findings;
	/* of these each row that is added takes the next one */
	int64_t sites, kinds, stacks, frames, args;
};
extern struct bases iot_db_bases;
void iot_db_find_bases(void);

/* ---- sqlite-queue.c: rows that wait ---- */

/* A row begins with this; each number is an int64_t, text its length, -1 for NULL, and its bytes up to a multiple of 8.
   types: NULL: of a call. */
struct queued {
	const char *sql, *types;
};
/* Inserts the row at that place, or several of the rows between it and the end.  What is behind them; NULL: it can't. */
typedef const char *queue_put_fn(const char *at, const char *end);
void iot_db_queue_begin(queue_put_fn *put);
/* False: a row could not be inserted, and those behind it were not. */
bool iot_db_queue_end(void);
void iot_db_queue_drop(void); /* what is not written will not be */
/* A row, as in iot_db_add, and one of so many numbers. */
enum queue_says { QUEUE_IS_NONE, QUEUE_TAKES, QUEUE_FAILED } iot_db_queue(const char *sql, const char *types, va_list ap);
enum queue_says iot_db_queue_numbers(const char *sql, const int64_t *v, size_t n);

/* ---- sqlite-calls.c: many rows of calls with one statement ---- */

extern const char iot_db_calls_sql[];
bool iot_db_calls_register(sqlite3 *db); /* false: it can't be */
/* The rows of calls that begin there are what the statement inserts next.  What is behind them. */
const char *iot_db_calls_incoming(const char *at, const char *end);

/* ---- sqlite-context.c ---- */

/* The numbers of what calls have in common, and of the name that this one is about. */
struct db_context {
	int64_t id, name, to_name; /* names: NO_NUMBER: none */
};
struct db_context iot_db_context(struct iota *a, const struct iota_sample *s);
/* NO_NUMBER: it has no further ones. */
int64_t iot_db_args(const struct iotr_call *call);
/* The numbers of a thread's process, in the tables of the analysis; 0: it has none. */
uint32_t iot_db_process_of(uint32_t thread);
void iot_db_contexts_end(void);

/* ---- sqlite-nest.c: which call is around which ---- */

/* The id of the call, and of the one around it; calls come thread by thread, those inside of
   another before it. */
struct nested {
	int64_t id, parent;
};
struct nested iot_db_nest(const struct iotr_call *call);
/* It is not in the database: what is inside of it is inside of the one around it. */
void iot_db_nest_left_out(const struct iotr_call *call);
void iot_db_nest_end(void);
/* ---- sqlite-order.c: rows of calls, by their ids ---- */

enum db_call { /* a column of the table */
	DB_CALL_ID,
	DB_CALL_PARENT,
	DB_CALL_CONTEXT,
	DB_CALL_NAME,
	DB_CALL_START,
	DB_CALL_DUR,
	DB_CALL_INSIDE,
	DB_CALL_MOVED,
	DB_CALL_BELOW,
	DB_CALL_OFFSET,
	DB_CALL_SHORT,
	DB_CALL_MORE,
	DB_CALL_ARGS,
	DB_N_CALL
};
void iot_db_call(const int64_t v[DB_N_CALL]);
void iot_db_calls_flush(void); /* no more will come */

/* sqlite-nest.c: when such a call was in progress, and of what it was. */
void iot_db_span(const int64_t v[DB_N_CALL], const struct db_context *context);

/* ---- sqlite-keep.c: the logs themselves ---- */

/* Unless calls are chosen, or --no-logs was given. */
void iot_db_keep(void);

/* ---- sqlite-rows.c: what is known in the end ---- */

void iot_db_logs(const struct iotr_set *set);
void iot_db_rows(const struct iotr_set *set, struct iota *a);
void iot_db_findings(struct iota *a);

#endif
