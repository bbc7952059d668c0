/* SPDX-License-Identifier: BSD-3-Clause */
/* db.c - a run of a database that iotrace-export made, in the place of logs: which calls of it are chosen. */
#include "config.h"

#include <regex.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "db.h"

const char *report_db_of(char **logs)
{
	const char *last = NULL, *other = NULL;

	for (; *logs; logs++)
		*(iot_database_is(*logs) ? &last : &other) = *logs;
	if (last && other)
		iot_die("%s: is a database, and %s is none: databases are shown without logs", last, other);
	if (iot_logs_run && !last)
		iot_die("--run=%s: only databases that iotrace-export made have runs", iot_logs_run);
	return last;
}

struct database report_db_open(const char *name)
{
	return iot_database_open(name, iot_logs_run);
}

/* ---- which calls are chosen ---- */

static regex_t expression[2]; /* --path, --exclude */

/* For SQL: matches(which, name) */
static void matches(sqlite3_context *c, int n, sqlite3_value **v)
{
	const char *name = sqlite3_value_blob(v[1]);
	regmatch_t m = {0, (regoff_t)sqlite3_value_bytes(v[1])};

	(void)n;
	sqlite3_result_int(c, name && !regexec(&expression[sqlite3_value_int(v[0])], name, 1, &m, REG_STARTEND));
}

void report_db_quoted(struct out *o, const char *s, size_t n)
{
	out_char(o, '\'');
	for (; n; n--, s++) {
		if (*s == '\'')
			out_char(o, '\'');
		out_char(o, *s);
	}
	out_char(o, '\'');
}

/* A list as in --calls and --pid: ('a','b'); of calls, each name may have a ! of its own. */
static void add_list(struct out *o, const char *list)
{
	out_char(o, '(');
	while (*list) {
		size_t n;

		list += *list == '!';
		n = strcspn(list, ",");
		report_db_quoted(o, list, n);
		list += n + (list[n] == ',');
		if (*list)
			out_char(o, ',');
	}
	out_char(o, ')');
}

/* Options that are given again add to what they choose: each is " OR ..." or " AND ...". */
static void add_calls(void *sql, const char *list)
{
	static const char *const names[] = {"i.call", "i.family", "i.syscall"};
	size_t k;

	list += strncmp(list, "trace=", 6) ? 0 : 6;
	list += *list == '!';
	if (!strcmp(list, "all"))
		out_lit(sql, " OR 1");
	else if (!strcmp(list, "none"))
		out_lit(sql, " OR 0");
	else
		for (k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
			out_lit(sql, " OR coalesce(");
			out_str(sql, names[k]);
			out_lit(sql, ", '') IN ");
			add_list(sql, list);
		}
}

static void note_negated(void *is, const char *list)
{
	*(bool *)is = list[strncmp(list, "trace=", 6) ? 0 : 6] == '!';
}

static void add_ids(void *sql, const char *list)
{
	out_lit(sql, " OR CAST(p.pid AS TEXT) IN ");
	add_list(sql, list);
	out_lit(sql, " OR CAST(t.tid AS TEXT) IN ");
	add_list(sql, list);
}

/* 0,4-7 */
static void add_ranks(void *sql, const char *list)
{
	while (*list) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

		out_lit(sql, " OR k.rank BETWEEN ");
		iot_out_unsigned(sql, first);
		out_lit(sql, " AND ");
		iot_out_unsigned(sql, last);
		list = *end ? end + 1 : end;
	}
}

#define NAMES(which) "SELECT id FROM main.names WHERE matches(" which ", path)"
/* Whether a call names, or copies to, a file that matches. */
#define CALL_NAMES(which)                                                                                            \
	"(coalesce(c.name_id, 0) IN (" NAMES(which) ") OR c.context_id IN (SELECT id FROM contexts WHERE reads AND writes AND to_name_id IN (" \
	NAMES(which) ")))"

static void add_regex(int which, const char *text)
{
	static bool is_there[2]; /* several databases have the same */

	if (!is_there[which] && regcomp(&expression[which], text, REG_EXTENDED | REG_NOSUB)) /* it was asked before whether it is one */
		iot_no_memory();
	is_there[which] = true;
}

