/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns.c - the numbers of rows: what they are called, how they are printed, and how
 * those of two parts become one.  All that prints and merges goes by this table.
 */
#include "config.h"

#include "internal.h"

#define CALL IOTA_IN(IOTA_BY_CALL)
#define FILE IOTA_IN(IOTA_BY_FILE)
#define PROCESS IOTA_IN(IOTA_BY_PROCESS)
#define THREAD IOTA_IN(IOTA_BY_THREAD)
#define RANK IOTA_IN(IOTA_BY_RANK)
#define SITE IOTA_IN(IOTA_BY_SITE)
#define REGION IOTA_IN(IOTA_BY_REGION)
#define ALL (IOTA_IN(IOTA_N_TABLES) - 1)
#define NOT_CALL (ALL & ~CALL)

const struct iota_column iota_columns[] = {
#define COLUMN(whose, field, key, title, unit, merge, tables, quiet, of) \
	{key, title, IOTA_UNIT_##unit, IOTA_MERGE_##merge, IOTA_F_##field, tables, quiet, of},
#include "columns.def"
#undef COLUMN
	{.key = NULL},
};

bool iota_column_in(const struct iota_column *c, const struct iota_table *t)
{
	return c->tables & IOTA_IN(t->id);
}

bool iota_column_in_text(const struct iota_column *c, const struct iota_table *t)
{
	return c->title && c->tables & ~c->quiet & IOTA_IN(t->id);
}

bool iota_column_value(const struct iota_column *c, const struct iota_row *row, uint64_t *v)
{
	*v = iota_number(row, c->field);
	if (c->unit != IOTA_UNIT_RANK)
		return true;
	/* 1 more than it */
	return (*v)-- > 0;
}

void iota_merges(enum iota_table_id id, unsigned char merge[IOTA_N_FIELDS])
{
	const struct iota_column *c;

	for (c = iota_columns; c->key; c++)
		if (c->field < IOTA_N_COMMON || c->tables & IOTA_IN(id))
			merge[c->field] = (unsigned char)c->merge;
}

void iota_merge(const struct iota *a, enum iota_table_id id, uint64_t *to, const uint64_t *from,
		size_t n_fields)
{
	const unsigned char *merge = a->merge[id];
	size_t f;

	for (f = 0; f < n_fields; f++) {
		switch ((enum iota_merge)merge[f]) {
		case IOTA_MERGE_NONE:
			break;
		case IOTA_MERGE_SUM:
			to[f] += from[f];
			break;
		case IOTA_MERGE_SIZES:
			to[f] = iota_sum_of_sizes(to[f], from[f]);
			break;
		case IOTA_MERGE_MAX:
			if (from[f] > to[f])
				to[f] = from[f];
			break;
		case IOTA_MERGE_FIRST:
			if (!to[f] || (from[f] && from[f] < to[f]))
				to[f] = from[f];
			break;
		}
	}
}

void iota_total(const struct iota *a, enum iota_table_id id, uint64_t total[IOTA_N_COMMON])
{
	const struct iota_table *t = &a->table[id];
	uint64_t v[IOTA_N_COMMON];
	size_t i;

	memset(total, 0, IOTA_N_COMMON * sizeof(total[0]));
	for (i = 0; i < t->n; i++) {
		iota_numbers_copy(v, t->row[i], IOTA_N_COMMON);
		iota_merge(a, id, total, v, IOTA_N_COMMON);
	}
}
