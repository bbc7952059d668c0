/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * db-calls.c - calls one by one, from a database, a part at a time.
 *
 * The table of spans tells which calls are near the moment, and how long and large they are at most; others tell which
 * spans have calls of a context (kind, thread, line, ...) or of a name.
 */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>

#include "../stat/member.h"
#include "db.h"
#include "serve.h"

/* ---- a page ---- */

static void json_bytes(struct out *o, sqlite3_stmt *stmt, int column, const char *key)
{
	const char *bytes = sqlite3_column_blob(stmt, column);

	if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
		return;
	json_key(o, key);
	json_text(o, bytes ? bytes : "", (size_t)sqlite3_column_bytes(stmt, column));
}

static void json_signed(struct out *o, sqlite3_stmt *stmt, int column, const char *key)
{
	if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
		return;
	json_key(o, key);
	out_signed(o, sqlite3_column_int64(stmt, column));
}

static uint64_t depth_of(const struct database *db, int64_t parent)
{
	static sqlite3_stmt *stmt;
	uint64_t depth;

	if (!stmt)
		stmt = iot_database_ask(db, "SELECT parent_id FROM calls WHERE id = ?", (int64_t)0);
	for (depth = 0; parent && depth < 256; depth++) {
		sqlite3_reset(stmt);
		sqlite3_bind_int64(stmt, 1, parent);
		parent = sqlite3_step(stmt) == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
	}
	return depth;
}

static void json_stack(struct out *o, const struct database *db, int64_t stack)
{
	sqlite3_stmt *stmt = iot_database_ask(db,
					   "SELECT f.language, f.function, f.file, f.line, f.module, f.module_offset, f.inlined"
					   " FROM stack_frames s JOIN frames f ON f.id = s.frame_id WHERE s.stack_id = ? ORDER BY s.level",
					   stack);

	json_key(o, "stack");
	out_char(o, '[');
	while (iot_database_next(db, stmt)) {
		iot_out_need(o, 4096);
		out_str(o, o->buf[o->len - 1] == '[' ? "{" : ",{");
		json_bytes(o, stmt, 0, "lang");
		json_bytes(o, stmt, 1, "func");
		json_bytes(o, stmt, 2, "file");
		json_signed(o, stmt, 3, "line");
		json_bytes(o, stmt, 4, "module");
		json_signed(o, stmt, 5, "module_offset");
		if (sqlite3_column_int(stmt, 6))
			out_lit(o, ",\"inlined\":true");
		out_char(o, '}');
	}
	out_char(o, ']');
}

/* Columns of a call, in the order in which json_call has them. */
#define COLUMNS                                                                                                    \
	"c.id, c.start, c.dur, p.host, k.rank, p.pid, t.tid, p.program, i.family, i.call, i.syscall, x.mpi_own, "  \
	"x.internal, c.parent_id, x.fd, coalesce(n.path, f.path), c.offset, c.short + c.moved, c.more + c.moved, x.errno, x.status, " \
	"a.json, x.stack_id"
enum { ID, START, DUR, HOST, RANK, PID, TID, PROGRAM, FAMILY, CALL, SYSCALL, MPI_OWN, INTERNAL, PARENT, FD, PATH, OFFSET, SIZE, RET,
       ERRNO, STATUS, ARGS, STACK };
#define JOINED                                                                                                      \
	" JOIN contexts x ON x.id = c.context_id LEFT JOIN kinds i ON i.id = x.kind_id"                             \
	" LEFT JOIN other_names n ON n.id = c.name_id LEFT JOIN files f ON f.id = c.name_id"                          \
	" LEFT JOIN threads t ON t.id = x.thread_id LEFT JOIN processes p ON p.id = t.process_id"                   \
	" LEFT JOIN ranks k ON k.id = p.rank_id"

