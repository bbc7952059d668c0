/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.c - sums as bytes, and added up again: the logs of a job can be summed up
 * in parts, by several processes of the same build, and the parts put together.
 *
 * All that a row has can be added, but what follows from the rest; that is worked out
 * when all is there (iota_done).
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "constellation.h"
#include "parts.h"
#include "slices.h"

/* What sums begin with: of which processor's order of bytes they are, the version of what follows,
   which changes whenever that does, and how large it is in this build. */
#define SUMS_VERSION 7
static const uint64_t head[] = {
	0x736d75732d746f69, /* "iot-sums" */
	SUMS_VERSION,
	sizeof(struct iota_finding) << 32 | IOTA_N_SPOT << 16 | IOTA_N_FIELDS,
};

/* ---- out ---- */

static void put_interval(void *o, const struct iota_interval *i)
{
	iota_bytes_add(o, i, sizeof(*i));
}

static void put_file(struct iota_bytes *o, const struct iota_row *row)
{
	struct iota_thinned thinned;
	unsigned i;
	size_t j;

	for (i = 0; i < 2; i++)
		iota_sizes_put(o, row->sizes[i]);
	iota_put_word(o, row->mode);
	iota_put_word(o, row->buffering);
	iota_put_word(o, row->traits);
	for (i = 0; i < 2; i++)
		iota_put_word(o, row->placed[i]);
	iota_put_word(o, row->most_opened);
	iota_put_word(o, row->rare->removed);
	for (i = 0; i < 2; i++) {
		iota_put_word(o, row->mover[i]);
		iota_put_word(o, row->mover_tid[i]);
		iota_put_word(o, row->rare->more[i] ? row->rare->more[i]->n : 0);
		for (j = 0; row->rare->more[i] && j < row->rare->more[i]->n; j++)
			iota_put_word(o, row->rare->more[i]->process[j]);
	}
	iota_put_word(o, row->movers);
	iota_put_word(o, row->dev);
	iota_put_word(o, row->ino);
	iota_put_word(o, row->several);
	iota_put_word(o, row->rare->gone);
	iota_put_word(o, row->reached);
	for (i = 0; i < 2; i++) {
		thinned = iota_owned_thinned(row->seen[i]);
		iota_bytes_add(o, &thinned, sizeof(thinned));
		iota_put_word(o, iota_owned_n(row->seen[i]));
		iota_owned_each(row->seen[i], put_interval, o);
	}
}

static void put_row(struct iota_bytes *o, const struct iota *a, const struct iota_table *t,
		    const struct iota_row *row)
{
	uint64_t v[IOTA_N_FIELDS];

	iota_put_text(o, row->key, row->key_len);
	iota_put_text(o, row->name, row->name_len);
	iota_put_text(o, row->extra, row->extra ? strlen(row->extra) : 0);
	iota_numbers_copy(v, row, t->shape->n_fields);
	iota_bytes_add(o, v, t->shape->n_fields * sizeof(v[0]));
	iota_put_word(o, row->number);
	if (t->id == IOTA_BY_FILE) {
		put_file(o, row);
		return;
	}
	iota_put_text(o, row->times, IOTA_N_TIMES * sizeof(row->times[0]));
	iota_put_text(o, row->when, row->when ? a->slices->n / a->slices->per_row : 0);
	iota_bytes_add(o, &row->team, sizeof(row->team));
}

static void put_spot(struct iota_bytes *o, const struct iota_spot *spot)
{
	uint64_t v[IOTA_N_SPOT] = {0};

	iota_put_text(o, spot->file->key, spot->file->key_len);
	iota_put_word(o, spot->from->number);
	iota_put_word(o, spot->does);
	iota_put_word(o, spot->is_syscall);
	iota_spot_sum(v, spot);
	iota_bytes_add(o, v, sizeof(v));
}

/* Intervals of files are of processes by their numbers, so these come first. */
static const enum iota_table_id in_parts[IOTA_N_TABLES] = {
	IOTA_BY_PROCESS, IOTA_BY_CALL,	 IOTA_BY_FILE, IOTA_BY_THREAD,
	IOTA_BY_RANK,	 IOTA_BY_REGION, IOTA_BY_SITE,
};

