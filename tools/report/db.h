/* SPDX-License-Identifier: BSD-3-Clause */
/* db.h - a database that iotrace-export made, in place of logs: db-sums.c sums it up and db-page.c makes a page of it,
   with what db-picture.c draws, if it keeps no logs; db-calls.c lists its calls. */
#ifndef REPORT_DB_H
#define REPORT_DB_H

#include "../common/database.h"
#include "page.h"

/* If the arguments are databases the last one, which is shown; NULL: they are logs.  Dies if they are both. */
const char *report_db_of(char **logs);
/* As report_make. */
bool report_db_make(struct report *r, const char *name);

/* db-sums.c: that run, NULL: the last one, is the one before, with its sums. */
void report_db_before(struct report_before *b, const char *name, const char *run);

struct calls_query;
struct place;
/* Calls that are asked for from at on, up to limit.  False: that was all; else at is where to go on. */
bool report_db_calls(struct out *o, struct calls_query *q, struct place *at, uint64_t limit);

#ifdef SQLITE_VERSION
/* ---- db.c, for the others ---- */

/* With the run that --run says. */
struct database report_db_open(const char *name);

/* Which calls the options choose: conditions of SQL, each behind " AND ", of what calls have in common, of
   calls, and of the spans that can have some; a question for those that name a file; and when these calls begin, since
   the run was started. */
struct db_chosen {
	struct out context, call, near, span;
	int64_t from, to;
};
struct db_chosen report_db_chosen(const struct database *db);
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
struct out report_db_sums(const struct database *db);

/* ---- db-picture.c ---- */
struct iota_picture *report_db_draw(void *db);
#endif

#endif
