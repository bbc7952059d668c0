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

#include <stdlib.h>

#include "db-picture.h"

/* ---- calls ---- */

/* Calls last so long or longer that are shown one by one; 0: all are. */
static uint64_t shortest(const struct reading *r)
{
	const struct database *db = r->db;
	int64_t n = iot_database_number(db, "SELECT count(*) FROM calls WHERE id BETWEEN ? AND ?", db->first, db->last);

	if ((uint64_t)n <= r->p->o.calls)
		return 0;
	if (!r->p->o.calls)
		return UINT64_MAX;
	return 1 + (uint64_t)iot_database_number(db, "SELECT dur FROM calls WHERE id BETWEEN ? AND ? AND dur IS NOT NULL"
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

/* Of a call that was not read, since others are chosen: how deep it is, and the calls around it. */
static void open_parent(struct reading *r, int64_t id)
{
	int64_t around[DEPTHS];
	unsigned n = 0;

	while (id && n < DEPTHS) {
		around[n++] = id;
		id = iot_database_number(r->db, "SELECT parent_id FROM main.calls WHERE id = ?", id);
	}
	for (r->depth = 0; n; r->depth++)
		r->open[r->depth] = around[--n];
}

/* How many calls are around it. */
static unsigned depth_of(struct reading *r, const struct row *row)
{
	while (r->depth && r->open[r->depth - 1] != row->parent)
		r->depth--;
	if (row->parent && !r->depth)
		open_parent(r, row->parent);
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
	iota_picture_put(r->p, &s, lane, row->file, c->node, c->part);
	if (call.value[0].type != IOTR_VAL_WORD)
		return;
	r->meet = iota_grow(r->meet, r->n_meet + 1, sizeof(*r->meet));
	r->meet[r->n_meet++] = (struct meeting_call){call, s, row->file, (uint32_t)c->lane};
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
		.context = report_db_context(r, sqlite3_column_int64(stmt, 2)),
		.start = (uint64_t)(r->db->started + sqlite3_column_int64(stmt, 3)),
		.has_dur = sqlite3_column_type(stmt, 4) != SQLITE_NULL,
		.dur = (uint64_t)sqlite3_column_int64(stmt, 4),
		.moved = (uint64_t)sqlite3_column_int64(stmt, 5),
		.args = sqlite3_column_int64(stmt, 9),
		.file = report_db_file(r, stmt, 10),
	};

	row.offset = column(stmt, 6, IOTR_HAS_OFFSET, &row.has);
	row.size = column(stmt, 7, IOTR_HAS_SIZE, &row.has);
	row.ret = (int64_t)column(stmt, 8, IOTR_HAS_RET, &row.has);
	if (!row.context->schema)
		iot_die("%s: is damaged: call %lld has no row in contexts", r->db->name, (long long)row.id);
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
	sqlite3_stmt *stmt = iot_database_ask(r->db,
					   "SELECT id, parent_id, context_id, start, dur, moved, offset, short + moved, more + moved, args_id,"
					   " coalesce(name_id, (SELECT to_name_id FROM contexts x WHERE x.id = context_id AND NOT (reads AND writes)))"
					   " FROM calls WHERE id BETWEEN ? AND ? ORDER BY id",
					   r->db->first, r->db->last);
	size_t lane = SIZE_MAX;

	while (iot_database_next(r->db, stmt)) {
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
	return name && n < sizeof(names) / sizeof(names[0]) ? names[n++] = report_db_text(r, stmt, column) : other;
}

static void read_operations(struct reading *r)
{
	struct iota_picture *p = r->p;
	sqlite3_stmt *stmt = iot_database_ask(
		r->db,
		"SELECT b.start, coalesce(b.dur, 0), e.start, coalesce(e.dur, 0), b.context_id, e.context_id, coalesce(b.short + b.moved, 0),"
		" coalesce(json_extract(a.json, '$.elapsed'), json_extract(a.json, '$.since'), 0), json_extract(i.json, '$.operation'), b.name_id"
		" FROM operations o JOIN calls b ON b.id = o.begin_id JOIN calls e ON e.id = o.end_id LEFT JOIN args a ON a.id = e.args_id"
		" LEFT JOIN args i ON i.id = b.args_id"
		" WHERE b.id BETWEEN ? AND ? ORDER BY b.start",
		r->db->first, r->db->last);

	while (iot_database_next(r->db, stmt)) {
		const struct context *b = report_db_context(r, sqlite3_column_int64(stmt, 4));
		const struct context *e = report_db_context(r, sqlite3_column_int64(stmt, 5));
		uint64_t began = (uint64_t)(r->db->started + sqlite3_column_int64(stmt, 0));
		uint64_t ended = (uint64_t)(r->db->started + sqlite3_column_int64(stmt, 2) + sqlite3_column_int64(stmt, 3));
		/* the completion knows better than the record of the issue when that was */
		uint64_t since = (uint64_t)sqlite3_column_int64(stmt, 7);
		const char *name = operation_name(r, stmt, 8, b->schema->name);
		uint64_t in_calls = (uint64_t)(sqlite3_column_int64(stmt, 1) + sqlite3_column_int64(stmt, 3)), all;

		began = since && since <= ended ? ended - since : began;
		began = began < ended ? began : ended;
		all = ended - began;
		iota_arc_keep(p, (struct iota_arc){began, ended, name, report_db_file(r, stmt, 9),
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
	const int64_t begin = iot_database_number(db, "SELECT min(started) FROM processes WHERE run_id = ?", r.db->run);
	const int64_t end = iot_database_number(db, "SELECT max(started + elapsed) FROM processes WHERE run_id = ?", r.db->run);

	if (begin < 0 || end < begin)
		iot_die("%s: is damaged: its processes end before they begin", r.db->name);
	r.p = iota_picture_blank(&report_options.picture, (uint64_t)begin, (uint64_t)end);
	r.p->shortest = shortest(&r);
	report_db_tables(&r);
	r.text = iot_database_ask(db, "SELECT json_extract(json, '$.text'), json_extract(json, '$.comm_size') FROM args WHERE id = ?", (int64_t)0);
	read_calls(&r);
	sqlite3_finalize(r.text);
	meet(&r);
	read_operations(&r);
	iota_lanes_end(r.p);
	iota_arcs_end(r.p);
	report_db_unlisted(&r);
	sort_all(r.p);
	report_db_tables_free(&r);
	free(r.meet);
	return r.p;
}
