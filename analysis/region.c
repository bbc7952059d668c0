/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * region.c - which region of the program a call was made in: the innermost one
 * of its thread.
 *
 * Calls come thread by thread, and those inside of another before it.  So when a
 * region comes, what came since the last call of a smaller or the same depth was made
 * in it, and what is in a region inside of it has been taken away by that already.
 */
#include "config.h"

#include "internal.h"

static struct iota_row *row_at(struct iota *a, unsigned depth)
{
	struct iota_regions *open = &a->regions;

	while (open->n <= depth) {
		struct iota_row **row = &open->at[open->n++];

		if (!*row) {
			*row = iota_alloc(&a->memory, sizeof(**row) + IOTA_N_COMMON * sizeof((*row)->v[0]));
			(*row)->v = (uint64_t *)(*row + 1);
		}
		memset((*row)->v, 0, IOTA_N_COMMON * sizeof((*row)->v[0]));
	}
	return open->at[depth];
}

static void add(const struct iota *a, struct iota_row *to, const struct iota_row *from)
{
	iota_merge(a, IOTA_BY_REGION, to->v, from->v, IOTA_N_COMMON);
}

static struct iota_row *no_region(struct iota *a)
{
	return iota_row(a, IOTA_BY_REGION, "(no region)", 11, NULL);
}

/* What is deeper goes there. */
static void close_to(struct iota *a, struct iota_row *to, unsigned depth)
{
	struct iota_regions *open = &a->regions;

	while (open->n > depth + 1)
		add(a, to, open->at[--open->n]);
}

static bool anything(const struct iota_row *row)
{
	return row->v[IOTA_F_CALLS] || row->v[IOTA_F_INFERRED];
}

void iota_region_end(struct iota *a)
{
	struct iota_row *rest = a->regions.n ? row_at(a, 0) : NULL;

	if (!rest)
		return;
	close_to(a, rest, 0);
	if (anything(rest))
		add(a, no_region(a), rest);
	a->regions.n = 0;
}

static struct iota_row *row_of(struct iota *a, const struct iotr_call *call)
{
	const struct iotr_value *name = &call->value[0];
	const char *bytes = NULL;
	size_t len = 0;

	if (call->schema->n_params && name->type == IOTR_VAL_PATH) {
		bytes = name->path->name;
		len = name->path->len;
	} else if (call->schema->n_params && name->type == IOTR_VAL_BYTES) {
		bytes = name->bytes;
		len = name->len;
	}
	return len ? iota_row(a, IOTA_BY_REGION, bytes, len, NULL)
		   : iota_row(a, IOTA_BY_REGION, "(no name)", 9, NULL);
}

void iota_region_see(struct iota *a, const struct iotr_call *call)
{
	unsigned depth = call->depth < IOTA_DEPTHS ? call->depth : IOTA_DEPTHS - 1;
	struct iota_row *inside;

	if (call->log != a->regions.log || call->stream != a->regions.stream) {
		iota_region_end(a);
		a->regions.log = call->log;
		a->regions.stream = call->stream;
	}
	if (!iota_kind(a, call->schema)->region) {
		close_to(a, row_at(a, depth), depth);
		return;
	}
	inside = row_at(a, depth + 1);
	close_to(a, inside, depth + 1);
	if (anything(inside))
		add(a, row_of(a, call), inside);
	a->regions.n--;
}

/* A call that is to be counted, behind iota_region_see. */
void iota_region_add(struct iota *a, const struct iota_sample *s)
{
	unsigned depth = s->call->depth < IOTA_DEPTHS ? s->call->depth : IOTA_DEPTHS - 1;
	struct iota_row *row;

	if (!s->kind->region) {
		iota_row_add(a, row_at(a, depth), s);
		return;
	}
	row = row_of(a, s->call);
	row->v[IOTA_F_ENTERED]++;
	row->v[IOTA_F_TIME] += s->time;
}
