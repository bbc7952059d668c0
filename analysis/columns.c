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

#define COUNT IOTA_UNIT_COUNT
#define BYTES IOTA_UNIT_BYTES
#define SECONDS IOTA_UNIT_SECONDS
#define MICROS IOTA_UNIT_MICROS
#define DATE IOTA_UNIT_DATE
#define SHARE IOTA_UNIT_SHARE
#define NUMBER IOTA_UNIT_RANK

#define NONE IOTA_MERGE_NONE
#define SUM IOTA_MERGE_SUM
#define SIZES IOTA_MERGE_SIZES
#define MAX IOTA_MERGE_MAX
#define FIRST IOTA_MERGE_FIRST

/* In the order of text, where there are titles; whoever reads JSON or csv can
   rely on the keys. */
const struct iota_column iota_columns[] = {
	{"opens", "opens", COUNT, SUM, IOTA_F_OPENS, FILE, 0, 0},
	{"rank", "rank", NUMBER, MAX, IOTA_F_RANK, PROCESS | THREAD | RANK, 0, 0},
	{"pid", "pid", COUNT, MAX, IOTA_F_PID, PROCESS | THREAD, 0, 0},
	{"parent", "parent", COUNT, MAX, IOTA_F_PARENT, PROCESS, 0, 0},
	{"tid", "tid", COUNT, MAX, IOTA_F_TID, THREAD, 0, 0},
	{"entered", "entered", COUNT, SUM, IOTA_F_ENTERED, REGION, 0, 0},
	{"calls", "calls", COUNT, SUM, IOTA_F_CALLS, ALL, FILE, 0},
	{"syscalls", NULL, COUNT, SUM, IOTA_F_SYSCALLS, ALL, 0, 0},
	{"errors", "errors", COUNT, SUM, IOTA_F_ERRORS, ALL, 0, 0},
	{"asked", NULL, BYTES, SIZES, IOTA_F_ASKED, CALL, 0, 0},
	{"moved", "bytes", BYTES, SUM, IOTA_F_MOVED, CALL, 0, 0},
	{"reads", "reads", COUNT, SUM, IOTA_F_READS, NOT_CALL, 0, 0},
	{"read", "bytes read", BYTES, SUM, IOTA_F_READ, NOT_CALL, 0, 0},
	{"read_size", "size", BYTES, NONE, IOTA_F_READ_SIZE, FILE, 0, 0},
	{"writes", "writes", COUNT, SUM, IOTA_F_WRITES, NOT_CALL, 0, 0},
	{"written", "written", BYTES, SUM, IOTA_F_WRITTEN, NOT_CALL, 0, 0},
	{"write_size", "size", BYTES, NONE, IOTA_F_WRITE_SIZE, FILE, 0, 0},
	{"lib_read", "lib read", BYTES, SUM, IOTA_F_LIB_READ, NOT_CALL, 0, 0},
	{"lib_written", "lib written", BYTES, SUM, IOTA_F_LIB_WRITTEN, NOT_CALL, 0, 0},
	{"located", NULL, COUNT, SUM, IOTA_F_LOCATED, FILE, 0, 0},
	{"consecutive", "cons", SHARE, SUM, IOTA_F_CONSECUTIVE, FILE, 0, IOTA_F_LOCATED},
	{"sequential", "seq", SHARE, SUM, IOTA_F_SEQUENTIAL, FILE, 0, IOTA_F_LOCATED},
	{"seeks", "seeks", COUNT, SUM, IOTA_F_SEEKS, FILE, 0, 0},
	{"idle_seeks", NULL, COUNT, SUM, IOTA_F_IDLE_SEEKS, FILE, 0, 0},
	{"syncs", NULL, COUNT, SUM, IOTA_F_SYNCS, FILE, 0, 0},
	{"looked_for", NULL, BYTES, SUM, IOTA_F_LOOKED, FILE, 0, 0},
	{"cached", "hit", SHARE, SUM, IOTA_F_CACHED, FILE, 0, IOTA_F_LOOKED},
	{"fetched", "fetched", BYTES, SUM, IOTA_F_FETCHED, FILE, 0, 0},
	{"dirtied", "dirtied", BYTES, SUM, IOTA_F_DIRTIED, FILE, 0, 0},
	{"faults", "faults", COUNT, SUM, IOTA_F_FAULTS, FILE, 0, 0},
	{"major_faults", "major", COUNT, SUM, IOTA_F_MAJOR, FILE, 0, 0},
	{"highest_read", NULL, BYTES, MAX, IOTA_F_HIGHEST_READ, FILE, 0, 0},
	{"open_self", NULL, SECONDS, SUM, IOTA_F_OPEN_TIME, FILE, 0, 0},
	{"read_self", NULL, SECONDS, SUM, IOTA_F_READ_TIME, FILE, 0, 0},
	{"write_self", NULL, SECONDS, SUM, IOTA_F_WRITE_TIME, FILE, 0, 0},
	{"start", NULL, DATE, FIRST, IOTA_F_BEGIN, PROCESS, 0, 0},
	{"elapsed", "elapsed s", SECONDS, MAX, IOTA_F_ELAPSED, PROCESS, 0, 0},
	{"time", "total s", SECONDS, SUM, IOTA_F_TIME, CALL | REGION, 0, 0},
	{"self", "self s", SECONDS, SUM, IOTA_F_SELF, ALL, 0, 0},
	{"percent", "%", IOTA_UNIT_PERCENT, NONE, IOTA_F_PERCENT, CALL | FILE | SITE | REGION, 0, 0},
	{"mean", "mean us", MICROS, NONE, IOTA_F_MEAN, CALL, 0, 0},
	{"p50", "p50 us", MICROS, NONE, IOTA_F_P50, CALL, 0, 0},
	{"p99", "p99 us", MICROS, NONE, IOTA_F_P99, CALL, 0, 0},
	{"max", "max us", MICROS, MAX, IOTA_F_MAX, ALL, FILE, 0},
	{"slow", NULL, COUNT, SUM, IOTA_F_SLOW, CALL, 0, 0},
	{"slow_self", NULL, SECONDS, SUM, IOTA_F_SLOW_TIME, CALL, 0, 0},
	{"undivided", NULL, SECONDS, SUM, IOTA_F_UNDIVIDED, CALL, 0, 0},
	{"first", NULL, DATE, FIRST, IOTA_F_FIRST, FILE, 0, 0},
	{"last", NULL, DATE, MAX, IOTA_F_LAST, FILE, 0, 0},
	{"unfinished", NULL, COUNT, SUM, IOTA_F_UNFINISHED, ALL, 0, 0},
	{"noreturn", NULL, COUNT, SUM, IOTA_F_NORETURN, ALL, 0, 0},
	{"abandoned", NULL, COUNT, SUM, IOTA_F_ABANDONED, ALL, 0, 0},
	{"inferred", NULL, COUNT, SUM, IOTA_F_INFERRED, ALL, 0, 0},
	{"io", "I/O", SHARE, SUM, IOTA_F_IO, PROCESS | THREAD | RANK, 0, IOTA_F_LIVED},
	{"io", NULL, SECONDS, SUM, IOTA_F_IO, CALL | FILE | SITE | REGION, 0, 0},
	{"moving", NULL, SECONDS, SUM, IOTA_F_MOVING, ALL, 0, 0},
	{"metadata", NULL, SECONDS, SUM, IOTA_F_METADATA, ALL, 0, 0},
	{"syncing", NULL, SECONDS, SUM, IOTA_F_SYNCING, ALL, 0, 0},
	{"waiting", NULL, SECONDS, SUM, IOTA_F_WAITING, ALL, 0, 0},
	{"memory", NULL, SECONDS, SUM, IOTA_F_MEMORY, ALL, 0, 0},
	{"thread_count", NULL, COUNT, SUM, IOTA_F_THREADS, PROCESS | RANK, 0, 0},
	{"lived", NULL, SECONDS, SUM, IOTA_F_LIVED, PROCESS | THREAD | RANK, 0, 0},
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
