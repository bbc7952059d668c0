/* SPDX-License-Identifier: BSD-3-Clause */
/* db-page.c - one run of a database becomes a page's data. */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "db.h"

/* Of the program that began first, as of logs. */
static char *title_of(const struct database *db)
{
	sqlite3_stmt *stmt = iot_database_ask(db, "SELECT program FROM logs WHERE run_id = ? ORDER BY started DESC", db->run);
	char *title = strdup(report_options.title ? report_options.title : "iotrace");

	while (iot_database_next(db, stmt)) {
		const char *program = sqlite3_column_blob(stmt, 0);

		if (report_options.title || !program)
			continue;
		free(title);
		title = strndup(program, (size_t)sqlite3_column_bytes(stmt, 0));
	}
	if (!title)
		iot_no_memory();
	return title;
}

static void list_rows(struct out *o, const struct database *db, const char *plural, const char *sql)
{
	sqlite3_stmt *stmt = iot_database_ask(db, sql, db->run);

	out_char(o, '[');
	out_str(o, plural);
	out_char(o, '\n');
	while (iot_database_next(db, stmt)) {
		report_db_row(o, stmt);
		out_char(o, '\n');
	}
}

static void list_all(struct out *o, const struct database *db)
{
	list_rows(o, db, "files", "SELECT path, " SUMS " FROM by_file WHERE run_id = ? ORDER BY self DESC, path");
	list_rows(o, db, "sites", "SELECT site, " SUMS " FROM by_site WHERE run_id = ? ORDER BY self DESC, site");
	list_rows(o, db, "ranks", "SELECT program AS prog, host, rank, " SUMS " FROM by_rank WHERE run_id = ? ORDER BY self DESC, rank");
	list_rows(o, db, "processes", "SELECT program AS prog, host, rank, pid, " SUMS ", elapsed, lived FROM by_process"
				      " WHERE run_id = ? ORDER BY self DESC, pid");
	list_rows(o, db, "threads", "SELECT program AS prog, host, rank, pid, tid, " SUMS ", lived FROM by_thread"
				    " WHERE run_id = ? ORDER BY self DESC, tid");
}

bool report_db_make(struct report *r, const char *name)
{
	struct database db = report_db_open(name);
	struct report_before before;

	*r = (struct report){.data.fd = -1, .lists.fd = -1};
	r->stat = report_db_sums(&db);
	r->title = title_of(&db);
	before = report_before_sums(db.run_name ? db.run_name : name, name, &r->stat);
	report_fit(r, report_db_draw, &db, &before);
	if (report_options.lists)
		list_all(&r->lists, &db);
	iot_database_close(&db);
	report_before_free(&before);
	return true;
}
