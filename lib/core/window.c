/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * window.c - the memory that a thread stores its records in, and what becomes
 * of it: a window is a piece of the log, mapped.  A full one is copied behind
 * the end of the log with one write and used again.
 *
 * t/model/log.pml models the order of the stores here, in hot.h and leave.c.
 */
#include <string.h>

#include "iot.h"
#include "sys.h"

/* where its records begin: behind header and slots */
#define RECORDS ((uint32_t)(sizeof(struct iot_block) + IOT_MAX_SLOTS * sizeof(struct iot_slot)))

uint32_t iot_window_size(void)
{
	return iot_config.buffer;
}

/* What holds for a block holds anew. */
static void new_block(struct iot_thread *t)
{
	t->cap = t->gone ? 0 : iot_config.buffer - RECORDS;
	memset(t->recent, 0, sizeof(t->recent));
}

/* Gives the thread a window in the log; reused if it has one. */
bool iot_window_open(struct iot_thread *t)
{
	struct iot_block *win;
	struct iot_anchor now;
	uint64_t at;

	if (!t->win) {
		at = iot_log_alloc(iot_window_size());
		win = at ? iot_log_map(at, iot_window_size()) : NULL;
		if (!win)
			return false;
		t->win = win;
		t->data = (uint8_t *)win + RECORDS;
	}
	new_block(t);
	iot_anchor_now(&now);
	win = t->win;
	/* Until it has its magic again, readers pass over it, empty as it is, by its size. */
	win->used = t->used = 0;
	iot_barrier();
	win->magic = 0;
	iot_barrier();
	win->header_size = RECORDS;
	win->size = iot_window_size();
	win->seq = 0;
	win->n_defs = win->n_late = win->lost = 0;
	memset(win + 1, 0, IOT_MAX_SLOTS * sizeof(struct iot_slot));
	win->flags = IOT_BLOCK_WINDOW | t->flags;
	win->stream = t->stream;
	win->pid = (uint32_t)iot_sys_getpid();
	win->tid = t->tid;
	win->level = t->level;
	win->base = t->base = now.ticks;
	win->anchor = now;
	win->depth = IOT_MAX_SLOTS;
	t->limit = 1 << 18;
	iot_barrier();
	win->magic = IOT_BLOCK_MAGIC;
	return true;
}

static uint32_t words_of(const uint64_t *p)
{
	uint32_t form = p[0] >> IOT_FORM_SHIFT & 3;
	uint32_t words = form == IOT_COMPACT ? 3 : form == IOT_BRIEF ? 2 : p[1] >> 32 & 0xffff;

	return words ? words : 1;
}

/* How many calls lie in a block's records. */
static uint32_t count_calls(const uint8_t *data, uint32_t used)
{
	uint32_t calls = 0;

	for (uint32_t at = 0; at < used;) {
		const uint64_t *p = (const uint64_t *)(data + at);

		calls += (p[0] & ((1u << IOT_CALL_BITS) - 1)) != 0;
		at += 8 * words_of(p);
	}
	return calls;
}

/* The block was lost, but what it defined is still referred to: moves the
   definitions to the front of the emptied window, if they leave room for calls. */
static void keep_definitions(struct iot_thread *t, uint32_t used)
{
	uint32_t to = 0, n = 0;

	for (uint32_t at = 0, size; at < used; at += size) {
		const uint64_t *p = (const uint64_t *)(t->data + at);

		size = 8 * words_of(p);
		if (p[0] & ((1u << IOT_CALL_BITS) - 1) ||
		    (p[0] >> IOT_HANDLE_SHIFT & 0xffff) == IOT_DEF_TIME)
			continue;
		memmove(t->data + to, p, size);
		to += size;
		n++;
	}
	if (to > t->cap / 2)
		return;
	t->win->n_defs = n;
	iot_set_used(t, to);
}

