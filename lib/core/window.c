/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * window.c - the memory in which a thread stores its records, and what becomes of it.
 *
 * A window is a mapped piece of the log.  A full window is copied behind the end of the log with
 * one write; then it is used again, or the thread goes on in one four times as large, up to the
 * size that IOTRACE_BUFFER says.
 *
 * Whoever can write the file can write the window.  So what decides where something is read or
 * stored is in struct iot_thread, and is never read back from the window.
 *
 * t/model/log.pml models the order of the stores here, in hot.h and places.h.
 */
#include "window.h"

#include "anchor.h"
#include "arena.h"
#include "aside.h"
#include "conf.h"
#include "log-share.h"
#include "log-space.h"
#include "lost.h"
#include "places.h"
#include "slow-disk.h"
#include "sys.h"
#include "thread.h"
#include "usage.h"
#include "window-pool.h"

#include <string.h>

/* where a window's records begin: behind header and slots */
#define RECORDS ((uint32_t)(sizeof(struct iot_block) + IOT_MAX_SLOTS * sizeof(struct iot_slot)))
#define LARGE_PAGE 65536u
/* what a window has beside records: in front of them this, behind them their checksum */
#define AROUND (RECORDS + (uint32_t)sizeof(uint64_t))

/* Where a record is made, and dropped, if no window is large enough for it: none is larger than the
   smallest IOTRACE_BUFFER. */
#define LARGEST 16384u
static uint64_t *dropped;

uint32_t iot_window_size(void)
{
	return iot_config.buffer;
}

/* Sets what each block begins with. */
static IOT_EACH void new_block(struct iot_thread *t)
{
	t->cap = t->gone ? 0 : t->size - AROUND;
	memset(t->recent, 0, sizeof(t->recent));
	t->models = 0;
}

/* Has a handler interrupted the beginning of a call?  The call may know its slot already: it is counted
   among the calls in progress, and has no start. */
bool iot_begun(const struct iot_thread *t)
{
	for (uint32_t i = t->outer; i < t->depth && i < IOT_MAX_SLOTS; i++)
		if (!iot_slots(t)[i].start && i >= t->floor && !(t->vacant >> i & 1))
			return true;
	return false;
}

static uint32_t flags_of(const struct iot_thread *t)
{
	return t->flags | (t->gap ? IOT_BLOCK_GAP : 0);
}

/* Makes win a window of t's, with the block t->seq of its stream.  slots: those of the window before. */
static IOT_EACH void begin(struct iot_thread *t, struct iot_block *win, const struct iot_slot *slots)
{
	/* Until it has its magic again, readers pass over it, empty as it is, by its size. */
	win->sum = iot_size_sum(t->size);
	win->used = 0;
	iot_barrier();
	win->magic = 0;
	iot_barrier();
	/* first the size, by which readers pass over the window */
	win->header_size = RECORDS;
	win->size = t->size;
	win->flags = IOT_BLOCK_WINDOW | flags_of(t);
	iot_barrier();
	win->seq = t->seq;
	win->n_defs = win->n_late = 0;
	win->lost = t->lost;
	if (slots)
		memcpy(win + 1, slots, IOT_MAX_SLOTS * sizeof(struct iot_slot));
	else
		memset(win + 1, 0, IOT_MAX_SLOTS * sizeof(struct iot_slot));
	win->stream = t->stream;
	win->pid = t->pid;
	win->tid = t->tid;
	win->level = t->level;
	win->process = iot_each.process;
	win->base = t->block_base;
	win->anchor = t->anchor;
	win->depth = IOT_MAX_SLOTS;
	iot_barrier();
	win->magic = IOT_BLOCK_MAGIC;
}

static struct iot_records records(const uint8_t *data, uint32_t used, uint64_t base)
{
	const uint64_t *p = (const uint64_t *)data;

	return (struct iot_records){ .next = p, .end = p + used / 8, .base = base };
}

/* The walk, compiled once for all that walk: none is in a hurry. */
static __attribute__((noinline)) bool next(struct iot_records *r)
{
	return iot_records_next(r);
}

/* How many calls lie in a block's records. */
static IOT_COLD uint32_t count_calls(const uint8_t *data, uint32_t used)
{
	struct iot_records r = records(data, used, 0);
	uint32_t calls = 0;

	while (next(&r))
		calls += iot_record_call(r.word0) != 0;
	return calls;
}

