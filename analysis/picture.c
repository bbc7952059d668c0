/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.c - see picture.h: single calls, and files by time and address. */
#include "config.h"

#include <stdlib.h>

#include "draw.h"

static void *zeroes(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		iota_no_memory();
	return p;
}

/* From which duration on there are at most so many calls; 0: there are no more in all. */
static uint64_t least_duration(const struct iota_table *calls, uint64_t most)
{
	uint64_t n = 0;
	unsigned bucket;
	size_t i;

	for (bucket = IOTA_N_TIMES; bucket-- > 0;) {
		for (i = 0; i < calls->n; i++)
			n += calls->row[i]->times[bucket];
		if (n > most)
			break;
	}
	if (bucket > IOTA_N_TIMES)
		return 0;
	bucket++;
	return bucket < 4 ? bucket : (4ull + bucket % 4) << (bucket / 4 - 1);
}

/* How often a file was read and written.  What libc moved within itself is not counted in calls: as many as its
   buffers take.  tools/report/db-tables.c asks a database the same. */
static uint64_t accesses(const struct iota_row *row)
{
	const uint64_t calls = iota_number(row, IOTA_F_READS) + iota_number(row, IOTA_F_WRITES);

	return calls ? calls : (iota_number(row, IOTA_F_READ) + iota_number(row, IOTA_F_WRITTEN) + IOTA_STREAM - 1) / IOTA_STREAM;
}

