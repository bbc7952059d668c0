/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * database.h - databases that iotrace-export makes: by what they are known, to those who write one and to those who
 * read it, and the logs that they keep, which stand for the database wherever logs are named.
 */
#ifndef DATABASE_H
#define DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#define APPLICATION_ID 0x696f7472 /* "iotr": what file(1) sees */
#define TABLES_VERSION 8	  /* of tables.sql and views.sql */
#define STATS_ROWS 2000		  /* of each of iotrace-stat's tables in stats.json, at most */

bool iot_database_is(const char *name);

/* What follows dies if the file is no database of iotrace-export's, and if it has no such run.
   run: its name or number; of several with a name the last one; NULL: the last one of all. */

/* Whether it keeps logs of that run. */
bool iot_database_keeps(const char *name, const char *run);
/* What the run is called, to be freed; NULL: it has no name. */
char *iot_database_run_name(const char *name, const char *run);
/* Calls fn for each log that it keeps, under the name that the log had; fd is fn's.  Complains if it keeps none, or
   can't be read, and returns false, if there is none: others are read as well.  Dies of a run that it does not have. */
bool iot_database_logs(const char *name, const char *run, void fn(void *arg, const char *log, int fd), void *arg);
/* Whether a run has that name or number; does not die if none has. */
bool iot_database_has(const char *name, const char *run);

#ifdef SQLITE_VERSION
/* ---- for those who ask it themselves ---- */

/* Of a database that is read among others: what fails is said, once, and noted, and no row comes then. */
struct database_mild {
	bool failed;
	int status; /* that the message has */
};

struct database {
	sqlite3 *handle;
	const char *name;
	char *run_name;	      /* NULL: it has none */
	int64_t run, started; /* its id; ns since the epoch */
	int64_t first, last;  /* ids of its calls */
	struct database_mild *mild; /* NULL: what fails ends the program */
};
struct database iot_database_open(const char *name, const char *run);
void iot_database_close(struct database *db);
/* Dies with what the database says. */
void iot_database_failed(const struct database *db) __attribute__((noreturn));
/* values: as many int64_t as sql has question marks. */
sqlite3_stmt *iot_database_ask(const struct database *db, const char *sql, ...);
/* False: there is no more, and the statement is gone. */
bool iot_database_next(const struct database *db, sqlite3_stmt *stmt);
/* The only row's number. */
int64_t iot_database_number(const struct database *db, const char *sql, ...);
/* Settings that SQLite takes only before the first database is open. */
void iot_database_settle(void);
#endif

#endif
