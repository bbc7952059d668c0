/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat-facts.c - what stands out, as numbers.
 *
 * A fact says what happened how often and what it cost; what is to be done about
 * it is the reader's to judge.  Each kind has a threshold below which it is not
 * worth a line.
 */
#include "config.h"

#include <stdlib.h>

#include "stat.h"

/* Transfers of less than this are small; so many of them are worth a line. */
#define SMALL_BITS 12 /* 4096 bytes */
#define SMALL_LEAST 1000
#define REOPENED_LEAST 10
#define IDLE_LEAST 10
#define RANDOM_LEAST 1000
#define FAILED_LEAST 10

static struct fact *facts;
static size_t n_facts, cap_facts;

void iot_fact_add(struct fact f)
{
	if (n_facts == cap_facts) {
		cap_facts = cap_facts ? cap_facts * 2 : 16;
		facts = reallocarray(facts, cap_facts, sizeof(*facts));
		if (!facts)
			iot_die("out of memory");
	}
	facts[n_facts++] = f;
}

const struct fact *iot_facts_so_far(size_t *n)
{
	*n = n_facts;
	return facts;
}

void iot_fact_unfinished(const struct iotr_call *call)
{
	const struct iotr_path *path = call->handle ? call->handle->path : NULL;
	uint64_t end = iot_log_latest(call->log);
	struct out o = {.fd = -1};

	out_str(&o, call->schema->name);
	if (path) {
		out_lit(&o, " on ");
		iot_out_bytes(&o, path->name, path->len);
	}
	iot_fact_add((struct fact){.kind = "unfinished",
				   .name = o.buf,
				   .name_len = o.len,
				   .count = 1,
				   .pid = call->pid,
				   .tid = call->tid,
				   .time = end > call->start ? end - call->start : 0});
}

/* ---- of a file ---- */

static void small(const struct row *row, unsigned direction, const char *kind)
{
	const struct sizes *s = row->sizes[direction];
	struct fact f = {.kind = kind, .name = row->name, .name_len = row->name_len};
	unsigned i;

	for (i = 0; s && i < N_SIZES; i++) {
		f.of += s->n[i];
		if (!i || i > SMALL_BITS)
			continue;
		f.count += s->n[i];
		f.bytes += s->sum[i];
	}
	if (f.count < SMALL_LEAST || f.count < f.of / 2)
		return;
	f.time = row->v[direction ? F_WRITE_TIME : F_READ_TIME];
	iot_fact_add(f);
}

static void of_file(const struct row *row)
{
	const uint64_t *v = row->v;
	struct fact f = {.name = row->name, .name_len = row->name_len};

	small(row, 0, "small-reads");
	small(row, 1, "small-writes");
	if (v[F_OPENS] >= REOPENED_LEAST) {
		f.kind = "reopened";
		f.count = v[F_OPENS];
		f.time = v[F_OPEN_TIME];
		iot_fact_add(f);
	}
	if (v[F_IDLE_SEEKS] >= IDLE_LEAST && v[F_IDLE_SEEKS] >= v[F_SEEKS] / 2) {
		f.kind = "idle-seeks";
		f.count = v[F_IDLE_SEEKS];
		f.of = v[F_SEEKS];
		f.time = 0;
		iot_fact_add(f);
	}
	if (v[F_LOCATED] >= RANDOM_LEAST && v[F_CONSECUTIVE] < v[F_LOCATED] / 2) {
		f.kind = "scattered";
		f.count = v[F_LOCATED] - v[F_CONSECUTIVE];
		f.of = v[F_LOCATED];
		f.time = v[F_READ_TIME] + v[F_WRITE_TIME];
		iot_fact_add(f);
	}
	if (v[F_HIGHEST_READ] && v[F_READ] / 2 >= v[F_HIGHEST_READ]) {
		f.kind = "reread";
		f.count = v[F_READS];
		f.bytes = v[F_READ];
		f.of = v[F_HIGHEST_READ];
		f.time = v[F_READ_TIME];
		iot_fact_add(f);
	}
}

/* One for each, which iot_facts puts together by file. */
void iot_facts_incomplete(void)
{
	size_t n, i;
	const struct op *op = iot_ops_left(&n);

	for (i = 0; i < n; i++) {
		struct fact f = {.kind = "incomplete", .count = 1, .bytes = op[i].size};

		f.name = op[i].path ? op[i].path->name : op[i].call;
		f.name_len = op[i].path ? op[i].path->len : strlen(op[i].call);
		iot_fact_add(f);
	}
}

/* ---- of calls ---- */

static void of_call(const struct row *row)
{
	const uint64_t *v = row->v;
	struct fact f = {.name = row->name, .name_len = row->name_len, .of = v[F_CALLS]};

	if (v[F_SLOW]) {
		f.kind = "slow";
		f.count = v[F_SLOW];
		f.time = v[F_SLOW_TIME];
		iot_fact_add(f);
	}
	if (v[F_ERRORS] >= FAILED_LEAST && v[F_ERRORS] >= v[F_CALLS] / 2) {
		f.kind = "failed";
		f.count = v[F_ERRORS];
		f.time = v[F_SELF];
		iot_fact_add(f);
	}
}

static void syncs(void)
{
	static const char *const names[] = {"fsync",  "fdatasync",	 "sync",
					    "syncfs", "sync_file_range", "msync"};
	struct fact f = {.kind = "sync"};
	uint64_t total[N_COMMON];
	size_t i, j;

	for (i = 0; i < iot_tables[BY_CALL].n; i++) {
		const struct row *row = iot_tables[BY_CALL].row[i];

		for (j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
			if (strcmp(row->name, names[j]))
				continue;
			f.count += row->v[F_CALLS];
			f.time += row->v[F_SELF];
		}
	}
	iot_rows_total(&iot_tables[BY_CALL], total);
	f.of = total[F_SELF];
	if (f.count && f.time >= f.of / 10)
		iot_fact_add(f);
}

/* They have others do the reading and writing, who are not seen. */
static void unseen(void)
{
	struct fact f = {.kind = "unseen"};
	size_t i;

	for (i = 0; i < iot_tables[BY_CALL].n; i++) {
		const struct row *row = iot_tables[BY_CALL].row[i];

		if (!iot_unseen_begins(row->name) || row->v[F_ERRORS] == row->v[F_CALLS])
			continue;
		f.name = row->name;
		f.name_len = row->name_len;
		f.count = row->v[F_CALLS] - row->v[F_ERRORS];
		f.time = row->v[F_SELF];
		iot_fact_add(f);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
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
static void put_together(void)
{
	size_t i, n = 0;

	for (i = 0; i < n_facts; i++) {
		struct fact *f = &facts[i], *last = n ? &facts[n - 1] : NULL;

		if (last && !strcmp(f->kind, "incomplete") && !by_time(f, last)) {
			last->count += f->count;
			last->bytes += f->bytes;
		} else {
			facts[n++] = *f;
		}
	}
	n_facts = n;
}

const struct fact *iot_facts(size_t *n)
{
	static bool done;
	size_t i;

	if (!done) {
		for (i = 0; i < iot_tables[BY_FILE].n; i++)
			of_file(iot_tables[BY_FILE].row[i]);
		for (i = 0; i < iot_tables[BY_CALL].n; i++)
			of_call(iot_tables[BY_CALL].row[i]);
		syncs();
		unseen();
		if (n_facts)
			qsort(facts, n_facts, sizeof(*facts), by_time);
		put_together();
		done = true;
	}
	*n = n_facts;
	return facts;
}