/* Do other records refer to what such a definition defines? */
static bool is_kept(uint32_t kind)
{
	return kind != IOT_DEF_TIME && kind != IOT_DEF_USAGE;
}

/* The block was lost, but other blocks refer to what it defined.  Moves the definitions to the front of
   the emptied window, as many as leave room for calls.  The first ones go first, since others refer to
   them. */
static IOT_COLD void keep_definitions(struct iot_thread *t, uint32_t used)
{
	struct iot_records r = records(t->data, used, 0);
	struct iot_aside *a = iot_aside_take();
	uint32_t to = 0, n = 0;

	while (next(&r)) {
		if (iot_record_call(r.word0) || !is_kept(iot_record_handle(r.word0)))
			continue;
		if (to + 8 * r.words > t->cap / 4 * 3) {
			a = iot_aside_add(a, r.p, r.words);
			continue;
		}
		memmove(t->data + to, r.p, 8 * r.words);
		to += 8 * r.words;
		n++;
	}
	iot_aside_put(a);
	t->win->n_defs = t->n_defs = n;
	iot_set_used(t, to);
}

/* The same, for a window that its process has left.  Its bytes may change meanwhile. */
static IOT_COLD void keep_left(const struct iot_piece *piece)
{
	struct iot_records r = records(piece->records, piece->head.used, 0);
	struct iot_aside *a = iot_aside_take();

	while (next(&r))
		if (!iot_record_call(r.word0) && is_kept(iot_record_handle(r.word0)))
			a = iot_aside_add(a, r.p, r.words);
	iot_aside_put(a);
}

/* Makes the piece a block that is to be written.  full: a block of a window that was full. */
static IOT_COLD void settle(struct iot_piece *p, uint32_t full)
{
	struct iot_block *head = &p->head;

	head->flags &= ~IOT_BLOCK_WINDOW;
	head->header_size = sizeof(*head);
	head->depth = 0;
	head->size = (uint32_t)(sizeof(*head) + head->used + sizeof(p->sum) + IOT_BLOCK_ALIGN - 1) &
		     ~(IOT_BLOCK_ALIGN - 1u);
	if (full)
		head->size = full;
	head->sum = iot_head_sum(head);
	p->sum = iot_sum(0, p->records, head->used / 8);
}

/* Writes blocks behind the end of the log. */
static IOT_COLD bool put_blocks(const struct iot_piece *piece, uint32_t n, uint64_t align)
{
	uint64_t size = 0, at;

	if (iot_log_is_slow()) {
		iot_lost(0, IOT_LOST_SLOW);
		return false;
	}
	for (uint32_t i = 0; i < n; i++)
		size += piece[i].head.size;
	at = iot_log_alloc(size, align);
	return at && iot_log_write(piece, n, at);
}

/* Puts what was laid aside into the log, each piece as a stream of its own, which readers take for t's. */
static IOT_COLD void write_aside(const struct iot_thread *t)
{
	struct iot_aside *a = iot_aside_take();
	struct iot_anchor now;

	if (iot_likely(!a))
		return;
	iot_anchor_now(&now);
	while (a) {
		struct iot_piece piece = { .records = a->data, .head = {
			.magic = IOT_BLOCK_MAGIC, .used = a->used, .flags = t->flags,
			.stream = __atomic_fetch_add(&iot_share->n_streams, 1, __ATOMIC_RELAXED),
			.pid = t->pid, .tid = t->tid, .level = t->level, .base = now.ticks, .anchor = now,
			.n_defs = a->n, .process = iot_each.process,
		} };

		settle(&piece, 0);
		if (!put_blocks(&piece, 1, IOT_BLOCK_ALIGN))
			break;
		a = iot_aside_free(a);
	}
	iot_aside_put(a);
}

/* The same, when t or its process ends, and before the process forks. */
void iot_window_finish(const struct iot_thread *t)
{
	uint64_t signals;

	if (iot_likely(!iot_aside_any()))
		return;
	signals = iot_sys_block_signals();
	write_aside(t);
	iot_sys_restore_signals(signals);
}

/* Has a process left records in the window?  The window is not ours: what it says of itself may be
   anything. */
