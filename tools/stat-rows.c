/* SPDX-License-Identifier: BSD-3-Clause */
/* stat-rows.c - the tables: their columns, their rows, and what follows from those. */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "stat.h"

/* In the order of text, where there are titles; whoever reads JSON or csv can
   rely on the keys. */
static const struct column call_columns[] = {
	{"calls", "calls", UNIT_COUNT, F_CALLS},
	{"syscalls", NULL, UNIT_COUNT, F_SYSCALLS},
	{"errors", "errors", UNIT_COUNT, F_ERRORS},
	{"asked", NULL, UNIT_BYTES, F_ASKED},
	{"moved", "bytes", UNIT_BYTES, F_MOVED},
	{"time", "total s", UNIT_SECONDS, F_TIME},
	{"self", "self s", UNIT_SECONDS, F_SELF},
	{"mean", "mean us", UNIT_MICROS, F_MEAN},
	{"p50", "p50 us", UNIT_MICROS, F_P50},
	{"p99", "p99 us", UNIT_MICROS, F_P99},
	{"max", "max us", UNIT_MICROS, F_MAX},
	{"slow", NULL, UNIT_COUNT, F_SLOW},
	{"slow_self", NULL, UNIT_SECONDS, F_SLOW_TIME},
	{"unfinished", NULL, UNIT_COUNT, F_UNFINISHED},
	{"noreturn", NULL, UNIT_COUNT, F_NORETURN},
	{"abandoned", NULL, UNIT_COUNT, F_ABANDONED},
	{"inferred", NULL, UNIT_COUNT, F_INFERRED},
	{0},
};

#define COMMON_BEGIN                                                                               \
	{"calls", "calls", UNIT_COUNT, F_CALLS}, {"syscalls", NULL, UNIT_COUNT, F_SYSCALLS},       \
	{                                                                                          \
		"errors", "errors", UNIT_COUNT, F_ERRORS                                           \
	}

#define COMMON_END                                                                                 \
	{"self", "self s", UNIT_SECONDS, F_SELF}, {"max", "max us", UNIT_MICROS, F_MAX},           \
		{"unfinished", NULL, UNIT_COUNT, F_UNFINISHED},                                    \
		{"noreturn", NULL, UNIT_COUNT, F_NORETURN},                                        \
		{"abandoned", NULL, UNIT_COUNT, F_ABANDONED},                                      \
	{                                                                                          \
		"inferred", NULL, UNIT_COUNT, F_INFERRED                                           \
	}

static const struct column file_columns[] = {
	{"opens", "opens", UNIT_COUNT, F_OPENS},
	COMMON_BEGIN,
	{"reads", "reads", UNIT_COUNT, F_READS},
	{"read", "bytes read", UNIT_BYTES, F_READ},
	{"read_size", "size", UNIT_BYTES, F_READ_SIZE},
	{"writes", "writes", UNIT_COUNT, F_WRITES},
	{"written", "written", UNIT_BYTES, F_WRITTEN},
	{"write_size", "size", UNIT_BYTES, F_WRITE_SIZE},
	{"located", NULL, UNIT_COUNT, F_LOCATED},
	{"consecutive", "cons", UNIT_SHARE, F_CONSECUTIVE},
	{"sequential", "seq", UNIT_SHARE, F_SEQUENTIAL},
	{"seeks", "seeks", UNIT_COUNT, F_SEEKS},
	{"idle_seeks", NULL, UNIT_COUNT, F_IDLE_SEEKS},
	{"syncs", NULL, UNIT_COUNT, F_SYNCS},
	{"highest_read", NULL, UNIT_BYTES, F_HIGHEST_READ},
	{"open_self", NULL, UNIT_SECONDS, F_OPEN_TIME},
	{"first", NULL, UNIT_DATE, F_FIRST},
	{"last", NULL, UNIT_DATE, F_LAST},
	COMMON_END,
	{0},
};

#define TRANSFERS                                                                                  \
	{"reads", "reads", UNIT_COUNT, F_READS}, {"read", "bytes read", UNIT_BYTES, F_READ},       \
		{"writes", "writes", UNIT_COUNT, F_WRITES},                                        \
	{                                                                                          \
		"written", "written", UNIT_BYTES, F_WRITTEN                                        \
	}

static const struct column process_columns[] = {
	{"pid", "pid", UNIT_COUNT, F_PID},
	COMMON_BEGIN,
	TRANSFERS,
	{"start", NULL, UNIT_DATE, F_BEGIN},
	{"elapsed", "elapsed s", UNIT_SECONDS, F_ELAPSED},
	COMMON_END,
	{0},
};

static const struct column thread_columns[] = {
	{"pid", "pid", UNIT_COUNT, F_PID},
	{"tid", "tid", UNIT_COUNT, F_TID},
	COMMON_BEGIN,
	TRANSFERS,
	COMMON_END,
	{0},
};

static const struct column site_columns[] = {
	COMMON_BEGIN,
	TRANSFERS,
	COMMON_END,
	{0},
};

