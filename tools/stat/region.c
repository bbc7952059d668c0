/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat-region.c - which region of the program a call was made in: the innermost one
 * of its thread.
 *
 * Calls come thread by thread, and those inside of another before it.  So when a
 * region comes, what came since the last call of a smaller or the same depth was made
 * in it, and what is in a region inside of it has been taken away by that already.
 */
#include "config.h"

#include "stat.h"

/* Calls deeper than that are taken to be at this depth. */
#define DEPTHS 256

/* Of the stream that is being read: sums of calls by their depth, of which it is not
   known yet in which region they are. */
static struct {
	const struct iotr_log *log;
	uint32_t stream;
	unsigned n; /* depths */
	struct row *at[DEPTHS + 1];
} open;

static struct row *row_at(unsigned depth)
{
	while (open.n <= depth) {
		struct row **row = &open.at[open.n++];

		if (!*row)
			*row = iot_stat_alloc(sizeof(**row) + N_COMMON * sizeof((*row)->v[0]));
		memset((*row)->v, 0, N_COMMON * sizeof((*row)->v[0]));
	}
	return open.at[depth];
}

static void add(struct row *to, const struct row *from)
{
	unsigned f;

	for (f = 0; f < N_COMMON; f++)
		if (f != F_MAX)
			to->v[f] += from->v[f];
		else if (from->v[f] > to->v[f])
			to->v[f] = from->v[f];
}

static struct row *no_region(void)
{
	return iot_row(BY_REGION, "(no region)", 11, NULL);
}

/* What is deeper goes there. */
static void close_to(struct row *to, unsigned depth)
{
	while (open.n > depth + 1)
		add(to, open.at[--open.n]);
}

static bool anything(const struct row *row)
{
	return row->v[F_CALLS] || row->v[F_INFERRED];
}

void iot_region_end(void)
{
	struct row *rest = open.n ? row_at(0) : NULL;

	if (!rest)
		return;
	close_to(rest, 0);
	if (anything(rest))
		add(no_region(), rest);
	open.n = 0;
}

static struct row *row_of(const struct iotr_call *call)
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
	return len ? iot_row(BY_REGION, bytes, len, NULL) : iot_row(BY_REGION, "(no name)", 9, NULL);
}

void iot_region_see(const struct iotr_call *call)
{
	unsigned depth = call->depth < DEPTHS ? call->depth : DEPTHS - 1;
	struct row *inside;

	if (call->log != open.log || call->stream != open.stream) {
		iot_region_end();
		open.log = call->log;
		open.stream = call->stream;
	}
	if (!iot_stat_kind(call->schema)->region) {
		close_to(row_at(depth), depth);
		return;
	}
	inside = row_at(depth + 1);
	close_to(inside, depth + 1);
	if (anything(inside))
		add(row_of(call), inside);
	open.n--;
}

/* A call that is to be counted, behind iot_region_see. */
void iot_region_add(const struct sample *s)
{
	unsigned depth = s->call->depth < DEPTHS ? s->call->depth : DEPTHS - 1;
	struct row *row;

	if (!s->kind->region) {
		iot_row_add(row_at(depth), s);
		return;
	}
	row = row_of(s->call);
	row->v[F_ENTERED]++;
	row->v[F_TIME] += s->time;
}