static IOT_COLD bool is_left(const struct iot_block *win, uint32_t size, struct iot_piece *piece)
{
	*piece = (struct iot_piece){ *(const volatile struct iot_block *)win, (const uint8_t *)win + RECORDS, 0 };
	if (piece->head.magic != IOT_BLOCK_MAGIC || piece->head.header_size != RECORDS || piece->head.used % 8 ||
	    !piece->head.used || piece->head.used > size - AROUND)
		return false;
	settle(piece, 0);
	return true;
}

/* Copies what processes have left in windows of that size.  The records also stay there until the
   windows are begun anew: a reader takes what it has twice once. */
static IOT_COLD void put_left(struct iot_block *const *win, uint32_t n, uint32_t size)
{
	struct iot_piece piece[IOT_TOGETHER];
	struct iot_block *from[IOT_TOGETHER];
	uint32_t found = 0;

	for (uint32_t i = 0; i < n; i++)
		if (is_left(win[i], size, &piece[found]))
			from[found++] = win[i];
	if (!found || put_blocks(piece, found, IOT_BLOCK_ALIGN))
		return;
	for (uint32_t i = 0; i < found; i++) {
		iot_lost(count_calls(piece[i].records, piece[i].head.used), 0);
		keep_left(&piece[i]);
		/* the window is nobody's: a seal is of its old contents */
		from[i]->sum = iot_size_sum(size);
		iot_barrier();
		from[i]->magic = 0;
	}
}

/* The same, for the window that was taken and for others that wait with it. */
static IOT_COLD void copy_left(struct iot_block *win, const struct iot_place *place)
{
	struct iot_block *left[IOT_TOGETHER] = { win };
	struct iot_place places[IOT_TOGETHER];
	uint32_t n = 1;

	if (!place->class)
		while (n < IOT_TOGETHER && (left[n] = iot_window_also(place->class, &places[n])))
			n++;
	put_left(left, n, iot_class_size(place->class));
	while (--n)
		iot_window_release(&places[n], false);
}

/* Takes a new window of that class, whose old contents are in the log.  begin() makes it a window whose
   records are not copied yet. */
static IOT_EACH struct iot_block *take(struct iot_thread *t, uint32_t class, struct iot_place *place)
{
	bool left;
	struct iot_block *win = iot_window_take(class, place, &left);

	if (!win)
		return NULL;
	/* sigbus.c wants to know whose window it is */
	t->win = t->win ? t->win : win;
	/* a store: after a mere read, the page would be had in two steps */
	__atomic_fetch_or(&win->sum, 0, __ATOMIC_RELAXED);
	if (left)
		copy_left(win, place);
	return win;
}

/* Gives the thread a window in the log.  A thread that has one keeps it. */
IOT_EACH IOT_COLD bool iot_window_open(struct iot_thread *t)
{
	if (!t->win) {
		struct iot_block *win = iot_map_once(&dropped, LARGEST) ? take(t, 0, &t->place) : NULL;

		if (!win)
			return false;
		t->size = iot_class_size(0);
		t->data = (uint8_t *)win + RECORDS;
		t->gone = 0;
		t->win = win;
	}
	new_block(t);
	t->limit = iot_anchor_first(&t->anchor);
	t->used = t->seq = t->n_defs = t->n_late = t->lost = 0;
	t->too_large = t->gap = false;
	t->base = t->block_base = iot_ticks();
	begin(t, t->win, NULL);
	iot_window_copies(&t->place, false);
	return true;
}

/*
 * Lets the stream go on in a window of that class, with the block t->seq.  The block before is in the log,
 * and in the old window until that loses its magic.  After a kill in between there are both windows, and
 * the newer one counts.
 */
static bool grow(struct iot_thread *t, uint32_t class)
{
	struct iot_block *old = t->win, *win;
	struct iot_place was = t->place, place;
	bool begun = iot_begun(t);

	if (iot_log_is_slow())
		return false;
	win = take(t, class, &place);
	if (!win)
		return false;
	t->size = iot_class_size(class);
	begin(t, win, iot_slots(t));
	iot_window_copies(&place, false);
	if (iot_window_is_spoiled(win)) {
		t->size = iot_class_size(was.class);
		return false;
	}
	iot_barrier();
	t->place = place;
	t->data = (uint8_t *)win + RECORDS;
	t->win = win;
	iot_barrier();
	old->magic = 0;
	iot_slots_copied(t, (struct iot_slot *)(old + 1));
	/* the call whose beginning was interrupted may still store into its slot there */
	if (!begun)
		iot_window_release(&was, iot_each.process);
	return true;
}

