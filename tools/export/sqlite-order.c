/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite-order.c - rows of calls, in the order of their ids.
 *
 * A call has its id from the first call inside of it, and comes behind all of these.  If its row went into
 * the database then, it would split a page of the table, and leave both halves partly empty: so rows wait until
 * those before them have come, as long as these are not too many.
 */
#include "config.h"

#include <stdlib.h>

#include "sqlite.h"

#define WAITING 8192 /* a power of two: ids from the next one on, whose rows wait */

static int64_t (*rows)[DB_N_CALL]; /* by the id; of those that have not come the id is 0 */
static int64_t next;		   /* id whose row goes into the database next */
static int64_t behind;		   /* the greatest id that has come */

static int64_t *row_of(int64_t id)
{
	return rows[id % WAITING];
}

/* The row of the next id, if it has come. */
static void leave(void)
{
	int64_t *v = row_of(next++);

	if (v[DB_CALL_ID])
		iot_db_add_call(v);
	v[DB_CALL_ID] = 0;
}

static void begin(void)
{
	next = iot_db_bases.calls + 1;
	rows = calloc(WAITING, sizeof(*rows));
	if (!rows)
		iot_no_memory();
}

void iot_db_call(const int64_t v[DB_N_CALL])
{
	if (!rows)
		begin();
	if (v[DB_CALL_ID] < next) {
		iot_db_add_call(v);
		return;
	}
	while (v[DB_CALL_ID] - next >= WAITING)
		leave();
	memcpy(row_of(v[DB_CALL_ID]), v, sizeof(*rows));
	if (v[DB_CALL_ID] > behind)
		behind = v[DB_CALL_ID];
	while (next <= behind && row_of(next)[DB_CALL_ID])
		leave();
}

void iot_db_calls_flush(void)
{
	while (rows && next <= behind)
		leave();
	free(rows);
	rows = NULL;
}
