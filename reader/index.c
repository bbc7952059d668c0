/* SPDX-License-Identifier: BSD-3-Clause */
/* index.c - pass 1: streams put in order, and what must be known beforehand. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "define.h"
#include "log-bytes.h"
#include "record.h"
#include "schema.h"

/* By seq; a window behind the copy of the same seq. */
static int by_seq(const void *a, const void *b)
{
	const struct iotr_ref *x = a, *y = b;
	bool wx = x->flags & IOT_BLOCK_WINDOW, wy = y->flags & IOT_BLOCK_WINDOW;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	if (wx != wy)
		return wx ? 1 : -1;
	return x->off < y->off ? -1 : 1;
}

/* Takes the blocks below a number that the walk found, and those that there were before it. */
static void take_found(struct iotr_stream *s, uint64_t below)
{
	size_t i, n = 0;

	for (i = 0; i < s->n_found; i++) {
		if (s->found[i].seq >= below && !s->found[i].early) {
			s->found[n++] = s->found[i];
			continue;
		}
		s->ref = iotr_grow_few(s->ref, &s->cap_refs, s->n_refs + 1, sizeof(*s->ref));
		s->ref[s->n_refs++] = s->found[i];
	}
	s->n_found = n;
	if (n)
		return;
	free(s->found);
	s->found = NULL;
	s->cap_found = 0;
}

/*
 * While the walk went on, windows further back may have been copied behind its
 * limit and begun anew before we came to them: those copies belong to what we saw.
 * So do those of a window that was left altogether, of which we may have seen nothing:
 * its stream began before.  Nothing else does.
 */
static void find_blocks(struct iotr_log *log)
{
	size_t i, j;

	iotr_extents_walk(log);
	for (i = 0; i < log->n_streams; i++)
		take_found(log->stream[i], UINT64_MAX);
	iotr_extents_more(log);
	for (i = 0; i < log->n_streams; i++) {
		struct iotr_stream *s = log->stream[i];
		uint64_t below = 0;

		for (j = 0; j < s->n_refs; j++)
			if (s->ref[j].seq >= below)
				below = s->ref[j].seq + 1ULL;
		take_found(s, below);
	}
}

/* A block is missing, or there twice.  So it may be in a job's log that was made while other
   threads of the rank went on: then the rank has kept its own, which has them all. */
static void misplaced(struct iotr_log *log, struct iotr_stream *s, const char *what, uint32_t seq)
{
	if (log->job && !log->header.ended)
		log->torn = true;
	else
		iotr_say(log, IOTR_DAMAGE, "stream %u %s %u", s->id, what, seq);
}

static void order_blocks(struct iotr_log *log, struct iotr_stream *s)
{
	uint64_t min = UINT64_MAX;
	size_t i, n = 0;

	if (s->n_refs)
		qsort(s->ref, s->n_refs, sizeof(*s->ref), by_seq);
	for (i = 0; i < s->n_refs; i++) {
		if (n && s->ref[n - 1].seq == s->ref[i].seq) {
			/* the window stands for the copy that was being made of it */
			if (!(s->ref[i].flags & IOT_BLOCK_WINDOW) ||
			    (s->ref[n - 1].flags & IOT_BLOCK_WINDOW))
				misplaced(log, s, "has two blocks with number", s->ref[i].seq);
			s->ref[i].copy = s->ref[n - 1].off;
			n--;
		} else if (n ? s->ref[i].seq != s->ref[n - 1].seq + 1 : s->ref[i].seq != 0) {
			if (!s->ref[i].lost && !(s->ref[i].flags & IOT_BLOCK_GAP))
				misplaced(log, s, "lacks the blocks before number", s->ref[i].seq);
		}
		s->ref[n++] = s->ref[i];
	}
	s->n_refs = n;
	for (i = n; i-- > 0;) {
		if (s->ref[i].clipped)
			iotr_say(log, IOTR_DAMAGE, "the block at offset %llu is cut short",
				 (unsigned long long)s->ref[i].off);
		if (s->ref[i].base < min)
			min = s->ref[i].base;
		s->ref[i].min_base = min;
		log->lost_blocks.calls += s->ref[i].lost;
		log->total += s->ref[i].used;
	}
}

struct scan {
	struct iotr_log *log;
	struct iotr_stream *stream;
	struct iotr_ref *ref;
	const uint64_t *from;	 /* what lies before was scanned */
	uint32_t n_defs, n_late; /* of the whole block */
	bool at_once;		 /* all of it is wanted, not just its late records */
};

static void on_def(void *arg, unsigned kind, const uint64_t *p, size_t n)
{
	struct scan *scan = arg;

	scan->n_defs += kind != IOT_DEF_TIME && kind != IOT_DEF_USAGE;
	if (kind == IOT_DEF_USAGE)
		iotr_usage_take(scan->stream, p, n);
	if (p >= scan->from)
		iotr_define(scan->log, scan->stream->process, kind, p, n);
}

/* Calls that were in progress when the block began end soon, most of them: their records are
   among its first. */
