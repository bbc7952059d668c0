/* SPDX-License-Identifier: BSD-3-Clause */
/* sqlite.c - a database of SQLite 3.31 or later: every call, and what it takes to ask questions. */
#include "config.h"

#ifdef HAVE_SQLITE
#include <stdlib.h>

#include "../../../analysis/when.h"
#include "../sqlite.h"

#define SECOND 1000000000

static struct iota *analysis;

/* As it was given: with spaces where it had other words. */
static void add_run(const struct iotr_set *set)
{
	struct iota_bytes command = {0};
	char **arg;

	for (arg = iot_export_options.argv; *arg; arg++) {
		if (command.len)
			iota_bytes_text(&command, " ");
		iota_bytes_text(&command, *arg);
	}
	iot_db.run = iot_db_last("runs") + 1;
	iot_db.started = iot_export_begins(set);
	iot_db_add("INSERT INTO runs VALUES(?, ?, ?, ?, ?)", "isiib", iot_db.run, iot_export_options.run,
		   (int64_t)iot_db.started, (int64_t)iot_export_ends(set), command.p, command.len);
	free(command.p);
}

static void begin(const char *name, const struct iotr_set *set, struct iota *a)
{
	analysis = a;
	iot_db_open(name, set);
	iot_db_find_bases();
	add_run(set);
	iot_db_logs(set);
	iot_db_keep();
	iot_db_run("CREATE TEMP TABLE orphaned(id INTEGER PRIMARY KEY, parent INT)");
	iota_when_begin(a, iot_db.started, iot_export_ends(set), SECOND);
	iot_db_calls_begin();
}

/* ---- calls ---- */

/* SQLite has 63 bits and a sign. */
static int64_t bounded(uint64_t v)
{
	return v < INT64_MAX ? (int64_t)v : INT64_MAX;
}

/* One half of an operation; the other one may be there. */
static void note_operation(const struct iotr_call *call, int64_t process, int64_t id)
{
	uint64_t number;

	if (iota_op_begins(call, &number))
		iot_db_add("INSERT INTO operations VALUES(?, ?, ?, ?, NULL)"
			   " ON CONFLICT DO UPDATE SET begin_id = excluded.begin_id",
			   "isii", process, call->schema->family, (int64_t)number, id);
	if (iota_op_ends(call, &number))
		iot_db_add("INSERT INTO operations VALUES(?, ?, ?, NULL, ?)"
			   " ON CONFLICT DO UPDATE SET end_id = excluded.end_id",
			   "isii", process, call->schema->family, (int64_t)number, id);
}

static void add_call(const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	const struct nested nested = iot_db_nest(call);
	const bool has_dur = iotr_call_has_dur(call), lib = !s->is_syscall && !call->inferred;
	const int64_t start = (int64_t)(call->start - iot_db.started), dur = has_dur ? bounded(call->dur) : 0;
	const int64_t moved = bounded(s->moved);
	const struct db_context context = iot_db_context(analysis, s);
	const int64_t v[DB_N_CALL] = {
		[DB_CALL_ID] = nested.id,
		[DB_CALL_PARENT] = nested.parent,
		[DB_CALL_CONTEXT] = context.id,
		[DB_CALL_NAME] = context.name,
		[DB_CALL_START] = start,
		[DB_CALL_DUR] = has_dur ? dur : NO_NUMBER,
		[DB_CALL_INSIDE] = dur - bounded(s->self),
		[DB_CALL_MOVED] = moved,
		[DB_CALL_BELOW] = lib ? moved - bounded(s->lib_moved) : 0,
		[DB_CALL_OFFSET] = call->has & IOTR_HAS_OFFSET ? (int64_t)call->offset : NO_NUMBER,
		[DB_CALL_SHORT] = call->has & IOTR_HAS_SIZE ? bounded(call->size) - moved : NO_NUMBER,
		[DB_CALL_MORE] = call->has & IOTR_HAS_RET ? call->ret - moved : NO_NUMBER,
		[DB_CALL_ARGS] = iot_db_args(call),
	};

	iot_db_call(v);
	iot_db_span(v, &context);
	if (call->schema->flags & IOTR_CALL_OPS)
		note_operation(call, iot_db_bases.processes + iota_rows_of(analysis, s).process->number, nested.id);
}

static void end(const struct iotr_set *set, struct iota *a)
{
	iot_db_calls_flush();
	iot_db_calls_end();
	iot_db_nest_end();
	iot_db_rows(set, a);
	iot_db_findings(a);
	iot_db_contexts_end();
	iot_db_close();
}

FORMAT(sqlite, 10,
	.by_thread = true,
	.tables = (IOTA_FINDINGS - 1) | IOTA_FINDINGS | IOTA_NAMES,
	.appends = true,
	.begin = begin,
	.call = add_call,
	.left_out = iot_db_nest_left_out,
	.end = end)
#else
#include "../export.h"

NO_FORMAT(sqlite, "SQLite (libsqlite3)")
#endif
