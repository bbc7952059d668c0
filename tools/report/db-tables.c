/* SPDX-License-Identifier: BSD-3-Clause */
/* db-tables.c - what of a run is few: kinds of calls, threads, stacks, files, and what calls have in common. */
#include "config.h"

#include <stdlib.h>

#include "db-picture.h"

static void *zeroes(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		iot_no_memory();
	return p;
}

static char *text_at(sqlite3_stmt *stmt, int column)
{
	const char *bytes = sqlite3_column_blob(stmt, column);
	char *copy = bytes ? strndup(bytes, (size_t)sqlite3_column_bytes(stmt, column)) : NULL;

	if (bytes && !copy)
		iot_no_memory();
	return copy;
}

const char *report_db_text(struct reading *r, sqlite3_stmt *stmt, int column)
{
	char *text = text_at(stmt, column);

	return text ? iota_picture_keep(r->p, text) : NULL;
}

static int number_of_error(const char *name)
{
	int err;

	for (err = 1; name && err < 4096; err++)
		if (iotr_errno_name(err) && !strcmp(iotr_errno_name(err), name))
			return err;
	return name ? atoi(name) : 0;
}

/* ---- what is few ---- */

/* Ids are of all runs, and a bad database may have any. */
static size_t place(const struct reading *r, int64_t id, size_t n)
{
	if (id < 0 || (uint64_t)id > n)
		iot_die("%s: is damaged: there is no row %lld", r->db->name, (long long)id);
	return (size_t)id;
}

static size_t most_rows(const struct reading *r, const char *sql)
{
	int64_t n = iot_database_number(r->db, sql);

	if (n < 0 || n > 100000000)
		iot_die("%s: is damaged, or has more than this program can show", r->db->name);
	return (size_t)n;
}

/* For each id up to n, where what it stands for is: nowhere yet. */
static size_t *nowhere(size_t n)
{
	size_t *at = zeroes(n + 1, sizeof(*at)), i;

	for (i = 0; i <= n; i++)
		at[i] = SIZE_MAX;
	return at;
}

static void read_kinds(struct reading *r)
{
	sqlite3_stmt *stmt;

	r->n_schemas = most_rows(r, "SELECT coalesce(max(id), 0) FROM kinds");
	r->schema = iota_picture_keep(r->p, zeroes(r->n_schemas + 1, sizeof(*r->schema)));
	stmt = iot_database_ask(r->db, "SELECT id, call, family, collective FROM kinds");
	while (iot_database_next(r->db, stmt)) {
		struct iotr_schema *s = &r->schema[place(r, sqlite3_column_int64(stmt, 0), r->n_schemas)];

		s->name = report_db_text(r, stmt, 1);
		s->family = report_db_text(r, stmt, 2);
		s->flags = sqlite3_column_int64(stmt, 3) ? IOTR_CALL_COLLECTIVE : 0;
		s->n_params = 1;
		s->param[0].kind = IOTR_KIND_COMMSIZE;
	}
}

static void read_threads(struct reading *r)
{
	sqlite3_stmt *stmt;

	r->n_threads = most_rows(r, "SELECT coalesce(max(id), 0) FROM threads");
	r->lane_of_thread = zeroes(r->n_threads + 1, sizeof(size_t));
	stmt = iot_database_ask(r->db,
			     "SELECT t.id, p.host, p.program, p.pid, t.tid, k.rank, p.parent_pid, p.started"
			     " FROM threads t LEFT JOIN processes p ON p.id = t.process_id LEFT JOIN ranks k ON k.id = p.rank_id"
			     " WHERE t.run_id = ? ORDER BY p.started, p.id, t.id",
			     r->db->run);
	while (iot_database_next(r->db, stmt)) {
		const struct iota_lane who = {
			.host = report_db_text(r, stmt, 1),
			.prog = report_db_text(r, stmt, 2),
			.pid = (uint32_t)sqlite3_column_int64(stmt, 3),
			.tid = (uint32_t)sqlite3_column_int64(stmt, 4),
			.rank = sqlite3_column_type(stmt, 5) == SQLITE_NULL ? -1 : sqlite3_column_int(stmt, 5),
			.ppid = (uint32_t)sqlite3_column_int64(stmt, 6),
			.begin = UINT64_MAX,
		};

		r->lane_of_thread[place(r, sqlite3_column_int64(stmt, 0), r->n_threads)] =
			(size_t)(iota_lane_new(r->p, &who) - r->p->lane);
	}
}