static void json_call(struct out *o, const struct database *db, sqlite3_stmt *stmt, bool stacks)
{
	iot_out_need(o, 4096);
	out_lit(o, "{\"start\":");
	out_signed(o, db->started + sqlite3_column_int64(stmt, START));
	json_signed(o, stmt, DUR, "dur");
	json_bytes(o, stmt, HOST, "host");
	json_signed(o, stmt, PID, "pid");
	json_signed(o, stmt, TID, "tid");
	json_signed(o, stmt, RANK, "rank");
	json_bytes(o, stmt, PROGRAM, "prog");
	json_bytes(o, stmt, FAMILY, "family");
	json_bytes(o, stmt, CALL, "call");
	json_bytes(o, stmt, SYSCALL, "syscall");
	if (sqlite3_column_int(stmt, MPI_OWN))
		out_lit(o, ",\"mpi_own\":true");
	out_str(o, sqlite3_column_int(stmt, INTERNAL) ? ",\"internal\":true,\"depth\":" : ",\"internal\":false,\"depth\":");
	iot_out_unsigned(o, depth_of(db, sqlite3_column_int64(stmt, PARENT)));
	json_signed(o, stmt, FD, "fd");
	json_bytes(o, stmt, PATH, "path");
	json_signed(o, stmt, OFFSET, "offset");
	json_signed(o, stmt, SIZE, "size");
	json_signed(o, stmt, RET, "ret");
	json_bytes(o, stmt, ERRNO, "errno");
	json_bytes(o, stmt, STATUS, "status");
	if (sqlite3_column_type(stmt, ARGS) != SQLITE_NULL) {
		out_lit(o, ",\"args\":");
		iot_out_bytes(o, sqlite3_column_blob(stmt, ARGS), (size_t)sqlite3_column_bytes(stmt, ARGS));
	}
	if (stacks && sqlite3_column_type(stmt, STACK) != SQLITE_NULL)
		json_stack(o, db, sqlite3_column_int64(stmt, STACK));
	out_char(o, '}');
}

/* Behind that call; since the run was started. */
struct behind {
	int64_t start, id;
};

/* Calls that are chosen, of which n have been listed since then. */
struct search {
	struct out *o;
	const struct database *db;
	char *near;  /* conditions of spans that can have some */
	char *inner; /* a question for calls between ?3 with ?4 and ?5, at most ?6, in the runs's ?1 to ?2 */
	bool stacks;
	uint64_t n;
	struct timespec since;
};

/* Up to limit calls from there to that time.  Where the last one is. */
static struct behind list(struct search *s, const struct behind *from, int64_t to, uint64_t limit)
{
	const struct database *db = s->db;
	struct behind at = *from;
	struct out sql = {.fd = -1};
	sqlite3_stmt *stmt;

	out_lit(&sql, "SELECT " COLUMNS " FROM (");
	out_str(&sql, s->inner);
	out_lit(&sql, ") c" JOINED " LEFT JOIN args a ON a.id = c.args_id ORDER BY c.start, c.id");
	iot_out_bytes(&sql, "", 1);
	stmt = iot_database_ask(db, sql.buf, db->first, db->last, from->start, from->id, to, (int64_t)(limit - s->n));
	while (iot_database_next(db, stmt)) {
		out_str(s->o, s->n++ ? ",\n" : "\n");
		json_call(s->o, db, stmt, s->stacks);
		at = (struct behind){sqlite3_column_int64(stmt, START), sqlite3_column_int64(stmt, ID)};
	}
	free(sql.buf);
	return at;
}

/* Until when so many spans that can have such calls begin. */
static int64_t far_enough(const struct search *s, int64_t from, uint64_t spans)
{
	struct out sql = {.fd = -1};
	int64_t to;

	out_lit(&sql, "SELECT coalesce((SELECT s.started FROM spans s WHERE s.first BETWEEN ?1 AND ?2 AND s.started > ?3");
	out_str(&sql, s->near);
	out_lit(&sql, " ORDER BY s.started LIMIT 1 OFFSET ?4), 9223372036854775807)");
	iot_out_bytes(&sql, "", 1);
	to = iot_database_number(s->db, sql.buf, s->db->first, s->db->last, from, (int64_t)spans);
	free(sql.buf);
	return to;
}

/* A part of the time after another, so that no question is long, and the answer ends when its time is over.  True: there
   may be more, behind from. */
static bool list_calls(struct search *s, struct behind *from, int64_t end, uint64_t limit)
{
	uint64_t spans = limit / 512 + 8;

	for (;;) {
		double began = work_seconds(&s->since), ended;
		int64_t to = far_enough(s, from->start, spans);
		struct behind at = list(s, from, to < end ? to : end, limit);

		if (s->n == limit) {
			*from = at;
			return true;
		}
		if (to >= end)
			return false;
		*from = (struct behind){to, 0};
		ended = work_seconds(&s->since);
		if (ended > MOST_SECONDS)
			return true;
		if (ended - began < .1)
			spans *= 4;
	}
}

/* ---- which spans have calls that are chosen ---- */

/* Where more spans than these have some, calls are found as fast by looking at each. */
#define MOST_SPANS "20000"

static void run(const struct database *db, struct out *sql)
{
	sqlite3_stmt *stmt;

	iot_out_bytes(sql, "", 1);
	stmt = iot_database_ask(db, sql->buf);
	while (iot_database_next(db, stmt))
		;
	sql->len = 0;
}