void iota_put(const struct iota *a, struct iota_bytes *o)
{
	size_t i, j;

	iota_bytes_add(o, head, sizeof(head));
	for (i = 0; i < IOTA_N_TABLES; i++) {
		const struct iota_table *t = &a->table[in_parts[i]];

		iota_put_word(o, t->n);
		for (j = 0; j < t->n; j++)
			put_row(o, a, t, t->row[j]);
	}
	iota_put_word(o, a->spots.n_origins);
	for (i = 0; i < a->spots.n_origins; i++) {
		iota_put_string(o, a->spots.origin[i]->call);
		iota_put_chain(o, a->spots.origin[i]->chain);
	}
	iota_put_word(o, a->spots.n);
	for (i = 0; i < a->spots.n; i++)
		put_spot(o, a->spots.spot[i]);
	iota_put_word(o, a->phases.n);
	iota_bytes_add(o, a->phases.phase, a->phases.n * sizeof(*a->phases.phase));
	iota_bytes_add(o, a->computing, sizeof(a->computing));
	iota_put_word(o, a->lives.n);
	iota_bytes_add(o, a->lives.life, a->lives.n * sizeof(*a->lives.life));
	iota_put_word(o, a->n_findings);
	for (i = 0; i < a->n_findings; i++) {
		const struct iota_finding *f = &a->findings[i];

		iota_put_text(o, f->rule->id, strlen(f->rule->id));
		iota_put_text(o, f->name, f->name_len);
		iota_bytes_add(o, f, sizeof(*f));
		iota_put_chain(o, f->chain);
	}
	if (a->sharing)
		iota_sharing_put(a, o);
	iota_when_put(a, o);
}

/* ---- and in ---- */

static void add_counters(struct iota_in *in, struct iota_row *row)
{
	uint64_t *times;
	size_t n, i;

	times = (uint64_t *)iota_take_text(in, &n);
	if (n == IOTA_N_TIMES * sizeof(*times)) {
		if (!row->times)
			row->times = iota_alloc(&in->a->memory, n);
		for (i = 0; i < IOTA_N_TIMES; i++)
			row->times[i] += times[i];
	}
}

/* Takes the intervals in which a rank was in I/O. */
static void add_when(struct iota_in *in, struct iota_row *row)
{
	size_t n, i;
	const char *when = iota_take_text(in, &n);

	if (!when || !in->a->slices || n != in->a->slices->n / in->a->slices->per_row)
		return;
	if (!row->when)
		row->when = iota_alloc(&in->a->memory, n);
	for (i = 0; i < n; i++)
		row->when[i] |= when[i];
}

/* Nobody's number, of what was read, is 0. */
static void begin_processes(struct iota_in *in, uint64_t n)
{
	if (in->bad || n > in->left) {
		in->bad = true;
		return;
	}
	in->n_processes = n + 1;
	in->process = iota_grow(NULL, n + 1, sizeof(*in->process));
	memset(in->process, 0, (n + 1) * sizeof(*in->process));
}

static void take_number(struct iota_in *in, enum iota_table_id id, const struct iota_row *row)
{
	uint64_t number = iota_take_word(in);

	if (id != IOTA_BY_PROCESS)
		return;
	if (number >= in->n_processes)
		in->bad = true;
	else
		in->process[number] = row->number;
}

static void take_intervals(struct iota_in *in, struct iota_row *row, unsigned direction)
{
	struct iota_owned **to = &row->seen[direction];
	const void *p = iota_take_bytes(in, sizeof(struct iota_thinned));
	struct iota_thinned thinned;
	struct iota_interval i;
	uint64_t n;

	if (!p)
		return;
	memcpy(&thinned, p, sizeof(thinned));
	in->bad |= thinned.level > IOTA_THIN_LEVELS;
	for (n = iota_take_word(in); n && !in->bad; n--) {
		p = iota_take_bytes(in, sizeof(i));
		if (!p)
			return;
		memcpy(&i, p, sizeof(i));
		if (i.owner >= in->n_processes || i.start >= i.end) {
			in->bad = true;
			return;
		}
		i.owner = in->process[i.owner];
		iota_owned_add(&in->a->memory, to, i);
	}
	if (*to && !in->bad)
		iota_owned_added(*to, &thinned);
}

