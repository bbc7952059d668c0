/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * herbarium.c - looks up plants in a database of SQLite's.
 *
 * build: iocc
 * as: tiles
 * package: sqlite3
 */
#include <err.h>
#include <sqlite3.h>
#include <stdio.h>

#define PLANTS	20000
#define LOOKUPS 3000

static sqlite3 *db;

static void run(const char *statement)
{
	if (sqlite3_exec(db, statement, NULL, NULL, NULL) != SQLITE_OK)
		errx(1, "%s", sqlite3_errmsg(db));
}

static void make(void)
{
	char statement[300];

	run("CREATE TABLE plants (id INTEGER PRIMARY KEY, about TEXT); BEGIN");
	for (int i = 0; i < PLANTS; i++) {
		snprintf(statement, sizeof(statement), "INSERT INTO plants VALUES (%d, 'a plant of %d leaves, %0150d')", i, i % 9, i);
		run(statement);
	}
	run("COMMIT");
}

static int look_up(sqlite3_stmt *lookup, int plant)
{
	sqlite3_reset(lookup);
	sqlite3_bind_int(lookup, 1, plant);
	if (sqlite3_step(lookup) != SQLITE_ROW) /* FINDING reread|scattered plants.db */
		errx(1, "%s", sqlite3_errmsg(db));
	return sqlite3_column_bytes(lookup, 0);
}

int main(void)
{
	sqlite3_stmt *lookup;
	long bytes = 0;

	if (sqlite3_open("plants.db", &db) != SQLITE_OK)
		errx(1, "plants.db");
	run("PRAGMA synchronous = OFF");
	make();
	sqlite3_close(db);
	sqlite3_open("plants.db", &db);
#ifndef FIXED
	run("PRAGMA cache_size = 10");
#endif
	run("BEGIN");
	sqlite3_prepare_v2(db, "SELECT about FROM plants WHERE id = ?", -1, &lookup, NULL);
	for (int i = 0; i < LOOKUPS; i++)
		bytes += look_up(lookup, i % 2 ? i * 37 % 2000 : i * 7 % 2000); /* FINDING reread|scattered plants.db */
	printf("%ld\n", bytes);
	sqlite3_finalize(lookup);
	sqlite3_close(db);
	return 0;
}
