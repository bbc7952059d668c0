/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * facts.c - what stands out, as numbers.
 *
 * A fact says what happened how often and what it cost; what is to be done about
 * it is the reader's to judge.  Each kind has a threshold below which it is not
 * worth a line.
 */
#include "config.h"

#include <stdlib.h>

#include "internal.h"

/* Transfers of less than this are small; so many of them are worth a line. */
#define SMALL_BITS 12 /* 4096 bytes */
#define SMALL_LEAST 1000
#define REOPENED_LEAST 10
#define IDLE_LEAST 10
#define RANDOM_LEAST 1000
#define FAILED_LEAST 10

void iota_fact_add(struct iota *a, struct iota_fact f)
{
	if (a->n_facts == a->cap_facts) {
		a->cap_facts = a->cap_facts ? a->cap_facts * 2 : 16;
		a->facts = iota_grow(a->facts, a->cap_facts, sizeof(*a->facts));
	}
	a->facts[a->n_facts++] = f;
}

void iota_facts_free(struct iota *a)
{
	free(a->facts);
}

void iota_fact_unfinished(struct iota *a, const struct iotr_call *call)
{
	const struct iotr_path *path = call->handle ? call->handle->path : NULL;
	uint64_t end = iota_log_latest(call->log);
	struct iota_bytes b = {0};
	char *name;

	iota_bytes_text(&b, call->schema->name);
	if (path) {
		iota_bytes_text(&b, " on ");
		iota_bytes_add(&b, path->name, path->len);
	}
	name = iota_alloc(&a->memory, b.len);
	memcpy(name, b.p, b.len);
	free(b.p);
	iota_fact_add(a, (struct iota_fact){.kind = "unfinished",
					    .name = name,
					    .name_len = b.len,
					    .count = 1,
					    .pid = call->pid,
					    .tid = call->tid,
					    .time = end > call->start ? end - call->start : 0});
}

/* ---- of a file ---- */

static void small(struct iota *a, const struct iota_row *row, unsigned direction, const char *kind)
{
	const struct iota_sizes *s = row->sizes[direction];
	struct iota_fact f = {.kind = kind, .name = row->name, .name_len = row->name_len};
	unsigned i;

	for (i = 0; s && i < IOTA_N_SIZES; i++) {
		f.of += s->n[i];
		if (!i || i > SMALL_BITS)
			continue;
		f.count += s->n[i];
		f.bytes += s->sum[i];
	}
	if (f.count < SMALL_LEAST || f.count < f.of / 2)
		return;
	f.time = row->v[direction ? IOTA_F_WRITE_TIME : IOTA_F_READ_TIME];
	iota_fact_add(a, f);
}

static void of_file(struct iota *a, const struct iota_row *row)
{
	const uint64_t *v = row->v;
	struct iota_fact f = {.name = row->name, .name_len = row->name_len};

	small(a, row, 0, "small-reads");
	small(a, row, 1, "small-writes");
	if (v[IOTA_F_OPENS] >= REOPENED_LEAST) {
		f.kind = "reopened";
		f.count = v[IOTA_F_OPENS];
		f.time = v[IOTA_F_OPEN_TIME];
		iota_fact_add(a, f);
	}
	if (v[IOTA_F_IDLE_SEEKS] >= IDLE_LEAST && v[IOTA_F_IDLE_SEEKS] >= v[IOTA_F_SEEKS] / 2) {
		f.kind = "idle-seeks";
		f.count = v[IOTA_F_IDLE_SEEKS];
		f.of = v[IOTA_F_SEEKS];
		f.time = 0;
		iota_fact_add(a, f);
	}
	if (v[IOTA_F_LOCATED] >= RANDOM_LEAST && v[IOTA_F_CONSECUTIVE] < v[IOTA_F_LOCATED] / 2) {
		f.kind = "scattered";
		f.count = v[IOTA_F_LOCATED] - v[IOTA_F_CONSECUTIVE];
		f.of = v[IOTA_F_LOCATED];
		f.time = v[IOTA_F_READ_TIME] + v[IOTA_F_WRITE_TIME];
		iota_fact_add(a, f);
	}
	if (v[IOTA_F_HIGHEST_READ] && v[IOTA_F_READ] / 2 >= v[IOTA_F_HIGHEST_READ]) {
		f.kind = "reread";
		f.count = v[IOTA_F_READS];
		f.bytes = v[IOTA_F_READ];
		f.of = v[IOTA_F_HIGHEST_READ];
		f.time = v[IOTA_F_READ_TIME];
		iota_fact_add(a, f);
	}
}