struct table iot_tables[N_TABLES] = {
	[BY_CALL] = {"call", "calls", "call", "family", call_columns, N_CALL},
	[BY_FILE] = {"file", "files", "path", NULL, file_columns, N_FILE},
	[BY_PROCESS] = {"process", "processes", "prog", "host", process_columns, N_THREAD},
	[BY_THREAD] = {"thread", "threads", "prog", "host", thread_columns, N_THREAD},
	[BY_SITE] = {"site", "sites", "site", NULL, site_columns, N_COMMON},
};

/* ---- rows ---- */

void *iot_stat_alloc(size_t size)
{
	static char *chunk;
	static size_t left;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (size > left) {
		left = size > 65536 ? size : 65536;
		chunk = calloc(1, left);
		if (!chunk)
			iot_die("out of memory");
	}
	p = chunk;
	chunk += size;
	left -= size;
	return p;
}

static int by_key(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->key_len != y->key_len)
		return x->key_len < y->key_len ? -1 : 1;
	return memcmp(x->key, y->key, x->key_len);
}

static struct row *new_row(struct table *t, const char *key, size_t len)
{
	struct row *row = iot_stat_alloc(sizeof(*row) + t->n_fields * sizeof(row->v[0]));
	char *copy = iot_stat_alloc(len + 1);

	memcpy(copy, key, len);
	row->key = row->name = copy;
	row->key_len = row->name_len = len;
	if (t->n == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 64;
		t->row = reallocarray(t->row, t->cap, sizeof(struct row *));
		if (!t->row)
			iot_die("out of memory");
	}
	t->row[t->n++] = row;
	return row;
}

/* A tree: logs may be made to hurt, and a tree's worst case is good. */
struct row *iot_row(enum table_id id, const char *key, size_t len, bool *is_new)
{
	struct table *t = &iot_tables[id];
	struct row wanted = {.key = key, .key_len = len}, **at, *row;

	at = tfind(&wanted, &t->tree, by_key);
	if (is_new)
		*is_new = !at;
	if (at)
		return *at;
	row = new_row(t, key, len);
	if (!tsearch(row, &t->tree, by_key))
		iot_die("out of memory");
	return row;
}

void iot_rows_total(const struct table *t, uint64_t total[N_COMMON])
{
	size_t i, f;

	memset(total, 0, N_COMMON * sizeof(total[0]));
	for (i = 0; i < t->n; i++)
		for (f = 0; f < N_COMMON; f++)
			if (f != F_MAX)
				total[f] += t->row[i]->v[f];
			else if (t->row[i]->v[f] > total[f])
				total[f] = t->row[i]->v[f];
}

/* ---- what follows ---- */

/* The middle of the bucket in which the call of this rank is. */
static uint64_t percentile(const struct row *row, unsigned percent)
{
	uint64_t n = 0, seen = 0, want, ns;
	unsigned i;

	for (i = 0; i < N_TIMES; i++)
		n += row->times[i];
	want = (n * percent + 99) / 100;
	for (i = 0; i < N_TIMES && n; i++) {
		seen += row->times[i];
		if (seen < want)
			continue;
		ns = i < 4 ? i : ((4ull + i % 4) << (i / 4 - 1)) + ((1ull << (i / 4 - 1)) >> 1);
		return ns < row->v[F_MAX] ? ns : row->v[F_MAX];
	}
	return 0;
}

static void finish_call(struct row *row)
{
	uint64_t *v = row->v, ended = 0;
	unsigned i;

	for (i = 0; i < N_TIMES; i++)
		ended += row->times[i];
	v[F_MEAN] = ended ? v[F_TIME] / ended : 0;
	v[F_P50] = percentile(row, 50);
	v[F_P99] = percentile(row, 99);
}

/* Of the sizes between two powers of two that are most frequent the mean. */
static uint64_t typical_size(const struct sizes *s)
{
	unsigned i, best = 0;

	if (!s)
		return 0;
	for (i = 1; i < N_SIZES; i++)
		if (s->n[i] > s->n[best])
			best = i;
	return s->n[best] ? s->sum[best] / s->n[best] : 0;
}

static enum field sort_field;

static int by_field(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	uint64_t vx = x->v[sort_field], vy = y->v[sort_field];

	/* bytes are two fields, next to each other */
	if (sort_field == F_READ) {
		vx += x->v[F_WRITTEN];
		vy += y->v[F_WRITTEN];
	}
	if (vx != vy)
		return vx > vy ? -1 : 1;
	if (x->v[F_CALLS] != y->v[F_CALLS])
		return x->v[F_CALLS] > y->v[F_CALLS] ? -1 : 1;
	return by_key(x, y);
}

void iot_rows_done(enum field by)
{
	size_t i, j;

	for (i = 0; i < N_TABLES; i++) {
		struct table *t = &iot_tables[i];

		for (j = 0; j < t->n; j++) {
			struct row *row = t->row[j];

			if (i == BY_CALL)
				finish_call(row);
			if (i != BY_FILE)
				continue;
			row->v[F_READ_SIZE] = typical_size(row->sizes[0]);
			row->v[F_WRITE_SIZE] = typical_size(row->sizes[1]);
		}
		sort_field = i == BY_CALL && by == F_READ ? F_MOVED : by;
		if (t->n)
			qsort(t->row, t->n, sizeof(struct row *), by_field);
	}
}
