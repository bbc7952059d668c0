/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * terns.c - puts 30,000 observations into a database, in six transactions.
 *
 * build: iocc
 * package: sqlite3
 */
#include <err.h>
#include <sqlite3.h>
#include <stdio.h>

#define ROWS 30000
#define AT_ONCE 5000

static void run(sqlite3 *db, const char *sql)
{
	char *message = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		errx(1, "%s: %s", sql, message);
}

int main(void)
{
	sqlite3_stmt *insert;
	sqlite3 *db;

	if (sqlite3_open("terns.db", &db) != SQLITE_OK)
		errx(1, "terns.db");
	run(db, "create table terns (number integer, seen real)");
	if (sqlite3_prepare_v2(db, "insert into terns values (?, ?)", -1, &insert, NULL) !=
	    SQLITE_OK)
		errx(1, "insert");
	for (int i = 0; i < ROWS; i++) {
		if (!(i % AT_ONCE))
			run(db, i ? "commit; begin" : "begin");
		sqlite3_bind_int(insert, 1, i);
		sqlite3_bind_double(insert, 2, i * 0.5);
		if (sqlite3_step(insert) != SQLITE_DONE || sqlite3_reset(insert) != SQLITE_OK)
			errx(1, "step");
	}
	sqlite3_finalize(insert);
	run(db, "commit");
	sqlite3_close(db);
	puts("done");
	return 0;
}