static void take_mover(struct iota_in *in, struct iota_row *row, unsigned direction, uint64_t number, uint64_t tid)
{
	if (number >= in->n_processes)
		in->bad = true;
	else
		iota_moved_by(in->a, row, direction, in->process[number], (uint32_t)tid);
}

static void take_movers(struct iota_in *in, struct iota_row *row)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		uint64_t number = iota_take_word(in), tid = iota_take_word(in), more;

		take_mover(in, row, i, number, tid);
		for (more = iota_take_word(in); more && !in->bad; more--)
			take_mover(in, row, i, iota_take_word(in), 0);
	}
	row->movers |= (unsigned char)iota_take_word(in);
}

/* Takes the threads of a process, all of which are in one part. */
static void take_team(struct iota_in *in, struct iota_row *row)
{
	const void *team = iota_take_bytes(in, sizeof(row->team));

	if (team && !row->team.n)
		memcpy(&row->team, team, sizeof(row->team));
}

/* Takes which file a name stands for, on which host. */
static void take_inode(struct iota_in *in, struct iota_row *row, const char *host)
{
	uint64_t dev = iota_take_word(in), ino = iota_take_word(in), several = iota_take_word(in);
	uint64_t gone = iota_take_word(in), reached = iota_take_word(in);

	if (ino && row->ino &&
	    (ino != row->ino || dev != row->dev || !host || !row->extra || strcmp(host, row->extra) != 0))
		row->several = true;
	if (ino && !row->ino) {
		row->dev = dev;
		row->ino = ino;
		row->extra = host;
	}
	row->several |= several;
	if (gone && (!row->rare->gone || gone < row->rare->gone))
		iota_rare_of(in->a, row)->gone = gone;
	iota_name_reached(row, reached);
}

static void take_file(struct iota_in *in, struct iota_row *row, const char *host)
{
	uint64_t removed, opened;
	uint32_t mode;
	unsigned i;

	for (i = 0; i < 2; i++)
		iota_sizes_take(in, &row->sizes[i]);
	mode = (uint32_t)iota_take_word(in);
	row->mode = row->mode ? row->mode : mode;
	row->buffering |= (unsigned char)iota_take_word(in);
	row->traits |= (uint16_t)iota_take_word(in);
	for (i = 0; i < 2; i++)
		row->placed[i] += iota_take_word(in);
	opened = iota_take_word(in);
	row->most_opened = opened > row->most_opened ? (uint32_t)opened : row->most_opened;
	removed = iota_take_word(in);
	if (removed > row->rare->removed)
		iota_rare_of(in->a, row)->removed = removed;
	take_movers(in, row);
	take_inode(in, row, host);
	for (i = 0; i < 2; i++)
		take_intervals(in, row, i);
}

static void take_row(struct iota_in *in, enum iota_table_id id)
{
	size_t key_len, name_len, extra_len, i;
	char *key = iota_take_text(in, &key_len), *name = iota_take_text(in, &name_len);
	char *extra = iota_take_text(in, &extra_len);
	uint64_t v[IOTA_N_FIELDS];
	struct iota_row *row;
	bool is_new;

	if (!key || !name) {
		in->bad = true;
		return;
	}
	row = iota_row(in->a, id, key, key_len, &is_new);
	if (is_new) {
		row->name = name;
		row->name_len = (uint32_t)name_len;
		row->extra = extra;
	}
	for (i = 0; i < iota_shapes[id].n_fields; i++)
		v[i] = iota_take_word(in);
	iota_merge(in->a, id, iota_numbers(in->a, row), v, i);
	take_number(in, id, row);
	if (id == IOTA_BY_FILE) {
		take_file(in, row, extra);
		return;
	}
	add_counters(in, row);
	add_when(in, row);
	take_team(in, row);
}

