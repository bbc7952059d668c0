/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * window.c - looking at a window while its thread stores records into it.
 *
 * The thread waits for nobody, so what is read may change while it is read.  What
 * helps is the order in which it stores:
 *
 *	a call begins:	slot's other members, slot.start
 *	it ends:	record, used, slot.start = 0
 *	window full:	copy behind the log, (seq + 1, used = 0) in one word, base
 *			and so on, records, used
 *	thread ended:	copy, all of header and slots = 0, another stream's, magic
 *
 * x86 stores in program order, and reads that follow each other see the file at
 * moments that follow each other; within one read the order is not known, but for
 * aligned words being whole.  From this follows:
 *
 *  - If two reads both show a slot with the same contents and start, it held this
 *    call at the first one's end: starts only grow, and the members were stored
 *    before start and stay until the call is over.
 *  - A call that had begun when the first read began is in its slot then, unless it
 *    was over: so it is seen in the slots, or `used`, read later, counts its record.
 *    (A thread that lost the processor between reading the clock and storing start
 *    is the exception; followers leave it some time.)
 *  - If seq and stream are the same in three reads, what the second shows of base
 *    and the counts belongs to that block; it is of the block before only as long
 *    as used is 0.
 *  - Records below used do not change while seq stays: iotr_block_read checks that
 *    it did, after reading them.  Else the copy was finished before seq moved.
 *
 * t/model/follow.pml models this, and what follow-log.c makes of it.
 */
#include "config.h"

#include <string.h>

#include "blocks.h"
#include "live.h"
#include "log-bytes.h"

void iotr_window_add(struct iotr_log *log, uint64_t off)
{
	log->window =
		iotr_grow(log->window, &log->cap_windows, log->n_windows + 1, sizeof(*log->window));
	log->window[log->n_windows++] = (struct iotr_window){.off = off};
}

static bool read_at(struct iotr_log *log, uint64_t off, void *buf, size_t size)
{
	return iotr_bytes_read(log, buf, size, off) == size;
}

static bool any_slot(const struct iotr_snapshot *snap)
{
	unsigned i;

	for (i = 0; i < IOT_MAX_SLOTS; i++)
		if (snap->slot[i].start)
			return true;
	return false;
}

/* Keeps the slots that both have. */
static void keep_same(struct iotr_snapshot *snap, const struct iotr_snapshot *again)
{
	unsigned i;

	for (i = 0; i < IOT_MAX_SLOTS; i++)
		if (memcmp(&snap->slot[i], &again->slot[i], sizeof(snap->slot[i])))
			snap->slot[i].start = 0;
}

static bool same(const struct iot_block *a, const struct iot_block *b)
{
	return b->magic == IOT_BLOCK_MAGIC && a->stream == b->stream && a->seq == b->seq;
}

/* known: what its header was when last looked at, or NULL */
enum iotr_look iotr_window_look(struct iotr_log *log, uint64_t off, const struct iot_block *known,
				struct iotr_snapshot *snap)
{
	struct iotr_snapshot again;
	struct iot_block used, after;
	uint32_t stream;
	int try;

	for (try = 0; try < 16; try++) {
		if (!read_at(log, off, snap, sizeof(*snap)) || snap->head.magic != IOT_BLOCK_MAGIC)
			return IOTR_LOOK_NONE;
		stream = snap->head.stream;
		if (any_slot(snap)) {
			if (!read_at(log, off, &again, sizeof(again)))
				return IOTR_LOOK_NONE;
			keep_same(snap, &again);
		}
		if (!read_at(log, off, &used, sizeof(used)))
			return IOTR_LOOK_NONE;
		if (used.stream != stream)
			continue;
		if (known && same(known, &used) && known->used == used.used) {
			snap->head = *known;
			return IOTR_LOOK_OK;
		}
		if (!read_at(log, off, &snap->head, sizeof(snap->head)) ||
		    !read_at(log, off, &after, sizeof(after)))
			return IOTR_LOOK_NONE;
		if (!same(&used, &snap->head) || !same(&used, &after))
			continue;
		snap->head.used = used.used;
		return IOTR_LOOK_OK;
	}
	return IOTR_LOOK_BUSY;
}