/* Copies the records behind the end of the log and empties the window. */
void iot_window_flush(struct iot_thread *t)
{
	struct iot_block *win = t->win;
	struct iot_block head;
	uint32_t used = t->used, calls = 0;
	struct iot_anchor now;
	uint64_t at, seq_used, signals;
	bool written;

	if (iot_unlikely(!t->in_use || t->gone)) {
		/* one that a fork left behind, or has no file any more */
		if (t->gone)
			iot_lost(count_calls(t->data + t->gone - 1, used - (t->gone - 1)), IOT_LOST_FILE);
		t->gone = !!t->gone;
		t->used = win->used = 0;
		return;
	}
	if (!used) {
		new_block(t);
		return;
	}
	signals = iot_sys_block_signals();
	head = *win;
	head.flags &= ~IOT_BLOCK_WINDOW;
	/* a thread that made few calls has few bytes in the log */
	head.size = (RECORDS + used + IOT_ALIGN - 1) & ~(IOT_ALIGN - 1u);
	head.depth = 0;
	memset(t->data + used, 0, head.size - RECORDS - used);
	at = iot_log_alloc(head.size);
	written = at && iot_log_write(&head, win + 1, at);
	if (!written) {
		calls = count_calls(t->data, used);
		iot_lost(calls, 0);
	}
	iot_barrier();
	seq_used = (uint64_t)(win->seq + 1) << 32;
	t->used = 0;
	*(volatile uint64_t *)(void *)&win->used = seq_used;
	iot_barrier();
	win->lost = calls;
	win->n_defs = win->n_late = 0;
	new_block(t);
	iot_anchor_now(&now);
	iot_anchor_store(&win->anchor, &now);
	win->base = t->base = now.ticks;
	/* whoever follows the log takes base for the block's once used is not 0 */
	if (!written)
		keep_definitions(t, used);
	iot_anchor_latest(&now);
	iot_sys_restore_signals(signals);
}

/* Whether the call that began then, the last of this thread, has its record. */
bool iot_window_has(const struct iot_thread *t, uint64_t start)
{
	const struct iot_block *win = t->win;
	uint64_t base = win->base;

	for (uint32_t at = 0; at < win->used;) {
		const uint64_t *p = (const uint64_t *)(t->data + at);
		uint32_t form = p[0] >> IOT_FORM_SHIFT & 3;
		uint64_t began = base + (p[0] >> IOT_DT_SHIFT);

		if (form == IOT_GENERAL && p[1] >> 48 & IOT_HAS_START)
			began = p[4];
		if (p[0] & ((1u << IOT_CALL_BITS) - 1)) {
			if (began == start)
				return true;
		} else if ((p[0] >> IOT_HANDLE_SHIFT & 0xffff) == IOT_DEF_TIME) {
			base = p[2];
		}
		at += 8 * words_of(p);
	}
	return false;
}

/* Room for words in the window of a busy thread. */
uint64_t *iot_reserve(struct iot_thread *t, uint32_t words)
{
	if (iot_unlikely(t->used + 8 * words > t->cap))
		iot_window_flush(t);
	return (uint64_t *)(t->data + t->used);
}

void iot_commit(struct iot_thread *t, uint32_t words)
{
	iot_set_used(t, t->used + 8 * words);
}

uint64_t *iot_put_bytes(uint64_t *p, const void *s, uint32_t len)
{
	*p++ = IOT_INLINE | len;
	if (len & 7)
		p[len / 8] = 0;
	memcpy(p, s, len);
	return p + (len + 7) / 8;
}

/* A definition with room for so many words; iot_define_done ends it. */
uint64_t *iot_define(struct iot_thread *t, uint32_t kind, uint32_t payload_words)
{
	uint64_t *p = iot_reserve(t, 2 + payload_words);

	p[0] = (uint64_t)IOT_GENERAL << IOT_FORM_SHIFT | (uint64_t)kind << IOT_HANDLE_SHIFT;
	return p + 2;
}

/* end: behind the last word of the payload. */
void iot_define_done(struct iot_thread *t, uint64_t *end)
{
	uint64_t *p = (uint64_t *)(t->data + t->used);
	uint64_t words = (uint64_t)(end - p);

	p[1] = words << 32;
	if ((p[0] >> IOT_HANDLE_SHIFT & 0xffff) != IOT_DEF_TIME)
		t->win->n_defs++;
	iot_commit(t, (uint32_t)words);
}

/*
 * Moves base forward, so that dt goes on fitting 32 bits, and takes an anchor.
 * The first come soon and the later ones ever more seldom, so that a log that is
 * cut short knows the timebase's rate about as well as its length allows.
 */
void iot_rebase(struct iot_thread *t, uint64_t base)
{
	uint64_t signals = iot_sys_block_signals();
	struct iot_anchor now;
	uint64_t *p;

	iot_anchor_now(&now);
	p = iot_define(t, IOT_DEF_TIME, 4);
	*p++ = base;
	memcpy(p, &now, sizeof(now));
	iot_define_done(t, p + 3);
	t->base = base;
	if (t->limit < 1ULL << 31)
		t->limit *= 2;
	iot_anchor_latest(&now);
	iot_sys_restore_signals(signals);
}
