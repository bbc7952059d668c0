/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite-nest.c - which call is around which, and when.
 *
 * Calls come thread by thread, those inside of another before it.  The first of them gives the
 * call around them its id, which waits for it.  Where that call is left out, or not in the log,
 * its id stands for the one around it: `orphaned` has these until all calls are there.
 */
#include "config.h"

#include <stdlib.h>

#include "sqlite.h"

#define DEPTHS 256 /* deeper calls are taken to be at this depth, as in the analysis */
#define SPAN 512   /* calls of which one row says when they were in progress */

static const struct iotr_log *log_read;
static uint32_t stream_read;
static int64_t waiting[DEPTHS]; /* ids that wait for their calls, by depth; 0: none */
static unsigned n_waiting;	/* depths behind the deepest that may have one */
static int64_t ids;		/* that were given */
static bool orphans;

static struct span {
	int64_t start, end;
} *spans;
static size_t n_spans, cap_spans;

static int64_t id_at(unsigned depth)
{
	if (!waiting[depth])
		waiting[depth] = iot_db_bases.calls + ++ids;
	if (n_waiting <= depth)
		n_waiting = depth + 1;
	return waiting[depth];
}

static void orphan(int64_t id, int64_t parent)
{
	orphans = true;
	iot_db_add("INSERT INTO orphaned VALUES(?, ?)", "ii", id, parent);
}

/* Calls that deep have not come, and will not: the thread has come back to less. */
static void forget(unsigned depth)
{
	while (n_waiting > depth) {
		int64_t id = waiting[--n_waiting];

		waiting[n_waiting] = 0;
		if (id)
			orphan(id, n_waiting ? id_at(n_waiting - 1) : NO_NUMBER);
	}
}

static unsigned depth_of(const struct iotr_call *call)
{
	unsigned depth = call->depth < DEPTHS ? call->depth : DEPTHS - 1;

	if (call->log != log_read || call->stream != stream_read)
		forget(0);
	log_read = call->log;
	stream_read = call->stream;
	forget(depth + 1);
	return depth;
}

struct nested iot_db_nest(const struct iotr_call *call)
{
	unsigned depth = depth_of(call);
	struct nested n = {.id = id_at(depth), .parent = depth ? id_at(depth - 1) : NO_NUMBER};

	waiting[depth] = 0;
	n_waiting = depth;
	return n;
}

void iot_db_nest_left_out(const struct iotr_call *call)
{
	forget(depth_of(call));
}

void iot_db_span(int64_t id, int64_t start, int64_t end)
{
	size_t n = (size_t)(id - iot_db_bases.calls - 1) / SPAN;

	if (n >= cap_spans) {
		cap_spans = n * 2 + 64;
		spans = reallocarray(spans, cap_spans, sizeof(*spans));
		if (!spans)
			iot_no_memory();
	}
	for (; n_spans <= n; n_spans++)
		spans[n_spans] = (struct span){INT64_MAX, INT64_MIN};
	if (start < spans[n].start)
		spans[n].start = start;
	if (end > spans[n].end)
		spans[n].end = end;
}

static void add_spans(void)
{
	size_t i;

	for (i = 0; i < n_spans; i++)
		if (spans[i].start <= spans[i].end)
			iot_db_add("INSERT INTO spans VALUES(?, ?, ?, ?, ?)", "iiiii",
				   iot_db_bases.calls + (int64_t)i * SPAN + 1,
				   iot_db_bases.calls + (int64_t)(i + 1) * SPAN, iot_db.run, spans[i].start,
				   spans[i].end);
	free(spans);
	spans = NULL;
	n_spans = cap_spans = 0;
}

void iot_db_nest_end(void)
{
	forget(0);
	add_spans();
	while (orphans) {
		iot_db_run("UPDATE calls SET parent_id = (SELECT o.parent FROM orphaned o WHERE o.id = calls.parent_id)"
			   " WHERE parent_id IN (SELECT id FROM orphaned)");
		orphans = sqlite3_changes(iot_db.handle) != 0;
	}
}
