/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat-parts.c - sums as bytes, and added up again: the logs of a job can be summed up
 * in parts, by several processes of the same build, and the parts put together.
 *
 * All that a row has can be added, but what follows from the rest; that is worked out
 * when all is there (iot_rows_done).
 */
#include "config.h"

#include "stat.h"

/* ---- out ---- */

static void put_word(struct out *o, uint64_t v)
{
	iot_out_bytes(o, (const char *)&v, sizeof(v));
}

/* NULL is not the same as nothing. */
static void put_text(struct out *o, const char *s, size_t n)
{
	put_word(o, s ? n : UINT64_MAX);
	if (s)
		iot_out_bytes(o, s, n);
}

static void put_row(struct out *o, const struct table *t, const struct row *row)
{
	unsigned i;

	put_text(o, row->key, row->key_len);
	put_text(o, row->name, row->name_len);
	put_text(o, row->extra, row->extra ? strlen(row->extra) : 0);
	iot_out_bytes(o, (const char *)row->v, t->n_fields * sizeof(row->v[0]));
	put_text(o, (const char *)row->times, N_TIMES * sizeof(row->times[0]));
	for (i = 0; i < 2; i++)
		put_text(o, (const char *)row->sizes[i], sizeof(struct sizes));
}

void iot_stat_put(struct out *o)
{
	size_t i, j, n;
	const struct fact *f = iot_facts_so_far(&n);

	for (i = 0; i < N_TABLES; i++) {
		put_word(o, iot_tables[i].n);
		for (j = 0; j < iot_tables[i].n; j++)
			put_row(o, &iot_tables[i], iot_tables[i].row[j]);
	}
	put_word(o, n);
	for (i = 0; i < n; i++) {
		put_text(o, f[i].kind, strlen(f[i].kind));
		put_text(o, f[i].name, f[i].name_len);
		iot_out_bytes(o, (const char *)&f[i], sizeof(f[i]));
	}
}

/* ---- and in ---- */

struct in {
	const char *p;
	size_t left;
	bool bad;
};

static const void *take(struct in *in, size_t n)
{
	const char *p = in->p;

	if (in->bad || n > in->left) {
		in->bad = true;
		return NULL;
	}
	in->p += n;
	in->left -= n;
	return p;
}

static uint64_t take_word(struct in *in)
{
	const void *p = take(in, sizeof(uint64_t));
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return v;
}

/* A copy that stays, '\0' behind it; NULL if there is none. */
static char *take_text(struct in *in, size_t *len)
{
	uint64_t n = take_word(in);
	const void *p = n == UINT64_MAX ? NULL : take(in, n);
	char *copy;

	*len = 0;
	if (!p)
		return NULL;
	copy = iot_stat_alloc(n + 1);
	memcpy(copy, p, n);
	*len = n;
	return copy;
}

static void add_field(enum table_id id, size_t field, uint64_t *to, uint64_t v)
{
	bool of_thread = id == BY_PROCESS || id == BY_THREAD || id == BY_RANK;
	bool earliest = (id == BY_FILE && field == F_FIRST) || (of_thread && field == F_BEGIN);
	bool greatest = field == F_MAX ||
			(id == BY_FILE && (field == F_LAST || field == F_HIGHEST_READ)) ||
			(of_thread && field >= N_COMMON);

	if (earliest)
		*to = !*to || (v && v < *to) ? v : *to;
	else if (greatest)
		*to = v > *to ? v : *to;
	else if (id == BY_CALL && field == F_ASKED)
		*to = iot_sum_of_sizes(*to, v);
	else
		*to += v;
}

static void add_counters(struct in *in, struct row *row)
{
	uint64_t *times;
	size_t n, i, j;

	times = (uint64_t *)take_text(in, &n);
	if (n == N_TIMES * sizeof(*times)) {
		if (!row->times)
			row->times = iot_stat_alloc(n);
		for (i = 0; i < N_TIMES; i++)
			row->times[i] += times[i];
	}
	for (j = 0; j < 2; j++) {
		struct sizes *sizes = (struct sizes *)take_text(in, &n);

		if (n != sizeof(*sizes))
			continue;
		if (!row->sizes[j])
			row->sizes[j] = iot_stat_alloc(n);
		for (i = 0; i < N_SIZES; i++) {
			row->sizes[j]->n[i] += sizes->n[i];
			row->sizes[j]->sum[i] += sizes->sum[i];
		}
	}
}

static void take_row(struct in *in, enum table_id id)
{
	size_t key_len, name_len, extra_len, i;
	char *key = take_text(in, &key_len), *name = take_text(in, &name_len);
	char *extra = take_text(in, &extra_len);
	struct row *row;
	bool is_new;

	if (!key || !name) {
		in->bad = true;
		return;
	}
	row = iot_row(id, key, key_len, &is_new);
	if (is_new) {
		row->name = name;
		row->name_len = name_len;
		row->extra = extra;
	}
	for (i = 0; i < iot_tables[id].n_fields; i++)
		add_field(id, i, &row->v[i], take_word(in));
	add_counters(in, row);
}

static void take_fact(struct in *in)
{
	size_t n;
	const char *kind = take_text(in, &n), *name = take_text(in, &n);
	const void *p = take(in, sizeof(struct fact));
	struct fact f;

	if (!p)
		return;
	memcpy(&f, p, sizeof(f));
	f.kind = kind;
	f.name = name;
	iot_fact_add(f);
}

bool iot_stat_take(const void *bytes, size_t size)
{
	struct in in = {.p = bytes, .left = size};
	uint64_t n;
	size_t i;

	for (i = 0; i < N_TABLES; i++)
		for (n = take_word(&in); n && !in.bad; n--)
			take_row(&in, (enum table_id)i);
	for (n = take_word(&in); n && !in.bad; n--)
		take_fact(&in);
	return !in.bad && !in.left;
}
