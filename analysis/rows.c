/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - the tables, their rows, and what follows from those. */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "constellation.h"

const struct iota_shape iota_shapes[IOTA_N_TABLES] = {
	[IOTA_BY_CALL] = {.by = "call",
			  .plural = "calls",
			  .name = "call",
			  .extra = "family",
			  .n_fields = IOTA_N_CALL},
	[IOTA_BY_FILE] = {.by = "file", .plural = "files", .name = "path", .n_fields = IOTA_N_FILE},
	[IOTA_BY_PROCESS] = {.by = "process",
			     .plural = "processes",
			     .name = "prog",
			     .extra = "host",
			     .n_fields = IOTA_N_THREAD},
	[IOTA_BY_THREAD] = {.by = "thread",
			    .plural = "threads",
			    .name = "prog",
			    .extra = "host",
			    .n_fields = IOTA_N_THREAD},
	[IOTA_BY_RANK] = {.by = "rank",
			  .plural = "ranks",
			  .name = "prog",
			  .extra = "host",
			  .n_fields = IOTA_N_THREAD},
	[IOTA_BY_REGION] = {.by = "region",
			    .plural = "regions",
			    .name = "region",
			    .n_fields = IOTA_N_REGION},
	[IOTA_BY_SITE] = {.by = "site",
			  .plural = "sites",
			  .name = "site",
			  .n_fields = IOTA_N_COMMON},
};

/* ---- rows ---- */

static int by_key(const void *a, const void *b)
{
	const struct iota_row *x = a, *y = b;

	if (x->key_len != y->key_len)
		return x->key_len < y->key_len ? -1 : 1;
	return memcmp(x->key, y->key, x->key_len);
}

static struct iota_row *new_row(struct iota *a, struct iota_table *t, const char *key, size_t len)
{
	struct iota_row *row =
		iota_alloc(&a->memory, sizeof(*row) + t->shape->n_fields * sizeof(row->v[0]));
	char *copy = iota_alloc(&a->memory, len + 1);

	memcpy(copy, key, len);
	row->key = row->name = copy;
	row->key_len = row->name_len = len;
	if (t->n == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 64;
		t->row = iota_grow(t->row, t->cap, sizeof(struct iota_row *));
	}
	t->row[t->n++] = row;
	row->number = (uint32_t)t->n;
	return row;
}

/* A tree: logs may be made to hurt, and a tree's worst case is good. */
const struct iota_row *iota_row_find(const struct iota *a, enum iota_table_id id, const char *key,
				     size_t len)
{
	struct iota_row wanted = {.key = key, .key_len = len}, **at;

	at = tfind(&wanted, &a->table[id].tree, by_key);
	return at ? *at : NULL;
}

struct iota_row *iota_row(struct iota *a, enum iota_table_id id, const char *key, size_t len,
			  bool *is_new)
{
	struct iota_table *t = &a->table[id];
	struct iota_row wanted = {.key = key, .key_len = len}, **at, *row;

	at = tfind(&wanted, &t->tree, by_key);
	if (is_new)
		*is_new = !at;
	if (at)
		return *at;
	row = new_row(a, t, key, len);
	iota_tree_add(&t->tree, row, by_key);
	return row;
}

const struct iota_table *iota_table(const struct iota *a, enum iota_table_id id)
{
	return &a->table[id];
}

void iota_total(const struct iota *a, enum iota_table_id id, uint64_t total[IOTA_N_COMMON])
{
	const struct iota_table *t = &a->table[id];
	size_t i;

	memset(total, 0, IOTA_N_COMMON * sizeof(total[0]));
	for (i = 0; i < t->n; i++)
		iota_merge(a, id, total, t->row[i]->v, IOTA_N_COMMON);
}

/* ---- what follows ---- */

/* The middle of the bucket in which the call of this rank is; the last is known. */
static uint64_t percentile(const struct iota_row *row, unsigned percent)
{
	uint64_t n = 0, seen = 0, want, ns;
	unsigned i;

	for (i = 0; i < IOTA_N_TIMES; i++)
		n += row->times[i];
	want = (n * percent + 99) / 100;
	if (want == n)
		return row->v[IOTA_F_MAX];
	for (i = 0; i < IOTA_N_TIMES && n; i++) {
		seen += row->times[i];
		if (seen < want)
			continue;
		ns = i < 4 ? i : ((4ull + i % 4) << (i / 4 - 1)) + ((1ull << (i / 4 - 1)) >> 1);
		return ns < row->v[IOTA_F_MAX] ? ns : row->v[IOTA_F_MAX];
	}
	return 0;
}

static void finish_call(struct iota_row *row)
{
	uint64_t *v = row->v, ended = 0;
	unsigned i;

	for (i = 0; i < IOTA_N_TIMES; i++)
		ended += row->times[i];
	v[IOTA_F_MEAN] = ended ? v[IOTA_F_TIME] / ended : 0;
	v[IOTA_F_P50] = percentile(row, 50);
	v[IOTA_F_P99] = percentile(row, 99);
}

static int by_field(const void *a, const void *b, void *field)
{
	const enum iota_field *sort = field;
	const struct iota_row *x = *(struct iota_row *const *)a, *y = *(struct iota_row *const *)b;
	uint64_t vx = x->v[*sort], vy = y->v[*sort];

	/* bytes are two fields, next to each other */
	if (*sort == IOTA_F_READ) {
		vx += x->v[IOTA_F_WRITTEN];
		vy += y->v[IOTA_F_WRITTEN];
	}
	if (vx != vy)
		return vx > vy ? -1 : 1;
	if (x->v[IOTA_F_CALLS] != y->v[IOTA_F_CALLS])
		return x->v[IOTA_F_CALLS] > y->v[IOTA_F_CALLS] ? -1 : 1;
	return by_key(x, y);
}

static void finish(enum iota_table_id id, struct iota_row *row, uint64_t all)
{
	row->v[IOTA_F_PERCENT] = all ? (uint64_t)((double)row->v[IOTA_F_SELF] / (double)all * 1e4 + 0.5) : 0;
	if (id == IOTA_BY_CALL)
		finish_call(row);
	if (id != IOTA_BY_FILE)
		return;
	row->v[IOTA_F_READ_SIZE] = iota_sizes_typical(row->sizes[0]);
	row->v[IOTA_F_WRITE_SIZE] = iota_sizes_typical(row->sizes[1]);
}

void iota_done(struct iota *a, enum iota_field by)
{
	size_t i, j;

	if (a->joins_names)
		iota_names_join(a);
	for (i = 0; i < IOTA_N_TABLES; i++) {
		struct iota_table *t = &a->table[i];
		enum iota_field sort = i == IOTA_BY_CALL && by == IOTA_F_READ ? IOTA_F_MOVED : by;
		uint64_t total[IOTA_N_COMMON];

		iota_total(a, t->id, total);
		for (j = 0; j < t->n; j++)
			finish(t->id, t->row[j], total[IOTA_F_SELF]);
		if (t->n)
			qsort_r(t->row, t->n, sizeof(struct iota_row *), by_field, &sort);
	}
	if (a->sharing)
		iota_sharing_done(a);
}