static bool on_record(void *arg, const struct iotr_entry *e, const uint64_t *w, size_t n)
{
	struct scan *scan = arg;
	struct iotr_stream *s = scan->stream;

	(void)n;
	if (!scan->ref->n_late || e->start >= scan->ref->base)
		return true;
	scan->n_late++;
	if (w >= scan->from) {
		s->late = iotr_grow(s->late, &s->cap_late, s->n_late + 1, sizeof(*s->late));
		s->late[s->n_late++] = (struct iotr_late){*e, (uint32_t)(scan->ref - s->ref)};
	}
	return scan->at_once || scan->n_late < scan->ref->n_late;
}

static int late_order(const void *a, const void *b)
{
	const struct iotr_late *x = a, *y = b;

	if (iotr_entry_before(&x->e, &y->e))
		return -1;
	if (iotr_entry_before(&y->e, &x->e))
		return 1;
	return x->block < y->block ? -1 : x->block > y->block;
}

void iotr_late_sort(struct iotr_stream *s)
{
	if (s->n_late > s->i_late)
		qsort(s->late + s->i_late, s->n_late - s->i_late, sizeof(*s->late), late_order);
}

/* The calls in progress, by start. */
void iotr_slots_put(struct iotr_stream *s, const struct iot_slot *slot, size_t n)
{
	struct iotr_entry *entry;
	uint16_t depth = 0;
	size_t i;

	s->n_slots = s->i_slot = 0;
	for (i = 0; i < n; i++) {
		unsigned at = s->n_slots;

		depth += !iotr_slot_vacant(&slot[i]);
		if (!slot[i].start || !(slot[i].call & (IOTR_MAX_CALL - 1)))
			continue;
		if (!s->slots)
			s->slots = iotr_alloc(sizeof(*s->slots));
		entry = s->slots->entry;
		entry[at] = (struct iotr_entry){
			.start = slot[i].start,
			.offset = IOTR_UNKNOWN,
			.stack = slot[i].stack,
			.call = (uint16_t)(slot[i].call & (IOTR_MAX_CALL - 1)),
			.depth = depth - 1,
			.status = IOTR_UNFINISHED,
		};
		s->slots->slot[at] = slot[i];
		/* outer calls began first; what a crash left may say otherwise */
		for (; at > 0 && iotr_entry_before(&entry[at], &entry[at - 1]); at--) {
			struct iot_slot *sorted = s->slots->slot, ts = sorted[at];
			struct iotr_entry te = entry[at];

			entry[at] = entry[at - 1];
			entry[at - 1] = te;
			sorted[at] = sorted[at - 1];
			sorted[at - 1] = ts;
		}
		s->n_slots++;
	}
}

/* How many slots a window has. */
size_t iotr_slots_in(uint32_t header_size, uint32_t depth)
{
	size_t max = (header_size - sizeof(struct iot_block)) / sizeof(struct iot_slot);

	if (max > IOT_MAX_SLOTS)
		max = IOT_MAX_SLOTS;
	return depth < max ? depth : max;
}

static void read_slots(struct iotr_log *log, struct iotr_stream *s, const struct iotr_ref *ref)
{
	size_t n, max = iotr_slots_in(ref->header_size, ref->depth);
	struct iot_slot slot[IOT_MAX_SLOTS];

	n = iotr_bytes_read(log, slot, max * sizeof(slot[0]), ref->off + sizeof(struct iot_block));
	iotr_slots_put(s, slot, n / sizeof(slot[0]));
}

/* Takes in what a block defines, if that is wanted at once, and its late records: all of
   them, or those that have come since it was scanned last. */
void iotr_block_scan(struct iotr_log *log, struct iotr_stream *s, struct iotr_ref *ref, bool at_once,
		     uint64_t **words, size_t *cap)
{
	struct scan scan = {.log = log, .stream = s, .ref = ref, .at_once = at_once};
	struct iot_block head = {0};
	size_t n;

	n = iotr_block_read(log, s, ref, &head, words, cap);
	scan.from = *words + ref->scanned / 8;
	/* What is wrong with the records is said in pass 2, once. */
	iotr_records_walk(log, &head, *words, n, on_record, on_def, &scan, NULL);
	ref->scanned_defs = scan.n_defs;
	ref->scanned_late = scan.n_late;
}

/* Must the block be read before any call is?  For what it defines, or because a
   window's last anchors date the calls at the end of a log that was cut short, or since
   the last block has what the thread used in all. */
static bool wanted_at_once(const struct iotr_stream *s, const struct iotr_ref *ref)
{
	return ref->n_defs || (ref->flags & IOT_BLOCK_WINDOW) || ref == s->ref + s->n_refs - 1;
}

static void scan_blocks(struct iotr_log *log, struct iotr_stream *s, bool at_once)
{
	uint64_t *words = NULL;
	size_t cap = 0, i;

	for (i = 0; i < s->n_refs; i++)
		if (wanted_at_once(s, &s->ref[i]) == at_once && (at_once || s->ref[i].n_late) &&
		    i >= s->first_ref && !s->ref[i].late_known && !s->ref[i].late_passed) {
			iotr_block_scan(log, s, &s->ref[i], at_once, &words, &cap);
			s->ref[i].late_known = true;
		}
	free(words);
}

