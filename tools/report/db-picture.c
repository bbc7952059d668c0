/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * db-picture.c - what is drawn of a run, from the calls in a database.
 *
 * A thread's calls have numbers that follow each other, and a call that is the first one inside of another
 * has the number before that one's: from call to call the start goes back by no more than calls
 * nest.  So calls are read by number, which is how the database has them, and a heap puts those in order that
 * are near each other.
 */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "../../analysis/draw.h"
#include "db.h"

enum { DEPTHS = 256, NEAR = 2 * DEPTHS }; /* as iotrace-export nests calls */

/* What calls have in common; by number. */
struct context {
	struct iotr_schema *schema;
	size_t lane, file, node; /* SIZE_MAX: none */
	enum iota_does does;
	int part, err;
	bool is_syscall, inferred, finished;
};

struct row {
	int64_t id, parent, args;
	uint64_t start, dur, offset, size, moved;
	int64_t ret;
	unsigned has; /* IOTR_HAS_* */
	bool has_dur;
	const struct context *context;
};

/* A collective call, until all are there. */
struct meeting_call {
	struct iotr_call call;
	struct iota_sample sample;
	size_t file;
	uint32_t lane;
};

struct reading {
	const struct db *db;
	struct iota_picture *p;
	struct context *context;
	int64_t first_context;
	size_t n_contexts;
	struct iotr_schema *schema; /* by number of the kind */
	size_t n_schemas;
	size_t *node_of_stack, n_stacks;
	size_t *lane_of_thread, n_threads;
	struct row heap[NEAR + 1];
	size_t n_heap;
	int64_t open[DEPTHS]; /* ids of the calls around, of the lane that is read */
	unsigned depth;
	struct meeting_call *meet;
	size_t n_meet;
	sqlite3_stmt *text; /* of a mark */
	bool named;	    /* an operation has a name */
};

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

static const char *kept_text(struct reading *r, sqlite3_stmt *stmt, int column)
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
	int64_t n = report_db_number(r->db, sql);

	if (n < 0 || n > 100000000)
		iot_die("%s: is damaged, or has more than this program can show", r->db->name);
	return (size_t)n;
}

