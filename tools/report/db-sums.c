/* SPDX-License-Identifier: BSD-3-Clause */
/* db-sums.c - what iotrace-stat says of a run in a database, or of those calls of it that are chosen. */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "../stat/member.h"
#include "db.h"

void report_db_row(struct out *o, sqlite3_stmt *stmt)
{
	int i;

	out_char(o, '{');
	for (i = 0; i < sqlite3_column_count(stmt); i++) {
		int type = sqlite3_column_type(stmt, i);

		iot_out_need(o, 4096);
		if (type == SQLITE_INTEGER)
			json_number(o, sqlite3_column_name(stmt, i), (uint64_t)sqlite3_column_int64(stmt, i));
		else if (type != SQLITE_NULL) {
			const char *bytes = sqlite3_column_blob(stmt, i);

			json_key(o, sqlite3_column_name(stmt, i));
			json_text(o, bytes ? bytes : "", (size_t)sqlite3_column_bytes(stmt, i));
		}
	}
	out_char(o, '}');
}

static void run_sql(const struct database *db, const char *sql)
{
	if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		iot_database_failed(db);
}

static void out_where(struct out *sql, const struct db_chosen *c)
{
	out_lit(sql, " c.context_id IN (SELECT id FROM chosen)");
	iot_out_bytes(sql, c->call.buf, c->call.len);
	out_lit(sql, " AND c.start >= ");
	out_signed(sql, c->from);
	out_lit(sql, " AND c.start < ");
	out_signed(sql, c->to);
}

/* A temporary view hides the table or view of its name: all that is asked of calls is asked of those that
   are chosen.  A call's own time is what no chosen call inside of it has; of one that did not come back there is none. */
static void hide_calls(const struct database *db)
{
	struct db_chosen c = report_db_chosen(db);
	struct out sql = {.fd = -1};

	out_lit(&sql, "CREATE TEMP TABLE chosen AS ");
	report_db_contexts(&sql, &c);
	out_lit(&sql, "; CREATE UNIQUE INDEX temp.chosen_by_id ON chosen(id);"
		      " CREATE TEMP TABLE insides AS WITH RECURSIVE around(id, dur) AS (SELECT c.parent_id, c.dur FROM main.calls c WHERE"
		      " c.parent_id IS NOT NULL AND");
	out_where(&sql, &c);
	out_lit(&sql, " UNION ALL SELECT c.parent_id, a.dur FROM around a JOIN main.calls c ON c.id = a.id WHERE c.parent_id IS NOT NULL AND NOT (");
	out_where(&sql, &c);
	out_lit(&sql, ")) SELECT id, sum(dur) AS inside FROM around GROUP BY id; CREATE UNIQUE INDEX temp.insides_by_id ON insides(id);"
		      " CREATE TEMP VIEW calls AS SELECT c.id, c.parent_id, c.context_id, c.name_id, c.start, c.dur, c.moved, c.below, c.offset, c.short, c.more,"
		      " c.args_id, c.size, c.ret, CASE WHEN EXISTS (SELECT 1 FROM main.contexts x WHERE x.id = c.context_id AND x.status IS NULL)"
		      " THEN coalesce(c.dur - coalesce((SELECT inside FROM insides i WHERE i.id = c.id), 0), 0) ELSE c.self END AS self"
		      " FROM main.calls c WHERE");
	out_where(&sql, &c);
	iot_out_bytes(&sql, "", 1);
	run_sql(db, sql.buf);
	free(sql.buf);
	report_db_chosen_free(&c);
}

/* Threads and processes without a chosen call are not there, and others until the last one has ended. */
static void hide_others(const struct database *db)
{
	run_sql(db, "CREATE TEMP TABLE ends AS SELECT x.thread_id AS id, r.started + max(c.start + coalesce(c.dur, 0)) AS ended"
		    " FROM calls c JOIN contexts x ON x.id = c.context_id JOIN main.threads t ON t.id = x.thread_id JOIN runs r ON r.id = t.run_id"
		    " GROUP BY x.thread_id;"
		    " CREATE TEMP VIEW threads AS SELECT t.id, t.run_id, t.process_id, t.tid, max(0, min(t.lived, e.ended - p.started)) AS lived"
		    " FROM ends e JOIN main.threads t ON t.id = e.id JOIN main.processes p ON p.id = t.process_id;"
		    " CREATE TEMP TABLE process_ends AS SELECT t.process_id AS id, max(e.ended) AS ended FROM ends e JOIN main.threads t ON t.id = e.id"
		    " GROUP BY t.process_id;"
		    " CREATE TEMP VIEW processes AS SELECT p.id, p.run_id, p.log_id, p.rank_id, p.parent_id, p.pid, p.parent_pid, p.program, p.host,"
		    " p.started, max(0, min(p.elapsed, e.ended - p.started)) AS elapsed,"
		    " (SELECT sum(lived) FROM threads t WHERE t.process_id = p.id) AS lived"
		    " FROM process_ends e JOIN main.processes p ON p.id = e.id");
}