/* From the outermost frame inwards. */
static void read_stacks(struct reading *r)
{
	sqlite3_stmt *stmt;

	r->n_stacks = most_rows(r, "SELECT coalesce(max(id), 0) FROM stacks");
	r->node_of_stack = nowhere(r->n_stacks);
	stmt = iot_database_ask(r->db,
			     "SELECT s.stack_id, f.function, f.file, f.line, f.module, f.module_offset FROM stack_frames s JOIN frames f ON f.id = s.frame_id"
			     " WHERE s.stack_id IN (SELECT x.stack_id FROM contexts x JOIN threads t ON t.id = x.thread_id WHERE t.run_id = ?)"
			     " ORDER BY s.stack_id, s.level DESC",
			     r->db->run);
	while (iot_database_next(r->db, stmt)) {
		size_t *node = &r->node_of_stack[place(r, sqlite3_column_int64(stmt, 0), r->n_stacks)];
		char *func = text_at(stmt, 1), *file = text_at(stmt, 2), *module = text_at(stmt, 4);

		*node = iota_node_below(r->p, *node == SIZE_MAX ? 0 : *node, &(struct iota_line){
			.func = func, .file = file, .line = sqlite3_column_int(stmt, 3), .module = module,
			.offset = (uint64_t)sqlite3_column_int64(stmt, 5)});
		free(func);
		free(file);
		free(module);
	}
}

/* The list of files is iotrace-stat's; those are drawn that are read and written most. */
static void read_files(struct reading *r)
{
	struct iota_picture *p = r->p;
	int64_t n = iot_database_number(r->db, "SELECT coalesce(max(place), -1) + 1 FROM files WHERE run_id = ?", r->db->run);
	sqlite3_stmt *stmt;

	if (n < 0 || n > 1000000000)
		iot_die("%s: is damaged: it has a file number %lld", r->db->name, (long long)n);
	p->files_seen = (size_t)iot_database_number(
		r->db, "SELECT count(*) FROM files WHERE run_id = ? AND NOT (path = '" IOTA_NO_FILE "' AND host IS NULL)", r->db->run);
	p->n_rows = (size_t)n;
	p->drawn = zeroes((size_t)n, sizeof(*p->drawn));
	stmt = iot_database_ask(r->db,
			     "SELECT f.place, CASE WHEN b.reads + b.writes THEN b.reads + b.writes ELSE (b.read + b.written + ?1 - 1) / ?1 END AS accesses"
			     " FROM by_file b JOIN files f ON f.id = b.file_id WHERE b.run_id = ?2"
			     " AND accesses > 0 AND f.place BETWEEN 0 AND ?3 ORDER BY accesses DESC, f.id LIMIT ?4",
			     (int64_t)IOTA_STREAM, r->db->run, (int64_t)p->o.listed - 1, (int64_t)p->o.files);
	while (iot_database_next(r->db, stmt))
		iota_picture_draw_file(p, place(r, sqlite3_column_int64(stmt, 0), p->n_rows - 1));
}

void report_db_unlisted(struct reading *r)
{
	struct iota_picture *p = r->p;
	sqlite3_stmt *stmt;
	size_t i = 0;

	iota_unlisted_find(p);
	if (!p->n_unlisted)
		return;
	stmt = iot_database_ask(r->db, "SELECT place, path FROM files WHERE run_id = ? AND place >= ? ORDER BY place", r->db->run,
				(int64_t)p->unlisted[0].file);
	while (iot_database_next(r->db, stmt)) {
		const size_t file = (size_t)sqlite3_column_int64(stmt, 0);

		while (i < p->n_unlisted && p->unlisted[i].file < file)
			i++;
		if (i < p->n_unlisted && p->unlisted[i].file == file)
			p->unlisted[i].path = report_db_text(r, stmt, 1);
	}
}

