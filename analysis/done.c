/* SPDX-License-Identifier: BSD-3-Clause */
/* done.c - what follows from the sums when all calls are there: means, percentiles, shares, and
   the order of rows. */
#include "config.h"

#include <stdlib.h>

#include "constellation.h"

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

/* By which rows are sorted: a job has more of them than caches hold. */
struct weight {
	uint64_t v, calls;
	struct iota_row *row;
};

static int by_weight(const void *a, const void *b)
{
	const struct weight *x = a, *y = b;

	if (x->v != y->v)
		return x->v > y->v ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return iota_row_by_key(x->row, y->row);
}

static void sort_by(const struct iota_table *t, enum iota_field field)
{
	struct weight *w = iota_grow(NULL, t->n + 1, sizeof(*w));
	size_t i;

	for (i = 0; i < t->n; i++) {
		struct iota_row *row = t->row[i];

		w[i] = (struct weight){iota_number(row, field), iota_number(row, IOTA_F_CALLS), row};
		if (field == IOTA_F_READ) /* bytes are two fields */
			w[i].v += iota_number(row, IOTA_F_WRITTEN);
	}
	qsort(w, t->n, sizeof(*w), by_weight);
	for (i = 0; i < t->n; i++)
		t->row[i] = w[i].row;
	free(w);
}

static void finish(struct iota *a, enum iota_table_id id, struct iota_row *row, uint64_t all)
{
	uint64_t *v = iota_numbers(a, row);

	v[IOTA_F_PERCENT] = all ? (uint64_t)((double)v[IOTA_F_SELF] / (double)all * 1e4 + 0.5) : 0;
	if (id == IOTA_BY_CALL)
		finish_call(row);
	if (id != IOTA_BY_FILE)
		return;
	v[IOTA_F_READ_SIZE] = iota_sizes_typical(row->sizes[0]);
	v[IOTA_F_WRITE_SIZE] = iota_sizes_typical(row->sizes[1]);
}

void iota_done(struct iota *a, enum iota_field by)
{
	size_t i, j;

	if (a->joins_names)
		iota_names_join(a);
	iota_runs_count(a);
	for (i = 0; i < IOTA_N_TABLES; i++) {
		struct iota_table *t = &a->table[i];
		enum iota_field sort = i == IOTA_BY_CALL && by == IOTA_F_READ ? IOTA_F_MOVED : by;
		uint64_t total[IOTA_N_COMMON];

		iota_total(a, t->id, total);
		for (j = 0; j < t->n; j++)
			finish(a, t->id, t->row[j], total[IOTA_F_SELF]);
		sort_by(t, sort);
	}
	if (a->sharing)
		iota_sharing_done(a);
}