static void scan_stream(struct iotr_log *log, struct iotr_stream *s)
{
	scan_blocks(log, s, true);
	if (s->n_refs && (s->ref[s->n_refs - 1].flags & IOT_BLOCK_WINDOW) && !s->ref[s->n_refs - 1].damaged)
		read_slots(log, s, &s->ref[s->n_refs - 1]);
}

/* The calls that began before their block did.  Only those who want calls in order
   need them beforehand. */
void iotr_index_late(struct iotr_stream *s)
{
	scan_blocks(s->log, s, false);
	iotr_late_sort(s);
}

/* What threads can have reserved and not filled when their process was killed. */
#define FAIR (16u << 20)

/*
 * A process that is killed can leave space behind the end of the file that was
 * reserved but not filled: for copies of windows, or for windows of new threads.
 * Nothing is lost then.  Anything else means that the file lost its end, and so does a file
 * that is shorter than when its process ended.
 */
void iotr_index_end(struct iotr_log *log)
{
	uint64_t missing = 0;
	bool windows = false;
	size_t i;

	/* threads that ended have given theirs away, but one is always left */
	for (i = 0; i < log->n_streams; i++) {
		struct iotr_stream *s = log->stream[i];

		windows |= s->has_window ||
			   (s->n_refs && (s->ref[s->n_refs - 1].flags & IOT_BLOCK_WINDOW));
	}
	if (log->walked < log->header.end && log->walked >= log->size)
		missing = log->header.end - log->walked;
	/* A copy need not reach its end, a window does: it was made with its space. */
	if ((log->last_is_window && log->last_end > log->size) || missing > FAIR ||
	    (missing && !windows) || log->header.ended > log->size)
		iotr_say(log, IOTR_DAMAGE, "is cut short: %llu bytes of %llu are there",
			 (unsigned long long)log->size, (unsigned long long)log->header.end);
}

/* By process, the children in its memory (vfork) after it, and by thread. */
static int by_thread(const void *a, const void *b)
{
	const struct iotr_stream *x = *(struct iotr_stream *const *)a,
				 *y = *(struct iotr_stream *const *)b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

void iotr_index_threads(struct iotr_log *log)
{
	struct iotr_stream **s = iotr_alloc(log->n_streams * sizeof(*s));
	size_t i;

	log->n_processes = log->n_threads = 0;
	if (log->n_streams) {
		memcpy(s, log->stream, log->n_streams * sizeof(*s));
		qsort(s, log->n_streams, sizeof(*s), by_thread);
	}
	for (i = 0; i < log->n_streams; i++) {
		bool other = !i || s[i]->process != s[i - 1]->process || s[i]->pid != s[i - 1]->pid;

		log->n_processes += other;
		log->n_threads += other || s[i]->tid != s[i - 1]->tid;
	}
	free(s);
}

/* How long recording was off, as far as the log goes. */
static uint64_t off_time(const struct iot_file_header *h)
{
	const uint64_t latest = h->latest.ticks ? h->latest.monotonic : 0;

	return h->off_ns + (h->off && latest > h->off_since ? latest - h->off_since : 0);
}

/* What every tool says. */
void iotr_index_lost(struct iotr_log *log)
{
	struct iotr_loss lost = iotr_log_lost(log);
	char buf[40];

	if (lost.calls)
		iotr_say(log, IOTR_NOTE, "%llu calls were not recorded (%s)",
			 (unsigned long long)lost.calls,
			 iotr_loss_reason(lost.reason, buf, sizeof(buf)));
	if (log->header.left_out)
		iotr_say(log, IOTR_NOTE,
			 "%llu calls were left out, as IOTRACE_LONGER, IOTRACE_AFTER or IOTRACE_UNTIL asks for",
			 (unsigned long long)log->header.left_out);
	if (log->header.n_off)
		iotr_say(log, IOTR_NOTE, "recording was switched off %u time%s by iotrace-ctl, for %.3f s",
			 log->header.n_off, log->header.n_off == 1 ? "" : "s", (double)off_time(&log->header) / 1e9);
}

static int by_process(const void *a, const void *b)
{
	const struct iotr_stream *x = *(struct iotr_stream *const *)a,
				 *y = *(struct iotr_stream *const *)b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Whoever scans the log knows what a process had when it forked another one. */
static void parents_first(struct iotr_log *log)
{
	if (log->n_streams)
		qsort(log->stream, log->n_streams, sizeof(*log->stream), by_process);
}

void iotr_index(struct iotr_log *log)
{
	size_t i;

	find_blocks(log);
	parents_first(log);
	iotr_levels_join(log);
	for (i = 0; i < log->n_streams; i++)
		order_blocks(log, log->stream[i]);
	if (log->torn)
		iotr_say(log, IOTR_NOTE, "lacks calls, since threads went on while the job's log was "
			 "made: the rank has kept its own");
	iotr_index_end(log);
	for (i = 0; i < log->n_streams; i++)
		scan_stream(log, log->stream[i]);
	iotr_defines_done(log);
	iotr_clock_done(log);
	iotr_index_threads(log);
	iotr_index_lost(log);
}
