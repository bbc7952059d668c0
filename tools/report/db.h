/* SPDX-License-Identifier: BSD-3-Clause */
/* db.h - a database that iotrace-export made, in place of logs: db.c opens it, db-sums.c sums it up, db-page.c
   makes a page of it with what db-picture.c draws, db-calls.c lists its calls. */
#ifndef REPORT_DB_H
#define REPORT_DB_H

#include "page.h"

bool report_is_db(const char *name);
/* If the arguments are databases the last one, which is shown; NULL: they are logs.  Dies if they are both. */
const char *report_db_of(char **logs);
void report_db_run(const char *run); /* --run: its name or number; the last one if it is not given */
/* As report_make. */
bool report_db_make(struct report *r, const char *name);
/* Whether a run of the database has that name or number. */
bool report_db_has(const char *name, const char *run);

/* db-sums.c: that run, NULL: the last one, is the one before, with its sums. */
void report_db_before(struct report_before *b, const char *name, const char *run);

struct calls_query;
struct place;
/* Calls that are asked for from at on, up to limit.  False: that was all; else at is where to go on. */
bool report_db_calls(struct out *o, struct calls_query *q, struct place *at, uint64_t limit);

#ifdef SQLITE_VERSION
/* ---- db.c, for the others ---- */
struct db {
	sqlite3 *handle;
	const char *name;
	char *run_name; /* NULL: it has none */
	int64_t run, started; /* its id; ns since the epoch */
	int64_t first, last;  /* ids of its calls */
};
/* With the run that --run says. */
struct db report_db_open(const char *name);
/* With that one; NULL: the last one. */
struct db report_db_open_run(const char *name, const char *run);
void report_db_close(struct db *db);
/* Dies with what the database says. */
void report_db_failed(const struct db *db) __attribute__((noreturn));
/* values: as many int64_t as sql has question marks. */
sqlite3_stmt *report_db_ask(const struct db *db, const char *sql, ...);
/* False: there is no more, and the statement is gone. */
bool report_db_next(const struct db *db, sqlite3_stmt *stmt);
/* The only row's number. */
int64_t report_db_number(const struct db *db, const char *sql, ...);

/* Which calls the options choose: conditions of SQL, each behind " AND ", of what calls have in common and of
   calls; and when these begin, since the run was started. */
struct db_chosen {
	struct out context, call;
	int64_t from, to;
};
struct db_chosen report_db_chosen(const struct db *db);
void report_db_chosen_free(struct db_chosen *c);
/* A question for the numbers of contexts that are chosen. */
void report_db_contexts(struct out *sql, const struct db_chosen *c);
/* A string of SQL. */
void report_db_quoted(struct out *o, const char *s, size_t n);

/* ---- db-sums.c ---- */

/* Columns of views that iotrace-stat's rows have, too. */
#define SUMS "calls, syscalls, errors, reads, read, writes, written, lib_read, lib_written, self, max, io, moving, " \
	     "metadata, syncing, waiting, memory"
/* A row of a view, as iotrace-stat's JSON has it: what is NULL is left out. */
void report_db_row(struct out *o, sqlite3_stmt *stmt);
/* What iotrace-stat says of the run's calls, as JSON; if some are chosen, these are all from then on. */
struct out report_db_sums(const struct db *db);

/* ---- db-picture.c ---- */
struct iota_picture *report_db_draw(void *db);
#endif

#endif
