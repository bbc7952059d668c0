/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.c - what the numbers of rows are called, and how they are printed. */
#include "config.h"

#include "internal.h"

#define CALL IOTA_IN(IOTA_BY_CALL)
#define FILE IOTA_IN(IOTA_BY_FILE)
#define PROCESS IOTA_IN(IOTA_BY_PROCESS)
#define THREAD IOTA_IN(IOTA_BY_THREAD)
#define RANK IOTA_IN(IOTA_BY_RANK)
#define REGION IOTA_IN(IOTA_BY_REGION)
#define ALL (IOTA_IN(IOTA_N_TABLES) - 1)
#define NOT_CALL (ALL & ~CALL)

/* In the order of text, where there are titles; whoever reads JSON or csv can
   rely on the keys. */
const struct iota_column iota_columns[] = {
	{"opens", "opens", IOTA_UNIT_COUNT, IOTA_F_OPENS, FILE, 0},
	{"rank", "rank", IOTA_UNIT_RANK, IOTA_F_RANK, PROCESS | THREAD | RANK, 0},
	{"pid", "pid", IOTA_UNIT_COUNT, IOTA_F_PID, PROCESS | THREAD, 0},
	{"parent", "parent", IOTA_UNIT_COUNT, IOTA_F_PARENT, PROCESS, 0},
	{"tid", "tid", IOTA_UNIT_COUNT, IOTA_F_TID, THREAD, 0},
	{"entered", "entered", IOTA_UNIT_COUNT, IOTA_F_ENTERED, REGION, 0},
	{"calls", "calls", IOTA_UNIT_COUNT, IOTA_F_CALLS, ALL, FILE},
	{"syscalls", NULL, IOTA_UNIT_COUNT, IOTA_F_SYSCALLS, ALL, 0},
	{"errors", "errors", IOTA_UNIT_COUNT, IOTA_F_ERRORS, ALL, 0},
	{"asked", NULL, IOTA_UNIT_BYTES, IOTA_F_ASKED, CALL, 0},
	{"moved", "bytes", IOTA_UNIT_BYTES, IOTA_F_MOVED, CALL, 0},
	{"reads", "reads", IOTA_UNIT_COUNT, IOTA_F_READS, NOT_CALL, 0},
	{"read", "bytes read", IOTA_UNIT_BYTES, IOTA_F_READ, NOT_CALL, 0},
	{"read_size", "size", IOTA_UNIT_BYTES, IOTA_F_READ_SIZE, FILE, 0},
	{"writes", "writes", IOTA_UNIT_COUNT, IOTA_F_WRITES, NOT_CALL, 0},
	{"written", "written", IOTA_UNIT_BYTES, IOTA_F_WRITTEN, NOT_CALL, 0},
	{"write_size", "size", IOTA_UNIT_BYTES, IOTA_F_WRITE_SIZE, FILE, 0},
	{"lib_read", "lib read", IOTA_UNIT_BYTES, IOTA_F_LIB_READ, NOT_CALL, 0},
	{"lib_written", "lib written", IOTA_UNIT_BYTES, IOTA_F_LIB_WRITTEN, NOT_CALL, 0},
	{"located", NULL, IOTA_UNIT_COUNT, IOTA_F_LOCATED, FILE, 0},
	{"consecutive", "cons", IOTA_UNIT_SHARE, IOTA_F_CONSECUTIVE, FILE, 0},
	{"sequential", "seq", IOTA_UNIT_SHARE, IOTA_F_SEQUENTIAL, FILE, 0},
	{"seeks", "seeks", IOTA_UNIT_COUNT, IOTA_F_SEEKS, FILE, 0},
	{"idle_seeks", NULL, IOTA_UNIT_COUNT, IOTA_F_IDLE_SEEKS, FILE, 0},
	{"syncs", NULL, IOTA_UNIT_COUNT, IOTA_F_SYNCS, FILE, 0},
	{"highest_read", NULL, IOTA_UNIT_BYTES, IOTA_F_HIGHEST_READ, FILE, 0},
	{"open_self", NULL, IOTA_UNIT_SECONDS, IOTA_F_OPEN_TIME, FILE, 0},
	{"read_self", NULL, IOTA_UNIT_SECONDS, IOTA_F_READ_TIME, FILE, 0},
	{"write_self", NULL, IOTA_UNIT_SECONDS, IOTA_F_WRITE_TIME, FILE, 0},
	{"start", NULL, IOTA_UNIT_DATE, IOTA_F_BEGIN, PROCESS, 0},
	{"elapsed", "elapsed s", IOTA_UNIT_SECONDS, IOTA_F_ELAPSED, PROCESS, 0},
	{"time", "total s", IOTA_UNIT_SECONDS, IOTA_F_TIME, CALL | REGION, 0},
	{"self", "self s", IOTA_UNIT_SECONDS, IOTA_F_SELF, ALL, 0},
	{"mean", "mean us", IOTA_UNIT_MICROS, IOTA_F_MEAN, CALL, 0},
	{"p50", "p50 us", IOTA_UNIT_MICROS, IOTA_F_P50, CALL, 0},
	{"p99", "p99 us", IOTA_UNIT_MICROS, IOTA_F_P99, CALL, 0},
	{"max", "max us", IOTA_UNIT_MICROS, IOTA_F_MAX, ALL, FILE},
	{"slow", NULL, IOTA_UNIT_COUNT, IOTA_F_SLOW, CALL, 0},
	{"slow_self", NULL, IOTA_UNIT_SECONDS, IOTA_F_SLOW_TIME, CALL, 0},
	{"first", NULL, IOTA_UNIT_DATE, IOTA_F_FIRST, FILE, 0},
	{"last", NULL, IOTA_UNIT_DATE, IOTA_F_LAST, FILE, 0},
	{"unfinished", NULL, IOTA_UNIT_COUNT, IOTA_F_UNFINISHED, ALL, 0},
	{"noreturn", NULL, IOTA_UNIT_COUNT, IOTA_F_NORETURN, ALL, 0},
	{"abandoned", NULL, IOTA_UNIT_COUNT, IOTA_F_ABANDONED, ALL, 0},
	{"inferred", NULL, IOTA_UNIT_COUNT, IOTA_F_INFERRED, ALL, 0},
	{"waiting", NULL, IOTA_UNIT_SECONDS, IOTA_F_WAITING, ALL, 0},
	{"moving", NULL, IOTA_UNIT_SECONDS, IOTA_F_MOVING, ALL, 0},
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
