/* SPDX-License-Identifier: BSD-3-Clause */
/* stat-rows.c - the tables: their columns, their rows, and what follows from those. */
#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "stat.h"

#define IN(table) (1u << (table))
#define CALL IN(BY_CALL)
#define FILE IN(BY_FILE)
#define PROCESS IN(BY_PROCESS)
#define THREAD IN(BY_THREAD)
#define RANK IN(BY_RANK)
#define REGION IN(BY_REGION)
#define ALL (IN(N_TABLES) - 1)
#define NOT_CALL (ALL & ~CALL)

/* In the order of text, where there are titles; whoever reads JSON or csv can
   rely on the keys. */
const struct column iotr_columns[] = {
	{"opens", "opens", UNIT_COUNT, F_OPENS, FILE, 0},
	{"rank", "rank", UNIT_RANK, F_RANK, PROCESS | THREAD | RANK, 0},
	{"pid", "pid", UNIT_COUNT, F_PID, PROCESS | THREAD, 0},
	{"parent", "parent", UNIT_COUNT, F_PARENT, PROCESS, 0},
	{"tid", "tid", UNIT_COUNT, F_TID, THREAD, 0},
	{"entered", "entered", UNIT_COUNT, F_ENTERED, REGION, 0},
	{"calls", "calls", UNIT_COUNT, F_CALLS, ALL, FILE},
	{"syscalls", NULL, UNIT_COUNT, F_SYSCALLS, ALL, 0},
	{"errors", "errors", UNIT_COUNT, F_ERRORS, ALL, 0},
	{"asked", NULL, UNIT_BYTES, F_ASKED, CALL, 0},
	{"moved", "bytes", UNIT_BYTES, F_MOVED, CALL, 0},
	{"reads", "reads", UNIT_COUNT, F_READS, NOT_CALL, 0},
	{"read", "bytes read", UNIT_BYTES, F_READ, NOT_CALL, 0},
	{"read_size", "size", UNIT_BYTES, F_READ_SIZE, FILE, 0},
	{"writes", "writes", UNIT_COUNT, F_WRITES, NOT_CALL, 0},
	{"written", "written", UNIT_BYTES, F_WRITTEN, NOT_CALL, 0},
	{"write_size", "size", UNIT_BYTES, F_WRITE_SIZE, FILE, 0},
	{"lib_read", "lib read", UNIT_BYTES, F_LIB_READ, NOT_CALL, 0},
	{"lib_written", "lib written", UNIT_BYTES, F_LIB_WRITTEN, NOT_CALL, 0},
	{"located", NULL, UNIT_COUNT, F_LOCATED, FILE, 0},
	{"consecutive", "cons", UNIT_SHARE, F_CONSECUTIVE, FILE, 0},
	{"sequential", "seq", UNIT_SHARE, F_SEQUENTIAL, FILE, 0},
	{"seeks", "seeks", UNIT_COUNT, F_SEEKS, FILE, 0},
	{"idle_seeks", NULL, UNIT_COUNT, F_IDLE_SEEKS, FILE, 0},
	{"syncs", NULL, UNIT_COUNT, F_SYNCS, FILE, 0},
	{"highest_read", NULL, UNIT_BYTES, F_HIGHEST_READ, FILE, 0},
	{"open_self", NULL, UNIT_SECONDS, F_OPEN_TIME, FILE, 0},
	{"read_self", NULL, UNIT_SECONDS, F_READ_TIME, FILE, 0},
	{"write_self", NULL, UNIT_SECONDS, F_WRITE_TIME, FILE, 0},
	{"start", NULL, UNIT_DATE, F_BEGIN, PROCESS, 0},
	{"elapsed", "elapsed s", UNIT_SECONDS, F_ELAPSED, PROCESS, 0},
	{"time", "total s", UNIT_SECONDS, F_TIME, CALL | REGION, 0},
	{"self", "self s", UNIT_SECONDS, F_SELF, ALL, 0},
	{"mean", "mean us", UNIT_MICROS, F_MEAN, CALL, 0},
	{"p50", "p50 us", UNIT_MICROS, F_P50, CALL, 0},
	{"p99", "p99 us", UNIT_MICROS, F_P99, CALL, 0},
	{"max", "max us", UNIT_MICROS, F_MAX, ALL, FILE},
	{"slow", NULL, UNIT_COUNT, F_SLOW, CALL, 0},
	{"slow_self", NULL, UNIT_SECONDS, F_SLOW_TIME, CALL, 0},
	{"first", NULL, UNIT_DATE, F_FIRST, FILE, 0},
	{"last", NULL, UNIT_DATE, F_LAST, FILE, 0},
	{"unfinished", NULL, UNIT_COUNT, F_UNFINISHED, ALL, 0},
	{"noreturn", NULL, UNIT_COUNT, F_NORETURN, ALL, 0},
	{"abandoned", NULL, UNIT_COUNT, F_ABANDONED, ALL, 0},
	{"inferred", NULL, UNIT_COUNT, F_INFERRED, ALL, 0},
	{"waiting", NULL, UNIT_SECONDS, F_WAITING, ALL, 0},
	{"moving", NULL, UNIT_SECONDS, F_MOVING, ALL, 0},
	{.key = NULL},
};

struct table iot_tables[N_TABLES] = {
	[BY_CALL] = {.by = "call", .plural = "calls", .name = "call", .extra = "family", .n_fields = N_CALL},
	[BY_FILE] = {.by = "file", .plural = "files", .name = "path", .n_fields = N_FILE},
	[BY_PROCESS] = {.by = "process", .plural = "processes", .name = "prog", .extra = "host", .n_fields = N_THREAD},
	[BY_THREAD] = {.by = "thread", .plural = "threads", .name = "prog", .extra = "host", .n_fields = N_THREAD},
	[BY_RANK] = {.by = "rank", .plural = "ranks", .name = "prog", .extra = "host", .n_fields = N_THREAD},
	[BY_REGION] = {.by = "region", .plural = "regions", .name = "region", .n_fields = N_REGION},
	[BY_SITE] = {.by = "site", .plural = "sites", .name = "site", .n_fields = N_COMMON},
};

bool iot_column_in(const struct column *c, const struct table *t)
{
	return c->tables & IN(t - iot_tables);
}

bool iot_column_in_text(const struct column *c, const struct table *t)
{
	return c->title && c->tables & ~c->quiet & IN(t - iot_tables);
}

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

/* The middle of the bucket in which the call of this rank is; the last is known. */
static uint64_t percentile(const struct row *row, unsigned percent)
{
	uint64_t n = 0, seen = 0, want, ns;
	unsigned i;

	for (i = 0; i < N_TIMES; i++)
		n += row->times[i];
	want = (n * percent + 99) / 100;
	if (want == n)
		return row->v[F_MAX];
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

/* Of the sizes between two powers of two that are most frequent the mean; the
   bigger ones of two that are it as often. */
static uint64_t typical_size(const struct sizes *s)
{
	unsigned i, best = 0;

	if (!s)
		return 0;
	for (i = 1; i < N_SIZES; i++)
		if (s->n[i] && s->n[i] >= s->n[best])
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
