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

static int by_field(const void *a, const void *b, void *field)
{
	const enum iota_field *sort = field;
	const struct iota_row *x = *(struct iota_row *const *)a, *y = *(struct iota_row *const *)b;
	uint64_t vx = iota_number(x, *sort), vy = iota_number(y, *sort), nx, ny;

	/* bytes are two fields, next to each other */
	if (*sort == IOTA_F_READ) {
		vx += iota_number(x, IOTA_F_WRITTEN);
		vy += iota_number(y, IOTA_F_WRITTEN);
	}
	if (vx != vy)
		return vx > vy ? -1 : 1;
	nx = iota_number(x, IOTA_F_CALLS);
	ny = iota_number(y, IOTA_F_CALLS);
	if (nx != ny)
		return nx > ny ? -1 : 1;
	return iota_row_by_key(x, y);
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
		if (t->n)
			qsort_r(t->row, t->n, sizeof(struct iota_row *), by_field, &sort);
	}
	if (a->sharing)
		iota_sharing_done(a);
}