/* Takes origins, by the numbers that they had in the part. */
static void take_origins(struct iota_in *in)
{
	uint64_t n = iota_take_word(in);
	const char *call;
	size_t len;

	for (in->first_origin = in->a->spots.n_origins; n && !in->bad; n--) {
		call = iota_take_text(in, &len);
		if (call)
			iota_origin_new(in->a, call, iota_take_chain(in));
		else
			in->bad = true;
	}
}

static void take_spot(struct iota_in *in)
{
	const struct iota_spots *spots = &in->a->spots;
	uint64_t len = iota_take_word(in), v[IOTA_N_SPOT], from, does, is_syscall;
	const char *file = iota_take_bytes(in, len);
	struct iota_spot *new;
	const void *bytes;

	from = iota_take_word(in);
	does = iota_take_word(in);
	is_syscall = iota_take_word(in);
	bytes = iota_take_bytes(in, sizeof(v));
	if (!file || !bytes || from >= spots->n_origins - in->first_origin) {
		in->bad = true;
		return;
	}
	memcpy(v, bytes, sizeof(v));
	new = iota_spot_new(in->a);
	new->file = iota_row(in->a, IOTA_BY_FILE, file, len, NULL);
	new->from = spots->origin[in->first_origin + from];
	new->does = (unsigned char)does;
	new->is_syscall = is_syscall;
	iota_spot_set(in->a, new, v);
}

static void take_phases(struct iota_in *in)
{
	uint64_t n = iota_take_word(in), i;

	for (i = 0; i < n && !in->bad; i++) {
		const void *p = iota_take_bytes(in, sizeof(struct iota_phase));
		struct iota_phase phase;

		if (!p)
			return;
		memcpy(&phase, p, sizeof(phase));
		iota_phase_merge(iota_phase_at(in->a, i), &phase);
	}
}

static void take_computing(struct iota_in *in)
{
	uint64_t more[IOTA_BITS];
	const void *p = iota_take_bytes(in, sizeof(more));

	if (!p)
		return;
	memcpy(more, p, sizeof(more));
	iota_computing_merge(in->a, more);
}

static void take_lives(struct iota_in *in)
{
	struct iota_lives *l = &in->a->lives;
	uint64_t n;

	for (n = iota_take_word(in); n && !in->bad; n--) {
		const void *p = iota_take_bytes(in, sizeof(*l->life));

		if (!p)
			return;
		IOTA_ROOM(l->life, l->n, l->cap);
		memcpy(&l->life[l->n++], p, sizeof(*l->life));
	}
}

static void take_finding(struct iota_in *in)
{
	size_t n;
	const char *id = iota_take_text(in, &n), *name = iota_take_text(in, &n);
	const void *p = iota_take_bytes(in, sizeof(struct iota_finding));
	struct iota_finding f;

	if (!p || !id || !iota_rule(in->a, id)) {
		in->bad = true;
		return;
	}
	memcpy(&f, p, sizeof(f));
	f.rule = iota_rule(in->a, id);
	f.name = name;
	f.call = NULL; /* findings from before iota_done have no call */
	f.chain = iota_take_chain(in);
	iota_finding_add(in->a, f);
}

bool iota_take(struct iota *a, const void *bytes, size_t size)
{
	struct iota_in in = {.a = a, .p = bytes, .left = size};
	const void *begins = iota_take_bytes(&in, sizeof(head));
	uint64_t n;
	size_t i;

	if (!begins || memcmp(begins, head, sizeof(head)) != 0)
		return false;
	for (i = 0; i < IOTA_N_TABLES; i++) {
		n = iota_take_word(&in);
		if (!i)
			begin_processes(&in, n);
		for (; n && !in.bad; n--)
			take_row(&in, in_parts[i]);
	}
	take_origins(&in);
	for (n = iota_take_word(&in); n && !in.bad; n--)
		take_spot(&in);
	take_phases(&in);
	take_computing(&in);
	take_lives(&in);
	for (n = iota_take_word(&in); n && !in.bad; n--)
		take_finding(&in);
	if (a->sharing)
		iota_sharing_take(&in);
	free(in.process);
	return !in.bad && iota_when_take(a, in.p, in.left);
}
