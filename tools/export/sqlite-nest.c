/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sqlite-nest.c - which call is around which, when, and which are near each other.
 *
 * Calls come thread by thread, those inside of another before it.  The first of them gives the
 * call around them its id, which waits for it.  Where that call is left out, or not in the log,
 * its id stands for the one around it: `orphaned` has these until all calls are there.
 * What began later than the first of them is not around them: a page fault, which the kernel
 * told of later, may come with less depth than the calls that it lies between.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "sqlite.h"

#define DEPTHS 256 /* deeper calls are taken to be at this depth, as in the analysis */
#define SPAN 512   /* calls of which one row says when they were in progress */

static const struct iotr_log *log_read;
static uint32_t stream_read;
static int64_t waiting[DEPTHS]; /* ids that wait for their calls, by depth; 0: none */
static uint64_t earliest[DEPTHS]; /* beginning of a call inside of those that wait */
static unsigned n_waiting;	/* depths behind the deepest that may have one */
static int64_t ids;		/* that were given */
static bool orphans;

static struct span {
	int64_t start, end, longest, largest; /* the last two: NO_NUMBER: no call has a time, or a size */
} *spans;
static size_t n_spans, cap_spans;

static int64_t new_id(void)
{
	return iot_db_bases.calls + ++ids;
}

/* That of the call around one that began at that time. */
static int64_t id_at(unsigned depth, uint64_t start)
{
	if (!waiting[depth] || start < earliest[depth])
		earliest[depth] = start;
	if (!waiting[depth])
		waiting[depth] = new_id();
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
			orphan(id, n_waiting ? id_at(n_waiting - 1, earliest[n_waiting]) : NO_NUMBER);
	}
}

static unsigned depth_of(const struct iotr_call *call)
{
	if (call->log != log_read || call->stream != stream_read)
		forget(0);
	log_read = call->log;
	stream_read = call->stream;
	return call->depth < DEPTHS ? call->depth : DEPTHS - 1;
}

/* Calls that lie within one at that depth, if it is around them, began before it did. */
static bool is_beside(const struct iotr_call *call, unsigned depth)
{
	unsigned d;

	for (d = depth; d < n_waiting; d++)
		if (waiting[d] && earliest[d] < call->start)
			return true;
	return false;
}

struct nested iot_db_nest(const struct iotr_call *call)
{
	const unsigned depth = depth_of(call);
	const bool beside = is_beside(call, depth);
	struct nested n;

	if (!beside)
		forget(depth + 1);
	n.id = !beside && waiting[depth] ? waiting[depth] : new_id();
	n.parent = depth ? id_at(depth - 1, call->start) : NO_NUMBER;
	if (!beside) {
		waiting[depth] = 0;
		n_waiting = depth;
	}
	return n;
}

void iot_db_nest_left_out(const struct iotr_call *call)
{
	const unsigned depth = depth_of(call);

	if (!is_beside(call, depth))
		forget(depth);
}

/* The id that span number n begins with. */
static int64_t first_of(size_t n)
{
	return iot_db_bases.calls + (int64_t)n * SPAN + 1;
}

/* Behind the last one of the run the next run goes on. */
static int64_t last_of(size_t n)
{
	const int64_t last = first_of(n + 1) - 1, all = iot_db_bases.calls + ids;

	return last < all ? last : all;
}

/* The last span that was noted of each context, or name, by its number behind those of earlier runs: most of their
   calls follow each other, and need no row. */
struct noted {
	int64_t *first;
	size_t n;
};

static bool is_noted(struct noted *w, int64_t number, int64_t first)
{
	size_t i = (size_t)number;

	if (i >= w->n) {
		size_t n = 2 * i + 64;

		w->first = reallocarray(w->first, n, sizeof(*w->first));
		if (!w->first)
			iot_no_memory();
		memset(w->first + w->n, 0, (n - w->n) * sizeof(*w->first));
		w->n = n;
	}
	if (w->first[i] == first)
		return true;
	w->first[i] = first;
	return false;
}

static struct noted noted_contexts, noted_names;

static void note_name(int64_t name, int64_t first)
{
	if (name != NO_NUMBER && !is_noted(&noted_names, name - iot_db_bases.names, first))
		iot_db_add("INSERT OR IGNORE INTO name_spans VALUES(?, ?)", "ii", name, first);
}

static void note_where(int64_t first, const struct db_context *context)
{
	if (!is_noted(&noted_contexts, context->id - iot_db_bases.contexts, first))
		iot_db_add("INSERT OR IGNORE INTO context_spans VALUES(?, ?)", "ii", context->id, first);
	note_name(context->name, first);
	note_name(context->to_name, first);
}

static void raise_to(int64_t *most, int64_t v)
{
	if (v > *most)
		*most = v;
}

void iot_db_span(const int64_t v[DB_N_CALL], const struct db_context *context)
{
	const int64_t start = v[DB_CALL_START], dur = v[DB_CALL_DUR], less = v[DB_CALL_SHORT];
	size_t n = (size_t)(v[DB_CALL_ID] - iot_db_bases.calls - 1) / SPAN;

	note_where(first_of(n), context);
	if (n >= cap_spans) {
		cap_spans = n * 2 + 64;
		spans = reallocarray(spans, cap_spans, sizeof(*spans));
		if (!spans)
			iot_no_memory();
	}
	for (; n_spans <= n; n_spans++)
		spans[n_spans] = (struct span){INT64_MAX, INT64_MIN, NO_NUMBER, NO_NUMBER};
	if (start < spans[n].start)
		spans[n].start = start;
	raise_to(&spans[n].end, start + (dur == NO_NUMBER ? 0 : dur));
	raise_to(&spans[n].longest, dur);
	raise_to(&spans[n].largest, less == NO_NUMBER ? NO_NUMBER : less + v[DB_CALL_MOVED]);
}

static void forget_noted(struct noted *w)
{
	free(w->first);
	*w = (struct noted){0};
}

static void add_spans(void)
{
	size_t i;

	for (i = 0; i < n_spans; i++)
		if (spans[i].start <= spans[i].end)
			iot_db_add("INSERT INTO spans VALUES(?, ?, ?, ?, ?, ?, ?)", "iiiiiii",
				   first_of(i), last_of(i), iot_db.run, spans[i].start,
				   spans[i].end, spans[i].longest, spans[i].largest);
	free(spans);
	spans = NULL;
	n_spans = cap_spans = 0;
	forget_noted(&noted_contexts);
	forget_noted(&noted_names);
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
