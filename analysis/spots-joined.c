/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spots-joined.c - what becomes of spots (spots.c) when all calls have come: each gets the lines
 * of its stack, and spots that have the same lines become one.
 */
#include "config.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "spots.h"

static int by_chain_and_call(const void *a, const void *b)
{
	const struct iota_origin *x = *(struct iota_origin *const *)a, *y = *(struct iota_origin *const *)b;
	int order = iota_chain_compare(x->chain, y->chain);

	return order ? order : strcmp(x->call, y->call);
}

/* Chains and names are compared once for all files. */
static void rank_origins(const struct iota_spots *s)
{
	struct iota_origin **o = iota_grow(NULL, s->n_origins + 1, sizeof(struct iota_origin *));
	size_t i;

	for (i = 0; i < s->n_origins; i++)
		o[i] = s->origin[i];
	qsort(o, s->n_origins, sizeof(struct iota_origin *), by_chain_and_call);
	for (i = 0; i < s->n_origins; i++)
		o[i]->rank = i && !by_chain_and_call(&o[i - 1], &o[i]) ? o[i - 1]->rank : (uint32_t)i;
	free(o);
}

static int by_rank(const void *a, const void *b)
{
	const struct iota_spot *x = *(struct iota_spot *const *)a, *y = *(struct iota_spot *const *)b;

	return (x->from->rank > y->from->rank) - (x->from->rank < y->from->rank);
}

struct file {
	const char *key;
	uint32_t len;
	struct iota_row *row;
};

static int by_key(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return x->len != y->len ? (x->len < y->len ? -1 : 1) : memcmp(x->key, y->key, x->len);
}

/* By file; those of a file keep their order. */
static void sort_by_file(const struct iota_table *t, struct iota_spots *s)
{
	struct file *file = iota_grow(NULL, t->n + 1, sizeof(*file));
	struct iota_spot *spot;
	size_t i, n = 0;

	for (i = 0; i < t->n; i++) {
		file[i] = (struct file){t->row[i]->key, t->row[i]->key_len, t->row[i]};
		t->row[i]->spots = NULL;
	}
	qsort(file, t->n, sizeof(*file), by_key);
	for (i = s->n; i-- > 0;) {
		spot = s->spot[i];
		spot->next_of_file = spot->file->spots;
		spot->file->spots = spot;
	}
	for (i = 0; i < t->n; i++)
		for (spot = file[i].row->spots; spot; spot = spot->next_of_file)
			s->spot[n++] = spot;
	free(file);
}

/* By file, and then by lines and name of the call. */
static void sort_all(const struct iota_table *files, struct iota_spots *s)
{
	size_t i, j;

	rank_origins(s);
	sort_by_file(files, s);
	for (i = 0; i < s->n; i = j) {
		for (j = i + 1; j < s->n && s->spot[j]->file == s->spot[i]->file; j++)
			;
		qsort(s->spot + i, j - i, sizeof(struct iota_spot *), by_rank);
	}
}

static bool are_one(const struct iota_spot *x, const struct iota_spot *y)
{
	return x->file == y->file && x->from->rank == y->from->rank;
}

/* The compiler has told Fortran's runtime "file:line"; there is nothing more to know. */
static struct iota_chain *chain_of_statement(struct iota *a, const struct iotr_path *at)
{
	const char *colon = memrchr(at->name, ':', at->len);
	struct iota_chain *chain = iota_chain_new(a, 1);
	struct iota_bytes file = {0};

	iota_bytes_add(&file, at->name, colon ? (size_t)(colon - at->name) : at->len);
	iota_bytes_add(&file, "", 1);
	chain->at[0] = iota_place(a, &(struct iota_place){.file = file.p,
							  .line = colon ? atoi(colon + 1) : 0});
	free(file.p);
	return chain;
}

/* As much as there is room for. */
static void add(uint32_t *to, uint64_t n)
{
	*to = n < UINT32_MAX - *to ? *to + (uint32_t)n : UINT32_MAX;
}

/* Rules ask each spot about all that its file has. */
static void sum_up(struct iota *a, struct iota_spot *first)
{
	struct iota_spot *s, *of_line = first;
	struct iota_row *file = first->file;

	for (s = first; s; s = s->next_of_file) {
		if (iota_chain_compare(s->from->chain, of_line->from->chain))
			of_line = s;
		s->of_line = of_line;
		if (iota_stays(s) && iota_spot_v(s, IOTA_S_LOCATED) > file->rare->stays)
			iota_rare_of(a, file)->stays = iota_spot_v(s, IOTA_S_LOCATED);
		if (s->does == IOTA_DOES_CLOSE)
			add(&file->closed, iota_spot_v(s, IOTA_S_CALLS) - iota_spot_v(s, IOTA_S_BENEATH));
		add(&file->known, iota_spot_v(s, IOTA_S_CLOSED));
	}
}

static void sum_up_job(struct iota_spots *all, const struct iota_spot *s)
{
	all->refused += iota_spot_v(s, IOTA_S_REFUSED);
	if (s->from->roles & (IOTA_STARTS | IOTA_EXECS) && !iota_spot_v(s, IOTA_S_BENEATH))
		all->programs += iota_spot_v(s, IOTA_S_CALLS) - iota_spot_v(s, IOTA_S_ERRORS);
}

void iota_spots_sort(struct iota *a)
{
	struct iota_spots *s = &a->spots;
	size_t i, n = 0;

	sort_all(&a->table[IOTA_BY_FILE], s);
	for (i = 0; i < s->n; i++) {
		if (n && are_one(s->spot[n - 1], s->spot[i]))
			iota_spot_join(a, s->spot[n - 1], s->spot[i]);
		else
			s->spot[n++] = s->spot[i];
	}
	s->n = n;
	for (i = 0; i < n; i++)
		s->spot[i]->file->spots = NULL;
	while (i--) {
		struct iota_chain *chain = s->spot[i]->from->chain;

		s->spot[i]->next_of_file = s->spot[i]->file->spots;
		s->spot[i]->file->spots = s->spot[i];
		sum_up_job(s, s->spot[i]);
		iota_chain_callers(chain);
		if (chain && !iota_spot_v(s->spot[i], IOTA_S_BENEATH))
			iota_function_count(chain->at[0]->function, s->spot[i]);
	}
	for (i = 0; i < n; i++)
		if (s->spot[i]->file->spots == s->spot[i])
			sum_up(a, s->spot[i]);
}

/* What has been remembered of the last call gives way. */
static void begin_judging(struct iota_spot *spot)
{
	spot->next_of_file = spot->of_line = NULL;
	spot->weight = 0;
}

void iota_spots_finish(struct iota *a)
{
	struct iota_spots *s = &a->spots;
	size_t i;

	for (i = 0; i < s->n_origins; i++) {
		struct iota_origin *o = s->origin[i];

		if (o->statement)
			o->chain = chain_of_statement(a, o->statement);
		else if (o->stack)
			o->chain = iota_chain_of(a, o);
	}
	iota_opened_finish(a);
	for (i = 0; i < s->n; i++)
		begin_judging(s->spot[i]);
	free(s->hash);
	free(s->origin_hash);
	s->hash = NULL;
	s->origin_hash = NULL;
	s->size = s->origin_size = 0;
}

static void nothing(void *place)
{
	(void)place;
}

void iota_spots_free(struct iota *a)
{
	free(a->spots.spot);
	free(a->spots.hash);
	free(a->spots.origin);
	free(a->spots.origin_hash);
	iota_opened_free(a);
	tdestroy(a->spots.places, nothing);
	tdestroy(a->spots.functions, nothing);
}
