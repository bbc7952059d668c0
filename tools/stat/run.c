/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - what iotrace-stat's JSON says of a run, as rows for --diff. */
#include "config.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "diff.h"

#define DEPTH 16 /* ours is 6 */

/* What is being read, for messages. */
struct place {
	struct diff *d;
	size_t run;
	enum diff_table_id table;
	size_t row;
};

static void __attribute__((noreturn)) wrong(const struct place *p, const char *key, const char *what)
{
	const char *table = iot_diff_tables[p->table];

	if (p->table == DIFF_JOB)
		iot_die("%s: %s.%s is no %s", p->d->run[p->run], table, key, what);
	iot_die("%s: %s[%zu].%s is no %s", p->d->run[p->run], table, p->row, key, what);
}

static double number(const struct place *p, json_object *from, const char *key)
{
	json_object *o;
	double v;

	if (!json_object_object_get_ex(from, key, &o))
		return 0;
	if (!json_object_is_type(o, json_type_int) && !json_object_is_type(o, json_type_double))
		wrong(p, key, "number");
	v = json_object_get_double(o);
	if (!(v >= 0 && v < 1e30))
		wrong(p, key, "number from 0 on");
	return v;
}

static const char *text(const struct place *p, json_object *from, const char *key)
{
	json_object *o;

	if (!json_object_object_get_ex(from, key, &o))
		return NULL;
	if (!json_object_is_type(o, json_type_string))
		wrong(p, key, "text");
	return json_object_get_string(o);
}

/* ---- names ---- */

/* What asprintf made. */
static char *must(int printed, char **name)
{
	if (printed < 0)
		iot_no_memory();
	return *name;
}

/* "small-writes: /tmp/data (work)" */
static char *finding_name(const struct place *p, json_object *row)
{
	const char *id = text(p, row, "id"), *path = text(p, row, "path"), *func = NULL;
	json_object *site;
	char *name;

	if (!id)
		wrong(p, "id", "text");
	if (!path)
		path = text(p, row, "call");
	if (json_object_object_get_ex(row, "site", &site)) {
		if (!json_object_is_type(site, json_type_object))
			wrong(p, "site", "object");
		func = text(p, site, "func");
	}
	return must(asprintf(&name, "%s%s%s%s%s%s", id, path ? ": " : "", path ? path : "",
			     func ? " (" : "", func ? func : "", func ? ")" : ""),
		    &name);
}

static char *rank_name(const struct place *p, json_object *row)
{
	json_object *rank;
	char *name;

	if (!json_object_object_get_ex(row, "rank", &rank))
		return must(asprintf(&name, "no rank"), &name);
	return must(asprintf(&name, "rank %.0f", number(p, row, "rank")), &name);
}

static char *row_name(const struct place *p, json_object *row)
{
	static const char *const keys[DIFF_N_TABLES] = {
		[DIFF_CALLS] = "call",	   [DIFF_FILES] = "path",     [DIFF_SITES] = "site",
		[DIFF_REGIONS] = "region", [DIFF_PROCESSES] = "prog", [DIFF_THREADS] = "prog",
	};
	const char *key = keys[p->table], *is;
	char *name;

	if (p->table == DIFF_JOB)
		return must(asprintf(&name, "job"), &name);
	if (p->table == DIFF_FINDINGS)
		return finding_name(p, row);
	if (p->table == DIFF_RANKS)
		return rank_name(p, row);
	is = text(p, row, key);
	if (!is)
		wrong(p, key, "text");
	return must(asprintf(&name, "%s", is), &name);
}

/* ---- numbers ---- */

