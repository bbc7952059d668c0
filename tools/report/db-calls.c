/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * db-calls.c - calls one by one, from a database, a part at a time.
 *
 * The table of spans tells which calls are near the moment, and others tell which spans have calls of a context
 * (kind, thread, line, ...) or of a name.
 */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>

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
	"x.internal, c.parent_id, x.fd, n.path, c.offset, c.short + c.moved, c.more + c.moved, x.errno, x.status, " \
	"a.json, x.stack_id"
enum { ID, START, DUR, HOST, RANK, PID, TID, PROGRAM, FAMILY, CALL, SYSCALL, MPI_OWN, INTERNAL, PARENT, FD, PATH, OFFSET, SIZE, RET,
       ERRNO, STATUS, ARGS, STACK };
#define JOINED                                                                                                      \
	" JOIN contexts x ON x.id = c.context_id LEFT JOIN kinds i ON i.id = x.kind_id"                             \
	" LEFT JOIN names n ON n.id = c.name_id"                                                                    \
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

/* The calls of a question, at most n.  How many there are; at: of the last one. */
static uint64_t list(struct out *o, const struct database *db, const char *inner, const struct behind *from, int64_t to, uint64_t n,
		     bool stacks, struct behind *at)
{
	struct out sql = {.fd = -1};
	uint64_t seen = 0;
	sqlite3_stmt *stmt;

	out_lit(&sql, "SELECT " COLUMNS " FROM (");
	out_str(&sql, inner);
	out_lit(&sql, ") c" JOINED " LEFT JOIN args a ON a.id = c.args_id ORDER BY c.start, c.id");
	iot_out_bytes(&sql, "", 1);
	stmt = iot_database_ask(db, sql.buf, db->first, db->last, from->start, from->id, to, (int64_t)n);
	while (iot_database_next(db, stmt)) {
		out_str(o, seen++ ? ",\n" : "\n");
		json_call(o, db, stmt, stacks);
		*at = (struct behind){sqlite3_column_int64(stmt, START), sqlite3_column_int64(stmt, ID)};
	}
	free(sql.buf);
	return seen;
}

#define FROM_ON " c.id BETWEEN ?1 AND ?2 AND (c.start > ?3 OR (c.start = ?3 AND c.id > ?4)) AND c.start < ?5"

/* Until when calls are to be looked at so that there are n of them; every: all that there are are. */
static int64_t far_enough(const struct database *db, int64_t from, uint64_t spans)
{
	return iot_database_number(db,
				"SELECT coalesce((SELECT started FROM spans WHERE run_id = ? AND started > ? ORDER BY started LIMIT 1 OFFSET ?),"
				" 9223372036854775807)",
				db->run, from, (int64_t)spans);
}

/* As report_db_calls says.  True: there may be more, behind at. */
static bool list_calls(struct out *o, const struct database *db, const struct db_chosen *w, const struct behind *from, uint64_t limit, bool stacks,
		       struct behind *at)
{
	struct out inner = {.fd = -1};
	const size_t begun = o->len;
	uint64_t spans = limit / 512 + 8, n;
	int64_t to;

	out_lit(&inner, "SELECT c.* FROM spans s CROSS JOIN calls c WHERE s.first BETWEEN ?1 AND ?2 AND s.ended >= ?3 AND s.started < ?5");
	iot_out_bytes(&inner, w->span.buf, w->span.len);
	if (w->context.len) {
		out_lit(&inner, " AND s.first IN (SELECT first FROM context_spans WHERE context_id IN (");
		report_db_contexts(&inner, w);
		out_lit(&inner, ")) AND c.context_id IN (");
		report_db_contexts(&inner, w);
		out_char(&inner, ')');
	}
	out_lit(&inner, " AND c.id BETWEEN s.first AND s.last AND" FROM_ON);
	iot_out_bytes(&inner, w->call.buf, w->call.len);
	out_lit(&inner, " ORDER BY c.start, c.id LIMIT ?6");
	iot_out_bytes(&inner, "", 1);
	for (;; spans *= 8) {
		to = far_enough(db, from->start, spans);
		to = to < w->to ? to : w->to;
		o->len = begun;
		n = list(o, db, inner.buf, from, to, limit, stacks, at);
		if (n == limit || to == w->to)
			break;
	}
	free(inner.buf);
	return n == limit;
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
	struct behind from = behind(&db, q, at), last;
	bool more;

	if (q->site) {
		out_lit(&w.context, " AND CAST(s.site AS TEXT) = ");
		report_db_quoted(&w.context, q->site, strlen(q->site));
	}
	if (w.from > from.start)
		from = (struct behind){w.from, 0};
	last = from;
	iot_trouble = STATUS_TROUBLE;
	more = list_calls(o, &db, &w, &from, limit, q->stacks, &last);
	*at = (struct place){(uint64_t)(db.started + last.start), (uint64_t)last.id};
	report_db_chosen_free(&w);
	return more;
}