static void read_names(struct reading *r)
{
	sqlite3_stmt *stmt;

	r->n_names = most_rows(r, "SELECT max(coalesce((SELECT max(id) FROM main.files), 0), coalesce((SELECT max(id) FROM other_names), 0))");
	r->file_of_name = nowhere(r->n_names);
	stmt = iot_database_ask(r->db, "SELECT id, place FROM files WHERE run_id = ?1 UNION ALL"
				       " SELECT n.id, f.place FROM other_names n JOIN files f ON f.id = n.file_id WHERE f.run_id = ?1", r->db->run);
	while (iot_database_next(r->db, stmt)) {
		const int64_t file = sqlite3_column_int64(stmt, 1);

		if (file >= 0 && (size_t)file < r->p->n_rows && sqlite3_column_type(stmt, 1) != SQLITE_NULL)
			r->file_of_name[place(r, sqlite3_column_int64(stmt, 0), r->n_names)] = (size_t)file;
	}
}

size_t report_db_file(const struct reading *r, sqlite3_stmt *stmt, int column)
{
	return r->file_of_name[place(r, sqlite3_column_int64(stmt, column), r->n_names)];
}

/* ---- contexts ---- */

static int part_of(const char *spent, const char *call)
{
	if (!spent)
		return -1;
	if (!strcmp(spent, "moving"))
		return iota_effect(call).writes ? IOTA_WRITING : IOTA_READING;
	if (!strcmp(spent, "metadata"))
		return IOTA_METADATA;
	if (!strcmp(spent, "syncing"))
		return IOTA_SYNCING;
	return strcmp(spent, "waiting") ? -1 : IOTA_WAITING;
}

struct context *report_db_context(const struct reading *r, int64_t id)
{
	return &r->context[place(r, id - r->first_context, r->n_contexts)];
}

static void read_context(struct reading *r, sqlite3_stmt *stmt)
{
	struct context *c = report_db_context(r, sqlite3_column_int64(stmt, 0));
	const char *status = (const char *)sqlite3_column_text(stmt, 5);
	bool reads = sqlite3_column_int(stmt, 9), writes = sqlite3_column_int(stmt, 10);

	c->lane = r->lane_of_thread[place(r, sqlite3_column_int64(stmt, 1), r->n_threads)];
	c->schema = &r->schema[place(r, sqlite3_column_int64(stmt, 2), r->n_schemas)];
	c->node = r->node_of_stack[place(r, sqlite3_column_int64(stmt, 3), r->n_stacks)];
	c->err = number_of_error((const char *)sqlite3_column_text(stmt, 4));
	c->finished = !status;
	if (!c->schema->name || !c->schema->family || c->lane >= r->p->n_lanes)
		iot_die("%s: is damaged: a call has no name, or no thread", r->db->name);
	c->part = part_of((const char *)sqlite3_column_text(stmt, 6), c->schema->name);
	c->is_syscall = sqlite3_column_int(stmt, 7);
	c->inferred = sqlite3_column_int(stmt, 8);
	if (c->part == IOTA_READING && writes && !reads)
		c->part = IOTA_WRITING;
	c->does = reads && writes ? IOTA_DOES_COPY : reads ? IOTA_DOES_READ : writes ? IOTA_DOES_WRITE : IOTA_DOES_OTHER;
}

static void read_contexts(struct reading *r)
{
	const struct database *db = r->db;
	sqlite3_stmt *stmt;

	r->first_context = iot_database_number(
		db, "SELECT coalesce(min(x.id), 0) FROM contexts x JOIN threads t ON t.id = x.thread_id WHERE t.run_id = ?", db->run);
	r->n_contexts = most_rows(r, "SELECT coalesce(max(id) - min(id), 0) + 1 FROM contexts");
	r->context = zeroes(r->n_contexts + 1, sizeof(*r->context));
	stmt = iot_database_ask(db,
			     "SELECT x.id, x.thread_id, x.kind_id, coalesce(x.stack_id, 0), x.errno, x.status, x.spent, x.syscall, x.inferred,"
			     " x.reads OR x.lib_reads, x.writes OR x.lib_writes"
			     " FROM contexts x JOIN threads t ON t.id = x.thread_id WHERE t.run_id = ?",
			     db->run);
	while (iot_database_next(db, stmt))
		read_context(r, stmt);
}

void report_db_tables(struct reading *r)
{
	read_kinds(r);
	read_threads(r);
	read_stacks(r);
	read_files(r);
	read_names(r);
	read_contexts(r);
}

void report_db_tables_free(struct reading *r)
{
	free(r->context);
	free(r->node_of_stack);
	free(r->lane_of_thread);
	free(r->file_of_name);
}