static void add_numbers(const struct place *p, json_object *from, double v[DIFF_N_MEASURES])
{
	static const struct {
		const char *key;
		enum diff_measure_id to;
	} keys[] = {
		{"self", DIFF_TIME},	      {"io", DIFF_IO},	       {"moving", DIFF_DATA},
		{"metadata", DIFF_METADATA},  {"syncing", DIFF_SYNC},  {"waiting", DIFF_WAITING},
		{"memory", DIFF_MEMORY},      {"calls", DIFF_COUNT},   {"syscalls", DIFF_SYSCALLS},
		{"errors", DIFF_ERRORS},      {"opens", DIFF_OPENS},   {"seeks", DIFF_SEEKS},
		{"moved", DIFF_BYTES},	      {"read", DIFF_READ},     {"written", DIFF_WRITTEN},
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		v[keys[i].to] = number(p, from, keys[i].key);
	if (p->table == DIFF_JOB)
		v[DIFF_TIME] = number(p, from, "wall");
	if (p->table == DIFF_FINDINGS)
		v[DIFF_TIME] = number(p, from, "seconds") * 1e9;
	if (p->table != DIFF_CALLS)
		v[DIFF_BYTES] = v[DIFF_READ] + v[DIFF_WRITTEN];
}

static struct diff_row *add_row(const struct place *p, json_object *from)
{
	struct diff_row *row;

	if (!json_object_is_type(from, json_type_object))
		iot_die("%s: %s[%zu] is no object", p->d->run[p->run], iot_diff_tables[p->table],
			p->row);
	row = iot_diff_row(p->d, p->table, p->run, row_name(p, from));
	row->order[0] = number(p, from, "start");
	row->order[1] = number(p, from, "pid");
	row->order[2] = number(p, from, "tid");
	add_numbers(p, from, row->v);
	return row;
}

/* How many rows it has. */
static size_t add_table(struct diff *d, size_t run, enum diff_table_id table, json_object *root)
{
	struct place p = {.d = d, .run = run, .table = table};
	json_object *rows;
	size_t n;

	if (!json_object_object_get_ex(root, iot_diff_tables[table], &rows)) {
		d->has[table] = false;
		d->lacks[table] = true;
		return 0;
	}
	if (!json_object_is_type(rows, json_type_array))
		iot_die("%s: %s is no array", d->run[run], iot_diff_tables[table]);
	n = json_object_array_length(rows);
	d->cut[table] |= d->most_rows && n >= d->most_rows;
	for (p.row = 0; p.row < n; p.row++)
		add_row(&p, json_object_array_get_idx(rows, p.row));
	return n;
}

/* ---- all of it ---- */

static json_object *parse(const char *name, const char *json, size_t size)
{
	json_tokener *t = json_tokener_new_ex(DEPTH);
	json_object *root = NULL;
	enum json_tokener_error e = json_tokener_continue;
	size_t at, n;

	if (!t)
		iot_no_memory();
	json_tokener_set_flags(t, JSON_TOKENER_STRICT);
	for (at = 0; at < size && e == json_tokener_continue; at += n) {
		n = size - at < 1 << 30 ? size - at : 1 << 30;
		root = json_tokener_parse_ex(t, json + at, (int)n);
		e = json_tokener_get_error(t);
	}
	if (e == json_tokener_continue)
		iot_die("%s: this JSON ends too early: it was cut off", name);
	if (e != json_tokener_success)
		iot_die("%s: this is no JSON: %s at byte %zu", name, json_tokener_error_desc(e),
			json_tokener_get_parse_end(t));
	json_tokener_free(t);
	return root;
}

void iot_diff_read(struct diff *d, size_t run, const char *json, size_t size)
{
	struct place job = {.d = d, .run = run, .table = DIFF_JOB};
	json_object *root = parse(d->run[run], json, size), *o;
	struct diff_row *row;
	unsigned table;
	size_t at;

	if (!json_object_is_type(root, json_type_object) ||
	    !json_object_object_get_ex(root, "version", &o) ||
	    !json_object_object_get_ex(root, "logs", NULL))
		iot_die("%s: this JSON is not iotrace-stat's", d->run[run]);
	if (json_object_get_int64(o) != 1)
		iot_die("%s: this JSON has version %s; this iotrace-stat knows 1", d->run[run],
			json_object_to_json_string(o));
	if (!json_object_object_get_ex(root, "job", &o))
		iot_die("%s: this JSON has no job; save it again with this iotrace-stat", d->run[run]);
	if (!json_object_is_type(o, json_type_object))
		iot_die("%s: job is no object", d->run[run]);
	row = add_row(&job, o);
	at = (size_t)(row - d->row);
	for (table = DIFF_FINDINGS; table < DIFF_N_TABLES; table++) {
		size_t n = add_table(d, run, (enum diff_table_id)table, root);

		if (table == DIFF_FINDINGS)
			d->row[at].v[DIFF_FOUND] = (double)n;
	}
	json_object_put(root);
}