static int busier(const void *a, const void *b)
{
	const struct iota_row *x = *(struct iota_row *const *)a, *y = *(struct iota_row *const *)b;
	const uint64_t n = accesses(x), m = accesses(y);

	if (n != m)
		return n > m ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

void *iota_picture_keep(struct iota_picture *p, void *memory)
{
	p->kept = iota_grow(p->kept, p->n_kept + 1, sizeof(*p->kept));
	return p->kept[p->n_kept++] = memory;
}

void iota_picture_draw_file(struct iota_picture *p, size_t row)
{
	p->file[p->n_files].row = row;
	p->file[p->n_files].bin = zeroes(2 * p->o.bins, sizeof(*p->file->bin));
	p->file[p->n_files].point = zeroes(p->o.points, sizeof(struct iota_point));
	p->drawn[row] = ++p->n_files;
}

/* Those that are read and written most. */
static void choose_files(struct iota_picture *p)
{
	const struct iota_table *t = iota_table(p->a, IOTA_BY_FILE);
	struct iota_row **row = zeroes(t->n, sizeof(*row));
	size_t i;

	p->files_seen = t->n - (p->a->no_file != NULL);
	for (i = 0; i < t->n; i++)
		p->n_rows = t->row[i]->number >= p->n_rows ? t->row[i]->number + 1 : p->n_rows;
	p->row = zeroes(p->n_rows, sizeof(*p->row));
	p->drawn = zeroes(t->n, sizeof(*p->drawn));
	for (i = 0; i < t->n; i++) {
		p->row[t->row[i]->number] = i;
		row[i] = t->row[i];
	}
	qsort(row, t->n, sizeof(*row), busier);
	for (i = 0; i < t->n && p->n_files < p->o.files; i++) {
		if (!accesses(row[i]))
			break;
		if (p->row[row[i]->number] < p->o.listed)
			iota_picture_draw_file(p, p->row[row[i]->number]);
	}
	free(row);
}

struct iota_picture *iota_picture_blank(const struct iota_picture_options *o, uint64_t begin, uint64_t end)
{
	struct iota_picture *p = zeroes(1, sizeof(*p));

	p->o = *o;
	p->begin = begin;
	p->end = end;
	p->width = (end - begin) / o->bins + 1;
	p->bin = zeroes(2 * o->bins, sizeof(*p->bin));
	p->call = zeroes(o->calls, sizeof(*p->call));
	p->mark = zeroes(o->marks, sizeof(*p->mark));
	p->meets.meeting = zeroes(o->meetings, sizeof(*p->meets.meeting));
	p->file = zeroes(o->files, sizeof(*p->file));
	return p;
}

struct iota_picture *iota_picture_new(struct iota *a, const struct iota_picture_options *o)
{
	struct iota_job job = iota_job(a);
	struct iota_picture *p = iota_picture_blank(o, job.begin, job.end);

	p->a = a;
	p->shortest = least_duration(iota_table(a, IOTA_BY_CALL), o->calls);
	choose_files(p);
	iota_mapped_free(a); /* all calls come again */
	return p;
}

/* Number of the row of the file that it is on, or on whose memory; SIZE_MAX: it has none. */
static size_t file_of(const struct iota_picture *p, const struct iota_sample *s)
{
	const struct iotr_call *call = s->call;
	struct iota_row *row = iota_file_of(p->a, call);

	if (s->kind->of_memory && call->handle && row)
		iota_mapped_add(p->a, call, row);
	else if (s->kind->of_memory && (!row || row == p->a->no_file))
		row = iota_mapped_row(p->a, call);
	while (row && row->rare->same)
		row = row->rare->same;
	if (!row || row == p->a->no_file || row->number >= p->n_rows)
		return SIZE_MAX;
	return p->row[row->number];
}

/* One of two is forgotten when there are too many: those that stay are evenly spread. */
static void add_point(struct iota_drawn_file *f, size_t most, struct iota_point point)
{
	size_t i;

	if (!f->every)
		f->every = 1;
	if (f->seen++ % f->every)
		return;
	if (f->n_points == most) {
		for (i = 0; i < most / 2; i++)
			f->point[i] = f->point[2 * i];
		f->n_points = most / 2;
		f->every *= 2;
		if ((f->seen - 1) % f->every)
			return;
	}
	f->point[f->n_points++] = point;
}

/* NULL: the call is about no file. */
static struct iota_cell *cell_of(const struct iota_picture *p, struct iota_lane *l, size_t file)
{
	if (file == SIZE_MAX)
		return NULL;
	if (!l->cell)
		l->cell = zeroes(p->n_files + 1, sizeof(*l->cell));
	return &l->cell[p->drawn[file] ? p->drawn[file] - 1 : p->n_files];
}

static void add_access(struct iota_picture *p, const struct iota_sample *s, size_t file, uint32_t lane,
		       struct iota_cell *cell)
{
	const struct iotr_call *call = s->call;
	struct iota_drawn_file *f = file < SIZE_MAX && p->drawn[file] ? &p->file[p->drawn[file] - 1] : NULL;
	bool writes = s->does == IOTA_DOES_WRITE;
	size_t bin = (writes ? p->o.bins : 0) + iota_bin(p, call->start);

	if (!iota_transfers(s))
		return;
	p->bin[bin] += s->moved;
	if (cell)
		*(writes ? &cell->written : &cell->read) += s->moved;
	if (!f)
		return;
	f->bin[bin] += s->moved;
	if (call->has & IOTR_HAS_OFFSET && s->moved)
		add_point(f, p->o.points, (struct iota_point){call->start, call->offset, s->moved, lane, writes});
}

static void add_call(struct iota_picture *p, const struct iota_sample *s, size_t file, size_t node, uint32_t lane,
		     int part)
{
	const struct iotr_call *call = s->call;

	if ((p->shortest && s->time < p->shortest) || p->n_calls == p->o.calls)
		return;
	p->call[p->n_calls++] = (struct iota_drawn_call){
		.start = call->start,
		.dur = s->time,
		.schema = call->schema,
		.file = file,
		.node = node,
		.offset = call->has & IOTR_HAS_OFFSET ? call->offset : UINT64_MAX,
		.size = s->moved ? s->moved : call->has & IOTR_HAS_SIZE ? call->size : UINT64_MAX,
		.ret = call->has & IOTR_HAS_RET ? call->ret : 0,
		.lane = lane,
		.err = call->err,
		.depth = (uint16_t)(call->depth < UINT16_MAX ? call->depth : UINT16_MAX),
		.part = (int8_t)part,
		.inferred = call->inferred,
		.transfers = iota_transfers(s),
	};
}

static void add_mark(struct iota_picture *p, const struct iotr_call *call, uint32_t lane)
{
	const struct iotr_value *text = &call->value[0];

	if (strcmp(call->schema->name, "mark") || strcmp(call->schema->family, "user") || text->type != IOTR_VAL_BYTES)
		return;
	if (p->marks_seen++ >= p->o.marks)
		return;
	p->mark[p->n_marks] = (struct iota_mark){call->start, lane, zeroes(text->len + 1, 1)};
	memcpy(p->mark[p->n_marks++].text, text->bytes, text->len);
}

void iota_picture_put(struct iota_picture *p, const struct iota_sample *s, struct iota_lane *l, size_t file, size_t node,
		      int part)
{
	const struct iotr_call *call = s->call;
	uint32_t lane = (uint32_t)(l - p->lane);
	struct iota_cell *cell = cell_of(p, l, file);

	if (cell)
		cell->calls += !call->inferred;
	iota_lane_add(p, l, s, part, node, cell);
	if (node < SIZE_MAX) {
		p->node[node].calls += !call->inferred;
		p->node[node].bytes += iota_transfers(s) ? s->moved : 0;
	}
	p->seen += !call->inferred;
	add_access(p, s, file, lane, cell);
	add_call(p, s, file, node, lane, part);
	add_mark(p, call, lane);
}

void iota_picture_add(struct iota_picture *p, const struct iotr_call *call)
{
	struct iota_lane *l = iota_lane_of(p, call);
	struct iota_sample s;
	size_t file;

	iota_sample(p->a, &s, call);
	file = file_of(p, &s);
	s.spent = iota_spent(&s);
	iota_picture_put(p, &s, l, file, iota_node_of(p, call), iota_part_of(&s));
	iota_meet(p, &s, file, (uint32_t)(l - p->lane));
	iota_arcs_add(p, &s, file, (uint32_t)(l - p->lane));
}

void iota_picture_end(struct iota_picture *p)
{
	iota_lanes_end(p);
	iota_arcs_end(p);
	iota_unlisted_end(p);
}

void iota_picture_free(struct iota_picture *p)
{
	size_t i;

	if (!p)
		return;
	iota_lanes_free(p);
	iota_nodes_free(p);
	iota_meets_free(p);
	iota_arcs_free(p);
	for (i = 0; i < p->n_files; i++) {
		free(p->file[i].bin);
		free(p->file[i].point);
	}
	for (i = 0; i < p->n_marks; i++)
		free(p->mark[i].text);
	for (i = 0; i < p->n_kept; i++)
		free(p->kept[i]);
	free(p->kept);
	free(p->mark);
	free(p->unlisted);
	free(p->file);
	free(p->bin);
	free(p->call);
	free(p->row);
	free(p->drawn);
	free(p);
}