/* One for each, which iota_facts puts together by file. */
void iota_facts_incomplete(struct iota *a)
{
	size_t n, i;
	const struct iota_op *op = iota_ops_left(&a->ops, &n);

	for (i = 0; i < n; i++) {
		struct iota_fact f = {.kind = "incomplete", .count = 1, .bytes = op[i].size};

		f.name = op[i].path ? op[i].path->name : op[i].call;
		f.name_len = op[i].path ? op[i].path->len : strlen(op[i].call);
		iota_fact_add(a, f);
	}
}

/* ---- of calls ---- */

static void of_call(struct iota *a, const struct iota_row *row)
{
	const uint64_t *v = row->v;
	struct iota_fact f = {.name = row->name, .name_len = row->name_len, .of = v[IOTA_F_CALLS]};

	if (v[IOTA_F_SLOW]) {
		f.kind = "slow";
		f.count = v[IOTA_F_SLOW];
		f.time = v[IOTA_F_SLOW_TIME];
		iota_fact_add(a, f);
	}
	if (v[IOTA_F_ERRORS] >= FAILED_LEAST && v[IOTA_F_ERRORS] >= v[IOTA_F_CALLS] / 2) {
		f.kind = "failed";
		f.count = v[IOTA_F_ERRORS];
		f.time = v[IOTA_F_SELF];
		iota_fact_add(a, f);
	}
}

static void syncs(struct iota *a)
{
	static const char *const names[] = {"fsync",  "fdatasync",	 "sync",
					    "syncfs", "sync_file_range", "msync"};
	struct iota_fact f = {.kind = "sync"};
	uint64_t total[IOTA_N_COMMON];
	size_t i, j;

	for (i = 0; i < a->table[IOTA_BY_CALL].n; i++) {
		const struct iota_row *row = a->table[IOTA_BY_CALL].row[i];

		for (j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
			if (strcmp(row->name, names[j]))
				continue;
			f.count += row->v[IOTA_F_CALLS];
			f.time += row->v[IOTA_F_SELF];
		}
	}
	iota_total(a, IOTA_BY_CALL, total);
	f.of = total[IOTA_F_SELF];
	if (f.count && f.time >= f.of / 10)
		iota_fact_add(a, f);
}

/* They have others do the reading and writing, who are not seen. */
static void unseen(struct iota *a)
{
	struct iota_fact f = {.kind = "unseen"};
	size_t i;

	for (i = 0; i < a->table[IOTA_BY_CALL].n; i++) {
		const struct iota_row *row = a->table[IOTA_BY_CALL].row[i];

		if (!iota_unseen_begins(row->name) || row->v[IOTA_F_ERRORS] == row->v[IOTA_F_CALLS])
			continue;
		f.name = row->name;
		f.name_len = row->name_len;
		f.count = row->v[IOTA_F_CALLS] - row->v[IOTA_F_ERRORS];
		f.time = row->v[IOTA_F_SELF];
		iota_fact_add(a, f);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct iota_fact *x = a, *y = b;
	int order;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	order = strcmp(x->kind, y->kind);
	if (order || !x->name || !y->name)
		return order;
	order = memcmp(x->name, y->name, x->name_len < y->name_len ? x->name_len : y->name_len);
	return order ? order : (x->name_len > y->name_len) - (x->name_len < y->name_len);
}

/* Incomplete operations of the same file, which have come next to each other. */
static void put_together(struct iota *a)
{
	size_t i, n = 0;

	for (i = 0; i < a->n_facts; i++) {
		struct iota_fact *f = &a->facts[i], *last = n ? &a->facts[n - 1] : NULL;

		if (last && !strcmp(f->kind, "incomplete") && !by_time(f, last)) {
			last->count += f->count;
			last->bytes += f->bytes;
		} else {
			a->facts[n++] = *f;
		}
	}
	a->n_facts = n;
}

const struct iota_fact *iota_facts(struct iota *a, size_t *n)
{
	size_t i;

	if (!a->facts_done) {
		for (i = 0; i < a->table[IOTA_BY_FILE].n; i++)
			of_file(a, a->table[IOTA_BY_FILE].row[i]);
		for (i = 0; i < a->table[IOTA_BY_CALL].n; i++)
			of_call(a, a->table[IOTA_BY_CALL].row[i]);
		syncs(a);
		unseen(a);
		if (a->n_facts)
			qsort(a->facts, a->n_facts, sizeof(*a->facts), by_time);
		put_together(a);
		a->facts_done = true;
	}
	*n = a->n_facts;
	return a->facts;
}
