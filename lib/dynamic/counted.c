/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted.c - where a stream does not tell what a call moved: the kernel counts the
 * bytes that a thread has read and written, if it is asked before and after.  That
 * takes microseconds, and so is done only where nothing else will do.
 */
#include "stream.h"
#include "thread.h"
#include "usage.h"

static bool ask(struct iot_counts *now, uint64_t *cost)
{
	uint64_t io[IOT_IO_NUMBERS];

	if (!iot_usage_io(io, cost))
		return false;
	now->in = io[IOT_IO_RCHAR];
	now->out = io[IOT_IO_WCHAR];
	return true;
}

/* The thread's calls so far, and its handlers'. */
static uint32_t turns(const struct iot_thread *t)
{
	uint32_t n = 0;

	for (; t && t->state != IOT_NEW; t = t->nested)
		n += t->stream_turn;
	return n;
}

/* c->in and c->out are what the thread has done, with this asking. */
void iot_count(struct iot_counts *c, const struct iot_thread *t)
{
	uint64_t cost = 0;

	c->valid = ask(c, &cost);
	c->in += cost;
	c->turns = turns(t);
}

bool iot_count_since(struct iot_counts *c, const struct iot_thread *t)
{
	struct iot_counts now;
	uint64_t cost;

	if (!c->valid || !ask(&now, &cost) || turns(t) != c->turns)
		return false;
	c->in = now.in - c->in;
	c->out = now.out - c->out;
	return true;
}