static void read_kinds(struct reading *r)
{
	sqlite3_stmt *stmt;

	r->n_schemas = most_rows(r, "SELECT coalesce(max(id), 0) FROM kinds");
	r->schema = iota_picture_keep(r->p, zeroes(r->n_schemas + 1, sizeof(*r->schema)));
	stmt = report_db_ask(r->db, "SELECT id, call, family, collective FROM kinds");
	while (report_db_next(r->db, stmt)) {
		struct iotr_schema *s = &r->schema[place(r, sqlite3_column_int64(stmt, 0), r->n_schemas)];

		s->name = kept_text(r, stmt, 1);
		s->family = kept_text(r, stmt, 2);
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
	stmt = report_db_ask(r->db,
			     "SELECT t.id, p.host, p.program, p.pid, t.tid, k.rank, p.parent_pid, p.started"
			     " FROM threads t LEFT JOIN processes p ON p.id = t.process_id LEFT JOIN ranks k ON k.id = p.rank_id"
			     " WHERE t.run_id = ? ORDER BY p.started, p.id, t.id",
			     r->db->run);
	while (report_db_next(r->db, stmt)) {
		const struct iota_lane who = {
			.host = kept_text(r, stmt, 1),
			.prog = kept_text(r, stmt, 2),
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
	size_t i;

	r->n_stacks = most_rows(r, "SELECT coalesce(max(id), 0) FROM stacks");
	r->node_of_stack = zeroes(r->n_stacks + 1, sizeof(size_t));
	for (i = 0; i <= r->n_stacks; i++)
		r->node_of_stack[i] = SIZE_MAX;
	stmt = report_db_ask(r->db,
			     "SELECT s.stack_id, f.function, f.file, f.line, f.module FROM stack_frames s JOIN frames f ON f.id = s.frame_id"
			     " WHERE s.stack_id IN (SELECT x.stack_id FROM contexts x JOIN threads t ON t.id = x.thread_id WHERE t.run_id = ?)"
			     " ORDER BY s.stack_id, s.level DESC",
			     r->db->run);
	while (report_db_next(r->db, stmt)) {
		size_t *node = &r->node_of_stack[place(r, sqlite3_column_int64(stmt, 0), r->n_stacks)];
		char *func = text_at(stmt, 1), *file = text_at(stmt, 2), *module = text_at(stmt, 4);

		*node = iota_node_below(r->p, *node == SIZE_MAX ? 0 : *node, func, file ? file : module,
					file ? sqlite3_column_int(stmt, 3) : 0);
		free(func);
		free(file);
		free(module);
	}
}

/* The list of files is iotrace-stat's; those are drawn that are read and written most. */
static void read_files(struct reading *r)
{
	struct iota_picture *p = r->p;
	int64_t n = report_db_number(r->db, "SELECT coalesce(max(place), -1) + 1 FROM files WHERE run_id = ?", r->db->run);
	sqlite3_stmt *stmt;

	if (n < 0 || n > 1000000000)
		iot_die("%s: is damaged: it has a file number %lld", r->db->name, (long long)n);
	p->files_seen = (size_t)report_db_number(
		r->db, "SELECT count(*) FROM files WHERE run_id = ? AND NOT (path = '" IOTA_NO_FILE "' AND host IS NULL)", r->db->run);
	p->n_rows = (size_t)n;
	p->drawn = zeroes((size_t)n, sizeof(*p->drawn));
	stmt = report_db_ask(r->db,
			     "SELECT f.place FROM by_file b JOIN files f ON f.id = b.file_id WHERE b.run_id = ?"
			     " AND b.reads + b.writes > 0 AND f.place >= 0 ORDER BY b.reads + b.writes DESC, f.id LIMIT ?",
			     r->db->run, (int64_t)p->o.files);
	while (report_db_next(r->db, stmt))
		iota_picture_draw_file(p, place(r, sqlite3_column_int64(stmt, 0), p->n_rows - 1));
}

/* ---- contexts ---- */

static int part_of(const char *spent, const char *call)
{
	if (!spent)
		return -1;
	if (!strcmp(spent, "moving"))
		return iota_effect(call).does == IOTA_DOES_WRITE ? IOTA_WRITING : IOTA_READING;
	if (!strcmp(spent, "metadata"))
		return IOTA_METADATA;
	if (!strcmp(spent, "syncing"))
		return IOTA_SYNCING;
	return strcmp(spent, "waiting") ? -1 : IOTA_WAITING;
}

static void read_context(struct reading *r, sqlite3_stmt *stmt)
{
	struct context *c = &r->context[place(r, sqlite3_column_int64(stmt, 0) - r->first_context, r->n_contexts)];
	const int64_t file = sqlite3_column_type(stmt, 4) == SQLITE_NULL ? -1 : sqlite3_column_int64(stmt, 4);
	const char *status = (const char *)sqlite3_column_text(stmt, 6);
	bool reads = sqlite3_column_int(stmt, 10), writes = sqlite3_column_int(stmt, 11);

	c->lane = r->lane_of_thread[place(r, sqlite3_column_int64(stmt, 1), r->n_threads)];
	c->schema = &r->schema[place(r, sqlite3_column_int64(stmt, 2), r->n_schemas)];
	c->node = r->node_of_stack[place(r, sqlite3_column_int64(stmt, 3), r->n_stacks)];
	c->file = file >= 0 && (size_t)file < r->p->n_rows ? (size_t)file : SIZE_MAX;
	c->err = number_of_error((const char *)sqlite3_column_text(stmt, 5));
	c->finished = !status;
	if (!c->schema->name || !c->schema->family || c->lane >= r->p->n_lanes)
		iot_die("%s: is damaged: a call has no name, or no thread", r->db->name);
	c->part = part_of((const char *)sqlite3_column_text(stmt, 7), c->schema->name);
	c->is_syscall = sqlite3_column_int(stmt, 8);
	c->inferred = sqlite3_column_int(stmt, 9);
	c->does = reads && writes ? IOTA_DOES_COPY : reads ? IOTA_DOES_READ : writes ? IOTA_DOES_WRITE : IOTA_DOES_OTHER;
}

static void read_contexts(struct reading *r)
{
	const struct db *db = r->db;
	sqlite3_stmt *stmt;

	r->first_context = report_db_number(
		db, "SELECT coalesce(min(x.id), 0) FROM contexts x JOIN threads t ON t.id = x.thread_id WHERE t.run_id = ?", db->run);
	r->n_contexts = most_rows(r, "SELECT coalesce(max(id) - min(id), 0) + 1 FROM contexts");
	r->context = zeroes(r->n_contexts + 1, sizeof(*r->context));
	stmt = report_db_ask(db,
			     "SELECT x.id, x.thread_id, x.kind_id, coalesce(x.stack_id, 0), f.place, x.errno, x.status, x.spent, x.syscall, x.inferred,"
			     " x.reads OR x.lib_reads, x.writes OR x.lib_writes"
			     " FROM contexts x JOIN threads t ON t.id = x.thread_id LEFT JOIN names n ON n.id = x.name_id"
			     " LEFT JOIN files f ON f.id = n.file_id WHERE t.run_id = ?",
			     db->run);
	while (report_db_next(db, stmt))
		read_context(r, stmt);
}

/* ---- calls ---- */

/* Calls last so long or longer that are shown one by one; 0: all are. */
static uint64_t shortest(const struct reading *r)
{
	const struct db *db = r->db;
	int64_t n = report_db_number(db, "SELECT count(*) FROM calls WHERE id BETWEEN ? AND ?", db->first, db->last);

	if ((uint64_t)n <= r->p->o.calls)
		return 0;
	if (!r->p->o.calls)
		return UINT64_MAX;
	return 1 + (uint64_t)report_db_number(db, "SELECT dur FROM calls WHERE id BETWEEN ? AND ? AND dur IS NOT NULL"
						  " ORDER BY dur DESC LIMIT 1 OFFSET ?",
					      db->first, db->last, (int64_t)r->p->o.calls);
}

static bool is_before(const struct row *a, const struct row *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	if (a->id == b->parent || b->id == a->parent)
		return a->id == b->parent;
	return a->dur != b->dur ? a->dur > b->dur : a->id < b->id;
}

static void push(struct reading *r, const struct row *row)
{
	size_t i = r->n_heap++;

	for (; i && is_before(row, &r->heap[(i - 1) / 2]); i = (i - 1) / 2)
		r->heap[i] = r->heap[(i - 1) / 2];
	r->heap[i] = *row;
}

static struct row pop(struct reading *r)
{
	const struct row first = r->heap[0], last = r->heap[--r->n_heap];
	size_t i = 0, k;

	for (; (k = 2 * i + 1) < r->n_heap; i = k) {
		if (k + 1 < r->n_heap && is_before(&r->heap[k + 1], &r->heap[k]))
			k++;
		if (!is_before(&r->heap[k], &last))
			break;
		r->heap[i] = r->heap[k];
	}
	r->heap[i] = last;
	return first;
}

/* How many calls are around it, of those that were read. */
static unsigned depth_of(struct reading *r, const struct row *row)
{
	while (r->depth && r->open[r->depth - 1] != row->parent)
		r->depth--;
	if (r->depth < DEPTHS)
		r->open[r->depth++] = row->id;
	return r->depth - 1;
}

/* What the program said, or how many ranks are in a communicator: parameters that pictures need. */
static void set_parameter(struct reading *r, const struct row *row, struct iotr_call *call)
{
	const struct iotr_schema *s = call->schema;
	bool is_mark = !strcmp(s->family, "user") && !strcmp(s->name, "mark");

	call->value[0].type = IOTR_VAL_NONE;
	if (!row->args || (!is_mark && !(s->flags & IOTR_CALL_COLLECTIVE)))
		return;
	sqlite3_reset(r->text);
	sqlite3_bind_int64(r->text, 1, row->args);
	if (sqlite3_step(r->text) != SQLITE_ROW)
		return;
	if (is_mark && sqlite3_column_blob(r->text, 0)) {
		call->value[0].type = IOTR_VAL_BYTES;
		call->value[0].bytes = sqlite3_column_blob(r->text, 0);
		call->value[0].len = (uint32_t)sqlite3_column_bytes(r->text, 0);
	} else if (!is_mark && sqlite3_column_type(r->text, 1) != SQLITE_NULL) {
		call->value[0].type = IOTR_VAL_WORD;
		call->value[0].word = (uint64_t)sqlite3_column_int64(r->text, 1);
	}
}

static void draw_row(struct reading *r, const struct row *row)
{
	const struct context *c = row->context;
	struct iota_lane *lane = &r->p->lane[c->lane];
	struct iota_kind kind = {0};
	struct iotr_call call = {
		.schema = c->schema,
		.start = row->start,
		.dur = row->dur,
		.depth = depth_of(r, row),
		.inferred = c->inferred,
		.has = row->has,
		.size = row->size,
		.offset = row->offset,
		.ret = row->ret,
		.err = c->err,
	};
	struct iota_sample s = {
		.call = &call,
		.kind = &kind,
		.does = c->does,
		.is_syscall = c->is_syscall,
		.timed = c->finished && row->has_dur,
		.moved = row->moved,
		.time = c->finished && row->has_dur ? row->dur : 0,
	};

	set_parameter(r, row, &call);
	if (call.start < lane->begin)
		lane->begin = call.start;
	iota_picture_put(r->p, &s, lane, c->file, c->node, c->part);
	if (call.value[0].type != IOTR_VAL_WORD)
		return;
	r->meet = iota_grow(r->meet, r->n_meet + 1, sizeof(*r->meet));
	r->meet[r->n_meet++] = (struct meeting_call){call, s, c->file, (uint32_t)c->lane};
}

static uint64_t column(sqlite3_stmt *stmt, int i, unsigned has, unsigned *all)
{
	if (sqlite3_column_type(stmt, i) == SQLITE_NULL)
		return 0;
	*all |= has;
	return (uint64_t)sqlite3_column_int64(stmt, i);
}

static struct row read_row(const struct reading *r, sqlite3_stmt *stmt)
{
	struct row row = {
		.id = sqlite3_column_int64(stmt, 0),
		.parent = sqlite3_column_int64(stmt, 1),
		.context = &r->context[place(r, sqlite3_column_int64(stmt, 2) - r->first_context, r->n_contexts)],
		.start = (uint64_t)(r->db->started + sqlite3_column_int64(stmt, 3)),
		.has_dur = sqlite3_column_type(stmt, 4) != SQLITE_NULL,
		.dur = (uint64_t)sqlite3_column_int64(stmt, 4),
		.moved = (uint64_t)sqlite3_column_int64(stmt, 5),
		.args = sqlite3_column_int64(stmt, 9),
	};

	row.offset = column(stmt, 6, IOTR_HAS_OFFSET, &row.has);
	row.size = column(stmt, 7, IOTR_HAS_SIZE, &row.has);
	row.ret = (int64_t)column(stmt, 8, IOTR_HAS_RET, &row.has);
	if (!row.context->schema)
		iot_die("%s: is damaged: call %lld is of nobody", r->db->name, (long long)row.id);
	return row;
}

static void end_lane(struct reading *r)
{
	while (r->n_heap) {
		const struct row row = pop(r);

		draw_row(r, &row);
	}
	r->depth = 0;
}

static void read_calls(struct reading *r)
{
	sqlite3_stmt *stmt = report_db_ask(r->db,
					   "SELECT id, parent_id, context_id, start, dur, moved, offset, short + moved, more + moved, args_id"
					   " FROM calls WHERE id BETWEEN ? AND ? ORDER BY id",
					   r->db->first, r->db->last);
	size_t lane = SIZE_MAX;

	while (report_db_next(r->db, stmt)) {
		const struct row row = read_row(r, stmt);

		if (row.context->lane != lane)
			end_lane(r);
		lane = row.context->lane;
		push(r, &row);
		if (r->n_heap > NEAR) {
			const struct row first = pop(r);

			draw_row(r, &first);
		}
	}
	end_lane(r);
}

/* ---- what is of several threads ---- */

static int by_start(const void *a, const void *b)
{
	const struct meeting_call *x = a, *y = b;

	return x->call.start < y->call.start ? -1 : x->call.start > y->call.start;
}

static void meet(struct reading *r)
{
	size_t i;

	if (r->n_meet)
		qsort(r->meet, r->n_meet, sizeof(*r->meet), by_start);
	for (i = 0; i < r->n_meet; i++) {
		r->meet[i].sample.call = &r->meet[i].call;
		iota_meet(r->p, &r->meet[i].sample, r->meet[i].file, r->meet[i].lane);
	}
}

/* What was asked for; there are few such names. */
static const char *operation_name(struct reading *r, sqlite3_stmt *stmt, int column, const char *other)
{
	static const char *names[64];
	static size_t n;
	const char *name = (const char *)sqlite3_column_text(stmt, column);
	size_t i;

	if (!r->named)
		n = 0;
	r->named = true;
	for (i = 0; name && i < n; i++)
		if (!strcmp(names[i], name))
			return names[i];
	return name && n < sizeof(names) / sizeof(names[0]) ? names[n++] = kept_text(r, stmt, column) : other;
}

static void read_operations(struct reading *r)
{
	struct iota_picture *p = r->p;
	sqlite3_stmt *stmt = report_db_ask(
		r->db,
		"SELECT b.start, coalesce(b.dur, 0), e.start, coalesce(e.dur, 0), b.context_id, e.context_id, coalesce(b.short + b.moved, 0),"
		" coalesce(json_extract(a.json, '$.elapsed'), json_extract(a.json, '$.since'), 0), json_extract(i.json, '$.operation')"
		" FROM operations o JOIN calls b ON b.id = o.begin_id JOIN calls e ON e.id = o.end_id LEFT JOIN args a ON a.id = e.args_id"
		" LEFT JOIN args i ON i.id = b.args_id"
		" WHERE b.id BETWEEN ? AND ? ORDER BY b.start",
		r->db->first, r->db->last);

	while (report_db_next(r->db, stmt)) {
		const struct context *b = &r->context[place(r, sqlite3_column_int64(stmt, 4) - r->first_context, r->n_contexts)];
		const struct context *e = &r->context[place(r, sqlite3_column_int64(stmt, 5) - r->first_context, r->n_contexts)];
		uint64_t began = (uint64_t)(r->db->started + sqlite3_column_int64(stmt, 0));
		uint64_t ended = (uint64_t)(r->db->started + sqlite3_column_int64(stmt, 2) + sqlite3_column_int64(stmt, 3));
		/* the completion knows better than the record of the issue when that was */
		uint64_t since = (uint64_t)sqlite3_column_int64(stmt, 7);
		const char *name = operation_name(r, stmt, 8, b->schema->name);
		uint64_t in_calls = (uint64_t)(sqlite3_column_int64(stmt, 1) + sqlite3_column_int64(stmt, 3)), all;

		began = since && since <= ended ? ended - since : began;
		ended = ended < began ? began : ended;
		all = ended - began;
		iota_arc_keep(p, (struct iota_arc){began, ended, name, b->file,
						   (uint64_t)sqlite3_column_int64(stmt, 6), (uint32_t)b->lane, (uint32_t)e->lane, e->err});
		if (strcmp(b->schema->family, "mpiio"))
			continue;
		p->lane[b->lane].operations++;
		p->lane[b->lane].in_flight += all;
		p->lane[b->lane].blocked += in_calls < all ? in_calls : all;
	}
}

static int calls_by_start(const void *a, const void *b)
{
	const struct iota_drawn_call *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static int points_by_start(const void *a, const void *b)
{
	const struct iota_point *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int marks_by_start(const void *a, const void *b)
{
	const struct iota_mark *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* The page has them as logs give them. */
static void sort_all(struct iota_picture *p)
{
	size_t i;

	qsort(p->call, p->n_calls, sizeof(*p->call), calls_by_start);
	qsort(p->mark, p->n_marks, sizeof(*p->mark), marks_by_start);
	for (i = 0; i < p->n_files; i++)
		qsort(p->file[i].point, p->file[i].n_points, sizeof(*p->file[i].point), points_by_start);
	for (i = 0; i < p->n_lanes; i++)
		if (p->lane[i].begin == UINT64_MAX)
			p->lane[i].begin = p->lane[i].end = p->begin;
}

struct iota_picture *report_db_draw(void *db)
{
	struct reading r = {.db = db};
	const int64_t begin = report_db_number(db, "SELECT min(started) FROM processes WHERE run_id = ?", r.db->run);
	const int64_t end = report_db_number(db, "SELECT max(started + elapsed) FROM processes WHERE run_id = ?", r.db->run);

	if (begin < 0 || end < begin)
		iot_die("%s: is damaged: its processes end before they begin", r.db->name);
	r.p = iota_picture_blank(&report_options.picture, (uint64_t)begin, (uint64_t)end);
	r.p->shortest = shortest(&r);
	read_kinds(&r);
	read_threads(&r);
	read_stacks(&r);
	read_files(&r);
	read_contexts(&r);
	r.text = report_db_ask(db, "SELECT json_extract(json, '$.text'), json_extract(json, '$.comm_size') FROM args WHERE id = ?", (int64_t)0);
	read_calls(&r);
	sqlite3_finalize(r.text);
	meet(&r);
	read_operations(&r);
	iota_lanes_end(r.p);
	iota_arcs_end(r.p);
	sort_all(r.p);
	free(r.context);
	free(r.node_of_stack);
	free(r.lane_of_thread);
	free(r.meet);
	return r.p;
}
