/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * catalog.c - enters specimens into a catalogue, which is a database of SQLite's.
 *
 * build: iocc
 * as: commits
 * package: sqlite3
 */
#include <err.h>
#include <sqlite3.h>
#include <stdio.h>

#define SPECIMENS 300

static sqlite3 *db;

static void run(const char *statement)
{
	char *wrong;

	if (sqlite3_exec(db, statement, NULL, NULL, &wrong) != SQLITE_OK) /* FINDING sync catalog.db~ */
		errx(1, "%s: %s", statement, wrong);
}

static void enter(int specimen)
{
	char statement[200];

	snprintf(statement, sizeof(statement), "INSERT INTO specimens VALUES (%d, 'drawer %d', %d)", specimen,
		 specimen / 20, specimen * 7 % 100);
	run(statement); /* FINDING sync catalog.db~ */
}

int main(void)
{
	if (sqlite3_open("catalog.db", &db) != SQLITE_OK)
		errx(1, "catalog.db");
	run("CREATE TABLE specimens (id INTEGER PRIMARY KEY, place TEXT, weight INTEGER)");
#ifdef FIXED
	run("BEGIN");
#endif
	for (int i = 0; i < SPECIMENS; i++)
		enter(i); /* FINDING sync catalog.db~ */
#ifdef FIXED
	run("COMMIT");
#endif
	sqlite3_close(db);
	return 0;
}