/* Begins the block t->seq in the same window. */
static void empty(struct iot_thread *t)
{
	struct iot_block *win = t->win;

	*(volatile uint64_t *)(void *)&win->used = (uint64_t)t->seq << 32;
	iot_barrier();
	win->flags = IOT_BLOCK_WINDOW | flags_of(t);
	win->lost = t->lost;
	win->n_defs = win->n_late = 0;
	iot_anchor_store(&win->anchor, &t->anchor);
	/* a reader that follows the log takes base for the block's once used is not 0 */
	win->base = t->block_base;
}

/* Copies the records behind the end of the log.  The stream goes on in a window of that class, or in its
   own. */
static IOT_COLD void write_out(struct iot_thread *t, uint32_t class)
{
	uint32_t used = t->used, calls = 0;
	struct iot_piece piece = { .records = t->data, .head = {
		.magic = IOT_BLOCK_MAGIC, .used = used, .seq = t->seq, .flags = flags_of(t),
		.stream = t->stream, .pid = t->pid, .tid = t->tid, .level = t->level, .base = t->block_base,
		.anchor = t->anchor, .n_defs = t->n_defs, .n_late = t->n_late, .lost = t->lost,
		.process = iot_each.process,
	} };
	/* Large blocks that lie as whole pages of the page cache are written in two thirds of the time.
	   A window is full if the largest of records would not fit any more. */
	const bool whole = used > t->size / 8 * 7 && t->size % LARGE_PAGE == 0;
	bool written;

	iot_window_copies(&t->place, true);
	settle(&piece, whole ? t->size : 0);
	written = put_blocks(&piece, 1, whole ? LARGE_PAGE : IOT_BLOCK_ALIGN);

	if (!written) {
		calls = count_calls(t->data, used);
		iot_lost(calls, 0);
	}
	iot_anchor_now(&t->anchor);
	iot_barrier();
	t->seq++;
	t->used = t->n_defs = t->n_late = 0;
	t->gap = !written;
	t->lost = written ? 0 : t->lost + calls;
	t->base = t->block_base = t->anchor.ticks;
	if (!written || class <= t->place.class || !grow(t, class))
		empty(t);
	iot_window_copies(&t->place, false);
	new_block(t);
	if (!written)
		keep_definitions(t, used);
	else
		write_aside(t);
	iot_anchor_latest(&t->anchor);
}

/* The same, unless the window is nobody's.  Signals are blocked. */
static IOT_COLD void flush_quietly(struct iot_thread *t, uint32_t class)
{
	/* only now: before, a handler may fork, and this may be the child */
	if (iot_unlikely(t->in_use == IOT_LEFT_BEHIND || t->gone)) {
		/* the window of a thread that a fork left behind, or one whose file is gone */
		if (t->gone && t->used > t->gone - 1)
			iot_lost(count_calls(t->data + t->gone - 1, t->used - (t->gone - 1)), IOT_LOST_FILE);
		t->gone = !!t->gone;
		t->used = t->win->used = 0;
	} else if (t->used) {
		/* the thread may have left its window for good */
		t->win->sum = iot_size_sum(t->size);
		write_out(t, class);
	} else {
		new_block(t);
	}
}

static IOT_COLD void flush(struct iot_thread *t, uint32_t class)
{
	uint64_t signals = iot_sys_block_signals();

	flush_quietly(t, class);
	iot_sys_restore_signals(signals);
}

/* Copies the records behind the end of the log and empties the window. */
void iot_window_flush(struct iot_thread *t)
{
	flush(t, 0);
}

/* The same, so that another thread can have the window.  Signals are blocked. */
void iot_window_clear(struct iot_thread *t)
{
	flush_quietly(t, 0);
}

/* Has the last call of this thread, which began at start, its record? */
bool iot_window_has(const struct iot_thread *t, uint64_t start)
{
	struct iot_records r = records(t->data, t->used, t->block_base);

	while (next(&r))
		if (iot_record_call(r.word0) && iot_record_start(&r) == start)
			return true;
	return false;
}