/* Makes the table of spans that the question finds; a condition of these, unless there are too many. */
static void note_spans(struct out *near, const struct database *db, struct out *sql, const char *table)
{
	struct out make = {.fd = -1};

	out_lit(&make, "CREATE TEMP TABLE ");
	out_str(&make, table);
	out_lit(&make, "(first INTEGER PRIMARY KEY)");
	run(db, &make);
	out_lit(&make, "INSERT INTO ");
	out_str(&make, table);
	out_lit(&make, " SELECT DISTINCT first FROM (");
	iot_out_bytes(&make, sql->buf, sql->len);
	out_lit(&make, " LIMIT " MOST_SPANS ")");
	run(db, &make);
	out_lit(&make, "SELECT count(*) < " MOST_SPANS " FROM (");
	iot_out_bytes(&make, sql->buf, sql->len);
	out_lit(&make, " LIMIT " MOST_SPANS ")");
	iot_out_bytes(&make, "", 1);
	if (iot_database_number(db, make.buf)) {
		out_lit(near, " AND s.first IN ");
		out_str(near, table);
	}
	free(make.buf);
	sql->len = 0;
}

static char *text_of(struct out *o)
{
	iot_out_bytes(o, "", 1);
	return o->buf;
}

static struct search search(struct out *o, const struct database *db, const struct db_chosen *w, bool stacks)
{
	struct out sql = {.fd = -1}, near = {.fd = -1}, inner = {.fd = -1};
	struct search s = {.o = o, .db = db, .stacks = stacks};

	clock_gettime(CLOCK_MONOTONIC, &s.since);
	out_lit(&sql, "PRAGMA temp_store = MEMORY");
	run(db, &sql);
	if (w->context.len) {
		out_lit(&sql, "CREATE TEMP TABLE chosen(id INTEGER PRIMARY KEY)");
		run(db, &sql);
		out_lit(&sql, "INSERT INTO chosen ");
		report_db_contexts(&sql, w);
		run(db, &sql);
		out_lit(&sql, "SELECT first FROM context_spans WHERE context_id IN chosen");
		note_spans(&near, db, &sql, "of_contexts");
	}
	if (w->span.len) {
		iot_out_bytes(&sql, w->span.buf, w->span.len);
		note_spans(&near, db, &sql, "of_names");
	}
	iot_out_bytes(&near, w->near.buf, w->near.len);
	out_lit(&inner, "SELECT c.* FROM spans s CROSS JOIN calls c WHERE s.first BETWEEN ?1 AND ?2 AND s.ended >= ?3 AND s.started < ?5");
	iot_out_bytes(&inner, near.buf, near.len);
	/* no other bounds of id: SQLite would take the wider ones, and read all calls behind a span */
	out_lit(&inner, " AND c.id BETWEEN s.first AND s.last AND (c.start > ?3 OR (c.start = ?3 AND c.id > ?4)) AND c.start < ?5");
	if (w->context.len)
		out_lit(&inner, " AND c.context_id IN chosen");
	iot_out_bytes(&inner, w->call.buf, w->call.len);
	out_lit(&inner, " ORDER BY c.start, c.id LIMIT ?6");
	s.near = text_of(&near);
	s.inner = text_of(&inner);
	free(sql.buf);
	return s;
}

/* Ids begin at 1: behind 0 is what begins at that time. */
static struct behind behind(const struct database *db, const struct calls_query *q, const struct place *at)
{
	return q->after ? (struct behind){(int64_t)at->start - db->started, (int64_t)at->n} : (struct behind){INT64_MIN, 0};
}

bool report_db_calls(struct out *o, struct calls_query *q, struct place *at, uint64_t limit)
{
	struct database db = report_db_open(report_db_of(q->logs));
	struct db_chosen w = report_db_chosen(&db);
	struct behind from = behind(&db, q, at);
	struct search s;
	bool more;

	if (q->site) {
		out_lit(&w.context, " AND CAST(s.site AS TEXT) = ");
		report_db_quoted(&w.context, q->site, strlen(q->site));
	}
	if (w.from > from.start)
		from = (struct behind){w.from, 0};
	iot_trouble = STATUS_TROUBLE;
	s = search(o, &db, &w, q->stacks);
	more = list_calls(&s, &from, w.to, limit);
	*at = (struct place){(uint64_t)(db.started + from.start), (uint64_t)from.id};
	free(s.near);
	free(s.inner);
	report_db_chosen_free(&w);
	return more;
}