/* The database's own views see its own tables: so they are made anew.  Sums by context are few, and asked for often. */
static void hide_views(const struct database *db)
{
	sqlite3_stmt *stmt = iot_database_ask(db, "SELECT CASE name WHEN 'sums' THEN 'CREATE TEMP TABLE' ELSE 'CREATE TEMP VIEW' END"
					       " || substr(sql, length('CREATE VIEW') + 1)"
					       " FROM main.sqlite_master WHERE type = 'view' ORDER BY name <> 'sums'");

	while (iot_database_next(db, stmt))
		run_sql(db, (const char *)sqlite3_column_text(stmt, 0));
	hide_others(db);
	run_sql(db, "CREATE TEMP TABLE places AS SELECT run_id, file_id, row_number() OVER (PARTITION BY run_id ORDER BY self DESC, path) - 1 AS place"
		    " FROM by_file;"
		    " CREATE TEMP VIEW files AS SELECT f.id, f.run_id, f.path, f.host, f.dev, f.inode, f.mode, f.names, p.place"
		    " FROM main.files f JOIN places p ON p.file_id = f.id");
}

static void out_table(struct out *o, const struct database *db, const char *key, const char *sql)
{
	sqlite3_stmt *stmt = iot_database_ask(db, sql, db->run);
	bool any = false;

	json_key(o, key);
	out_char(o, '[');
	while (iot_database_next(db, stmt)) {
		out_str(o, any ? ",\n" : "\n");
		report_db_row(o, stmt);
		any = true;
	}
	out_char(o, ']');
}

#define SUM(of) ", coalesce(sum(" of "), 0) AS " of
#define PERCENT(of) SUM(of) ", coalesce((10000 * sum(" of ") + sum(lived) / 2) / nullif(sum(lived), 0), 0) AS " of "_percent"

static void out_job(struct out *o, const struct database *db)
{
	sqlite3_stmt *stmt = iot_database_ask(
		db,
		"SELECT *, read * 1000000000 / max(wall, 1) AS read_rate, written * 1000000000 / max(wall, 1) AS write_rate FROM"
		" (SELECT min(program) AS prog, min(host) AS host, count(DISTINCT program) AS programs, count(DISTINCT host) AS hosts,"
		" count(DISTINCT rank) AS ranks, count(*) AS threads" SUM("calls") SUM("syscalls") SUM("errors") SUM("read") SUM("written")
		SUM("lib_read") SUM("lib_written") SUM("self") SUM("memory") SUM("lived") PERCENT("io") PERCENT("moving") PERCENT("metadata") PERCENT("syncing") PERCENT("waiting")
		" FROM by_thread WHERE run_id = ?1),"
		" (SELECT count(*) AS processes, coalesce(max(p.started + p.elapsed) - min(p.started), 0) AS wall, coalesce(min(p.started), 0) AS start"
		" FROM by_process b JOIN processes p ON p.id = b.process_id WHERE b.run_id = ?1),"
		" (SELECT json_extract(json, '$.job.lost') AS lost, json_extract(json, '$.job.runs') AS runs,"
		" json_extract(json, '$.job.undivided') AS undivided FROM stats WHERE run_id = ?1),"
		" (SELECT coalesce(sum(c.inferred), 0) AS inferred FROM (SELECT x.inferred FROM calls JOIN contexts x ON x.id = context_id"
		" JOIN threads t ON t.id = x.thread_id WHERE t.run_id = ?1) c)",
		db->run);

	json_key(o, "job");
	while (iot_database_next(db, stmt))
		report_db_row(o, stmt);
}

/* For SQL: does(call, what) is whether calls of that name do that, of enum iota_does. */
static void does(sqlite3_context *c, int n, sqlite3_value **v)
{
	const char *call = (const char *)sqlite3_value_text(v[0]);

	(void)n;
	sqlite3_result_int(c, call && iota_effect(call).does == (enum iota_does)sqlite3_value_int(v[1]));
}

/* A file is opened by the innermost of the chosen calls that open it, and sought in by those that did so. */
static void hide_opened(const struct database *db)
{
	sqlite3_stmt *stmt;

	sqlite3_create_function(db->handle, "does", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, does, NULL, NULL);
	stmt = iot_database_ask(
		db, "CREATE TEMP TABLE of_files AS WITH RECURSIVE"
		    " did(context_id, opens, seeks) AS (SELECT x.id, does(k.call, ?1), does(k.call, ?2)"
		    " FROM contexts x JOIN kinds k ON k.id = x.kind_id WHERE NOT x.failed AND x.status IS NULL),"
		    " opening(id, parent_id, context_id, name_id) AS (SELECT c.id, c.parent_id, c.context_id, c.name_id FROM calls c WHERE c.context_id IN"
		    " (SELECT context_id FROM did WHERE opens)),"
		    " around(id) AS (SELECT parent_id FROM opening WHERE parent_id IS NOT NULL"
		    " UNION SELECT c.parent_id FROM around a JOIN main.calls c ON c.id = a.id WHERE c.parent_id IS NOT NULL),"
		    " found(context_id, name_id, opens, seeks) AS (SELECT context_id, name_id, 1, 0 FROM opening WHERE id NOT IN (SELECT id FROM around)"
		    " UNION ALL SELECT s.id, s.name_id, 0, s.calls FROM sums s JOIN did d ON d.context_id = s.id WHERE d.seeks)"
		    " SELECT t.run_id AS run, coalesce(n.file_id, f.name_id) AS file, sum(f.opens) AS opens, sum(f.seeks) AS seeks FROM found f"
		    " JOIN contexts x ON x.id = f.context_id JOIN threads t ON t.id = x.thread_id LEFT JOIN other_names n ON n.id = f.name_id"
		    " GROUP BY run, file",
		(int64_t)IOTA_DOES_OPEN, (int64_t)IOTA_DOES_SEEK);
	iot_database_next(db, stmt);
}

