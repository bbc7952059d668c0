/* SPDX-License-Identifier: BSD-3-Clause */
/* db.h - a database that iotrace-export made, in place of logs: db.c opens it, db-page.c makes a page of
   it with what db-picture.c draws, db-calls.c lists its calls. */
#ifndef REPORT_DB_H
#define REPORT_DB_H

#include "page.h"

/* Whether the arguments are one database; dies if it is one among other arguments. */
bool report_is_db(char **logs);
void report_db_run(const char *run); /* --run: its name or number; the last one if it is not given */
/* As report_make. */
bool report_db_make(struct report *r, const char *name);

struct calls_query;
/* As calls_answer of serve.h. */
int report_db_calls(struct calls_query *q, const int *out);

#ifdef SQLITE_VERSION
/* ---- db.c, for the others ---- */
struct db {
	sqlite3 *handle;
	const char *name;
	int64_t run, started; /* its id; ns since the epoch */
	int64_t first, last;  /* ids of its calls */
};
struct db report_db_open(const char *name);
void report_db_close(struct db *db);
/* Dies with what the database says. */
void report_db_failed(const struct db *db) __attribute__((noreturn));
/* values: as many int64_t as sql has question marks. */
sqlite3_stmt *report_db_ask(const struct db *db, const char *sql, ...);
/* False: there is no more, and the statement is gone. */
bool report_db_next(const struct db *db, sqlite3_stmt *stmt);
/* The only row's number. */
int64_t report_db_number(const struct db *db, const char *sql, ...);

/* ---- db-picture.c ---- */
struct iota_picture *report_db_draw(void *db);
#endif

#endif