static void add_path(void *chosen, const char *text)
{
	struct db_chosen *c = chosen;

	add_regex(0, text);
	out_lit(&c->call, " AND " CALL_NAMES("0"));
	out_str(&c->span, c->span.len ? " UNION ALL " : "");
	out_lit(&c->span, "SELECT first FROM name_spans WHERE name_id IN (" NAMES("0") ")");
}

static void add_exclude(void *chosen, const char *text)
{
	struct db_chosen *c = chosen;

	add_regex(1, text);
	out_lit(&c->call, " AND NOT " CALL_NAMES("1"));
}

static void add_failed(void *sql, const char *nothing)
{
	(void)nothing;
	out_lit(sql, " AND x.failed");
}

static void add_successful(void *sql, const char *nothing)
{
	(void)nothing;
	out_lit(sql, " AND NOT x.failed AND x.status IS NULL");
}

static void add_no_mpi_own(void *sql, const char *nothing)
{
	(void)nothing;
	out_lit(sql, " AND NOT x.mpi_own");
}

/* Calls, and spans by the greatest one that they have. */
static void add_least(struct db_chosen *c, const char *of_call, const char *of_span, uint64_t least)
{
	out_str(&c->call, of_call);
	iot_out_unsigned(&c->call, least);
	out_str(&c->near, of_span);
	iot_out_unsigned(&c->near, least);
}

static void add_min_time(void *chosen, const char *time)
{
	add_least(chosen, " AND c.dur >= ", " AND s.longest >= ", iot_option_duration("--min-time", time));
}

static void add_min_size(void *chosen, const char *size)
{
	add_least(chosen, " AND c.short + c.moved >= ", " AND s.largest >= ", iot_option_size("--min-size", size));
}

/* Any of what the option names, each time that it is given. */
static void add_any(struct out *sql, const char *option, void fn(void *sql, const char *value), const char *open)
{
	struct out any = {.fd = -1};

	iot_filter_each(fn, &any, option);
	iot_out_bytes(&any, "", 1);
	if (any.len > 1) {
		out_str(sql, open);
		out_str(sql, any.buf);
		out_char(sql, ')');
	}
	free(any.buf);
}

struct db_chosen report_db_chosen(const struct database *db)
{
	struct db_chosen c = {{.fd = -1}, {.fd = -1}, {.fd = -1}, {.fd = -1}, INT64_MIN, INT64_MAX};
	bool negated = false;

	iot_filter_each(note_negated, &negated, "calls");
	add_any(&c.context, "calls", add_calls, negated ? " AND NOT (0" : " AND (0");
	add_any(&c.context, "pid", add_ids, " AND (0");
	add_any(&c.context, "rank", add_ranks, " AND (0");
	iot_filter_each(add_path, &c, "path");
	iot_filter_each(add_exclude, &c, "exclude");
	iot_filter_each(add_failed, &c.context, "failed");
	iot_filter_each(add_successful, &c.context, "successful");
	iot_filter_each(add_no_mpi_own, &c.context, "no-mpi-own");
	iot_filter_each(add_min_time, &c, "min-time");
	iot_filter_each(add_min_size, &c, "min-size");
	iot_filter_window(db->started, &c.from, &c.to);
	sqlite3_create_function(db->handle, "matches", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, matches, NULL, NULL);
	return c;
}

void report_db_chosen_free(struct db_chosen *c)
{
	free(c->context.buf);
	free(c->call.buf);
	free(c->near.buf);
	free(c->span.buf);
}

void report_db_contexts(struct out *sql, const struct db_chosen *c)
{
	out_lit(sql, "SELECT x.id FROM contexts x"
		     " LEFT JOIN kinds i ON i.id = x.kind_id LEFT JOIN threads t ON t.id = x.thread_id"
		     " LEFT JOIN processes p ON p.id = t.process_id LEFT JOIN ranks k ON k.id = p.rank_id"
		     " LEFT JOIN stacks m ON m.id = x.stack_id LEFT JOIN sites s ON s.id = m.site_id WHERE 1");
	iot_out_bytes(sql, c->context.buf, c->context.len);
}