/* What iotrace-stat says of them, as far as a page shows that, a comparison needs it and a database knows it. */
static struct out sums_of_chosen(const struct database *db)
{
	sqlite3_stmt *logs = iot_database_ask(db, "SELECT json_extract(json, '$.logs') FROM stats WHERE run_id = ?", db->run);
	struct out o = {.fd = -1};

	hide_opened(db);
	out_lit(&o, "{\"version\":1,\"chosen\":true");
	while (iot_database_next(db, logs)) {
		json_key(&o, "logs");
		iot_out_bytes(&o, sqlite3_column_blob(logs, 0), (size_t)sqlite3_column_bytes(logs, 0));
	}
	out_job(&o, db);
	out_table(&o, db, "calls", "SELECT call, family, calls, syscalls, errors, moved, time, self, max, io, moving, metadata, syncing, waiting, memory"
		  " FROM by_call WHERE run_id = ? ORDER BY self DESC, call");
	out_table(&o, db, "files",
		  "SELECT path, " SUMS ", coalesce(o.opens, 0) AS opens, coalesce(y.syncs, 0) AS syncs, coalesce(o.seeks, 0) AS seeks FROM by_file b LEFT JOIN"
		  " (SELECT coalesce(n.file_id, s.name_id) AS file, t.run_id AS run, sum(s.syscalls * (s.spent IS 'syncing')) AS syncs"
		  " FROM sums s JOIN threads t ON t.id = s.thread_id LEFT JOIN other_names n ON n.id = s.name_id GROUP BY run, file) y"
		  " ON y.file IS b.file_id AND y.run = b.run_id LEFT JOIN of_files o ON o.file IS b.file_id AND o.run = b.run_id"
		  " WHERE b.run_id = ? ORDER BY self DESC, path LIMIT 2000");
	out_table(&o, db, "processes",
		  "SELECT b.program AS prog, b.host, b.rank, b.pid, b.parent_pid AS parent, " SUMS ", b.elapsed, b.lived, p.started AS start,"
		  " (SELECT count(*) FROM by_thread t JOIN threads i ON i.id = t.thread_id WHERE i.process_id = b.process_id) AS thread_count"
		  " FROM by_process b JOIN processes p ON p.id = b.process_id WHERE b.run_id = ? ORDER BY self DESC, b.pid LIMIT 2000");
	out_table(&o, db, "threads", "SELECT program AS prog, host, rank, pid, tid, " SUMS ", lived FROM by_thread WHERE run_id = ? ORDER BY self DESC, tid LIMIT 2000");
	out_table(&o, db, "ranks", "SELECT program AS prog, host, rank, " SUMS " FROM by_rank WHERE run_id = ? ORDER BY self DESC, rank LIMIT 2000");
	out_table(&o, db, "sites", "SELECT site, " SUMS " FROM by_site WHERE run_id = ? ORDER BY self DESC, site LIMIT 2000");
	out_char(&o, '}');
	return o;
}

static void choose(const struct database *db)
{
	hide_calls(db);
	iot_filter_passed |= iot_database_number(db, "SELECT EXISTS (SELECT 1 FROM calls WHERE id BETWEEN ? AND ?)", db->first, db->last);
	hide_views(db);
}

static struct out sums_of_all(const struct database *db)
{
	sqlite3_stmt *stmt = iot_database_ask(db, "SELECT json FROM stats WHERE run_id = ?", db->run);
	struct out o = {.fd = -1};

	while (iot_database_next(db, stmt))
		iot_out_bytes(&o, sqlite3_column_blob(stmt, 0), (size_t)sqlite3_column_bytes(stmt, 0));
	if (!o.len)
		iot_die("%s: has no sums of run %lld", db->name, (long long)db->run);
	return o;
}

struct out report_db_sums(const struct database *db)
{
	if (!iot_filter_given)
		return sums_of_all(db);
	choose(db);
	return sums_of_chosen(db);
}

static void close_before(void *db)
{
	iot_database_close(db);
	free(db);
}

void report_db_before(struct report_before *b, const char *name, const char *run)
{
	struct database *db = malloc(sizeof(*db));

	if (!db)
		iot_no_memory();
	*db = iot_database_open(name, run);
	b->stat = report_db_sums(db);
	b->name = db->run_name ? db->run_name : name;
	b->draw = report_db_draw;
	b->end = close_before;
	b->run = db;
}