/* Makes room for words in the window of a busy thread. */
static IOT_COLD uint64_t *make_room(struct iot_thread *t, uint32_t words)
{
	uint32_t class = t->place.class;

	/* the window is full, and no call is being begun, whose slot must not move */
	if (t->cap && t->used && iot_class_size(class) < iot_config.buffer && !iot_begun(t))
		class++;
	if (AROUND + 8 * (words + IOT_USAGE_WORDS) > iot_class_size(class))
		class = iot_class_for(AROUND + 8 * (words + IOT_USAGE_WORDS));
	flush(t, class > t->place.class ? class : 0);
	if (!t->used && !t->gone && t->cap >= 8 * (words + IOT_USAGE_WORDS))
		iot_usage_define(t);
	t->too_large = t->used + 8 * words > t->size - AROUND;
	return t->too_large ? dropped : (uint64_t *)(t->data + t->used);
}

/* Room for words in the window of a busy thread. */
uint64_t *iot_reserve(struct iot_thread *t, uint32_t words)
{
	if (iot_unlikely(t->used + 8 * words > t->cap))
		return make_room(t, words);
	return (uint64_t *)(t->data + t->used);
}

void iot_commit(struct iot_thread *t, uint32_t words)
{
	uint32_t used = t->used + 8 * words;

	if (iot_unlikely(t->too_large || used > t->size - AROUND)) {
		/* an interrupted reservation, whose place a handler's took, has no room */
		t->too_large = false;
		iot_lost(1, 0);
		return;
	}
	iot_set_used(t, used);
}

uint64_t *iot_put_bytes(uint64_t *p, const void *s, uint32_t len)
{
	*p++ = IOT_INLINE | len;
	if (len & 7)
		p[len / 8] = 0;
	memcpy(p, s, len);
	return p + (len + 7) / 8;
}

/* Begins a definition with room for so many words.  iot_define_done ends it. */
uint64_t *iot_define(struct iot_thread *t, uint32_t kind, uint32_t payload_words)
{
	uint64_t *p = iot_reserve(t, 2 + payload_words);

	p[0] = iot_def_word0(kind);
	return p + 2;
}

/* end: behind the last word of the payload. */
void iot_define_done(struct iot_thread *t, uint64_t *end)
{
	uint64_t *p = t->too_large ? dropped : (uint64_t *)(t->data + t->used);
	uint64_t words = (uint64_t)(end - p);

	p[1] = iot_general_word1(0, words, 0);
	if (is_kept(iot_record_handle(p[0])))
		t->win->n_defs = ++t->n_defs;
	iot_commit(t, (uint32_t)words);
}

/*
 * Moves base forward, so that dt still fits 32 bits, and takes an anchor.  The first anchors come soon, and
 * later ones ever more seldom, so that a log that is cut short knows the rate of its timebase about as well
 * as its length allows.
 */
IOT_COLD void iot_rebase(struct iot_thread *t, uint64_t base)
{
	uint64_t signals = iot_sys_block_signals();
	struct iot_anchor now;
	uint64_t *p;

	iot_anchor_now(&now);
	p = iot_define(t, IOT_DEF_TIME, 4);
	/* a block that has just begun counts calls from before: none may look as if it had begun behind
	   the block's base */
	if (base < t->block_base)
		base = t->block_base;
	*p++ = base;
	memcpy(p, &now, sizeof(now));
	iot_define_done(t, p + 3);
	t->base = base;
	if (t->limit < 1ULL << 31)
		t->limit *= 2;
	iot_anchor_latest(&now);
	iot_sys_restore_signals(signals);
}

/* Stores what the kernel counts of a thread.  t is busy, has room for IOT_USAGE_WORDS, and is this
   thread's own.  fresh: the kernel has counted nothing yet. */
void iot_usage_begins(struct iot_thread *t, bool fresh)
{
	uint64_t words[IOT_USAGE_WORDS - 2], *p, *end;

	end = t->level ? NULL : fresh ? iot_usage_none(words) : iot_usage_put(words);
	if (!end)
		return;
	p = iot_define(t, IOT_DEF_USAGE, (uint32_t)(end - words));
	memcpy(p, words, (size_t)((char *)end - (char *)words));
	iot_define_done(t, p + (end - words));
}

void iot_usage_define(struct iot_thread *t)
{
	iot_usage_begins(t, false);
}
