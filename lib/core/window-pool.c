/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * window-pool.c - gives windows to threads of all of the log's processes.
 *
 * A free window is used again, if one is found in a moment: a thread looks at two windows at most
 * that may be free.  Small windows that processes have left with records in them wait until there are
 * several, which are then copied behind the log's end in one go.
 *
 * A window of a process that has ended, as the kernel tells, is free if there is nothing in it but
 * records: its owner has said so, or was killed between two calls.  A window with a call in
 * progress, of which nothing else tells, and one whose records may have been copied already stay
 * as they are.  (t/model/take.pml)
 */
#include "window-pool.h"

#include "conf.h"
#include "log-share.h"
#include "log-space.h"
#include "logfd.h"
#include "lost.h"
#include "sys.h"
#include "thread.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* The chunks that this process, or one that it was forked from, has mapped. */
static char *mapped[IOT_CLASSES][IOT_CHUNKS];
/* For each class, a bit for each chunk that children do not have.  The bit is set before the kernel
   is told, for a child that another thread forks meanwhile. */
static uint32_t unforked[IOT_CLASSES];
/* For each class, a bit for each chunk that a thread is mapping. */
static uint32_t in_work[IOT_CLASSES];
/* A part of a large chunk gets disk space when a window of that part is taken for the first time: else half
   of a log could be windows that nobody had.  A bit is set for each part that has space, as far as this
   process, or one that it was forked from, knows. */
#define PARTS	    8u
#define LARGE_CHUNK 8u			/* of 128 windows, and those behind it */
static uint8_t provided[IOT_CLASSES][IOT_CHUNKS];
/* Windows in whose place the program has mapped other memory. */
#define MAX_SPOILED 64u
static const void *spoiled[MAX_SPOILED];
static uint32_t n_spoiled;

static uint64_t chunk_size(uint32_t class, uint32_t k)
{
	return (uint64_t)iot_class_size(class) << (k ? k - 1 : 0);
}

/* Whether forked children find the chunk's pages in place. */
static bool is_inherited(uint32_t class, uint32_t k)
{
	return !class && k < IOT_INHERITED;
}

static void unmap_chunk(char *p, uint32_t class, uint32_t k)
{
	iot_log_unmap(p, chunk_size(class, k), is_inherited(class, k));
}

uint32_t iot_class_size(uint32_t class)
{
	uint64_t size = (uint64_t)IOT_ALIGN << 2 * class;

	return size < iot_config.buffer ? (uint32_t)size : iot_config.buffer;
}

/* The smallest class whose windows have that size. */
uint32_t iot_class_for(uint32_t size)
{
	uint32_t class = 0;

	while (iot_class_size(class) < size && iot_class_size(class) < iot_config.buffer)
		class++;
	return class;
}

static struct iot_owner *owner_of(uint32_t class, uint32_t number)
{
	if (!class)
		return number < IOT_OWNED_SMALL ? &iot_share->owner[number] : NULL;
	if (number >= IOT_OWNED_LARGE)
		return NULL;
	return &iot_share->owner[IOT_OWNED_SMALL + (class - 1) * IOT_OWNED_LARGE + number];
}

static uint32_t *next_of(const void *of, uint32_t number)
{
	struct iot_owner *o = owner_of((uint32_t)(uintptr_t)of, number);

	return o ? &o->next : NULL;
}

static const void *as_arg(uint32_t class)
{
	return (const void *)(uintptr_t)class;
}

static bool cant_reserve(long r)
{
	return r == -EOPNOTSUPP || r == -ENOSYS;
}

static long provide_large(int fd, void *arg)
{
	const struct iot_log_part *p = arg;
	long r = iot_sys_fallocate(fd, p->off + p->size - IOT_ALIGN, IOT_ALIGN);

	return cant_reserve(r) ? iot_log_provide(fd, p->off, p->size) : r;
}

/* Allocates a place in the log for a large chunk.  Where disk space can't be reserved, the whole chunk is
   written now, while nobody has a part of it: a file that is too short can't be mapped. */
static uint64_t large_chunk(uint64_t size)
{
	uint64_t at = iot_log_alloc(size, IOT_ALIGN);
	struct iot_log_part chunk = { at, size };

	if (at)
		iot_log_do(provide_large, &chunk);
	return at;
}

/* The place of a chunk in the log, allocated if need be.  0: there is no space; 1: another process is allocating it. */
static uint64_t provide_chunk(uint32_t class, uint32_t k)
{
	uint64_t *chunk = &iot_share->class[class].chunk[k];
	uint64_t was = __atomic_load_n(chunk, __ATOMIC_ACQUIRE), mine = (uint64_t)iot_each.pid << 1 | 1, at;

	if (was & 1 && !iot_sys_ended((uint32_t)(was >> 1)))
		return 1;
	if (was && !(was & 1))
		return was;
	if (!__atomic_compare_exchange_n(chunk, &was, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return was && !(was & 1) ? was : 1;
	at = k < LARGE_CHUNK ? iot_log_space(chunk_size(class, k)) : large_chunk(chunk_size(class, k));
	__atomic_store_n(chunk, at, __ATOMIC_RELEASE);
	return at;
}

static long reserve(int fd, void *arg)
{
	const struct iot_log_part *p = arg;

	return iot_sys_fallocate(fd, p->off, p->size);
}

/* Reserves disk space for a piece of the log.  False: there is none.  On a file system that can't reserve
   space, the whole chunk was written before. */
static bool provide(uint64_t off, uint64_t size)
{
	struct iot_log_part part = { off, size };
	long r = iot_log_do(reserve, &part);

	if (!r || cant_reserve(r))
		return true;
	iot_lost(0, (uint64_t)-r);
	return false;
}

/* The same for the part of a large chunk in which a byte of it lies. */
static bool provide_part(uint32_t class, uint32_t k, uint64_t byte)
{
	const uint64_t size = chunk_size(class, k) / PARTS, part = byte / size;
	const uint8_t bit = (uint8_t)(1u << part);

	if (__atomic_load_n(&provided[class][k], __ATOMIC_ACQUIRE) & bit)
		return true;
	if (!provide(__atomic_load_n(&iot_share->class[class].chunk[k], __ATOMIC_ACQUIRE) + part * size, size))
		return false;
	__atomic_fetch_or(&provided[class][k], bit, __ATOMIC_RELEASE);
	return true;
}

static char *map_chunk(uint32_t class, uint32_t k)
{
	uint64_t size = chunk_size(class, k), at = 1;
	char *none = NULL, *p;

	for (int i = 0; at == 1 && i < 1000; i++) {
		at = provide_chunk(class, k);
		if (at == 1)
			iot_sys_wait(i);
	}
	/* the file has to reach to the chunk's end */
	if (at > 1 && k >= LARGE_CHUNK && !provide(at + size - IOT_ALIGN, IOT_ALIGN))
		return NULL;
	p = at > 1 ? iot_log_map(at, size, is_inherited(class, k)) : NULL;
	if (p && !__atomic_compare_exchange_n(&mapped[class][k], &none, p, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_ACQUIRE)) {
		unmap_chunk(p, class, k);
		p = none;
	}
	return p;
}

/* One thread at a time maps a chunk.  The others wait, but not for ever, since that one may be stopped: else
   each of many that begin at the same time would map it for nothing. */
static char *chunk_of(uint32_t class, uint32_t k)
{
	const uint32_t bit = 1u << k;
	char *chunk = __atomic_load_n(&mapped[class][k], __ATOMIC_ACQUIRE);

	if (chunk)
		return chunk;
	for (int i = 0; i < 1000 && __atomic_fetch_or(&in_work[class], bit, __ATOMIC_ACQUIRE) & bit; i++)
		iot_sys_wait(i);
	chunk = __atomic_load_n(&mapped[class][k], __ATOMIC_ACQUIRE);
	if (!chunk)
		chunk = map_chunk(class, k);
	__atomic_fetch_and(&in_work[class], ~bit, __ATOMIC_RELEASE);
	return chunk;
}

static void *window_at(uint32_t class, uint32_t number)
{
	uint32_t k = number ? 32 - (uint32_t)__builtin_clz(number) : 0, first = k ? 1u << (k - 1) : 0;
	char *chunk = k < IOT_CHUNKS ? chunk_of(class, k) : NULL;
	const uint64_t at = (uint64_t)(number - first) * iot_class_size(class);

	return chunk && (k < LARGE_CHUNK || provide_part(class, k, at)) ? chunk + at : NULL;
}

/* Adds 0 to a word of each of a chunk's windows, so that their pages are in place, in a forked child too. */
static void touch(char *chunk, uint32_t k)
{
	for (uint32_t i = 0; i < (k ? 1u << (k - 1) : 1); i++)
		__atomic_fetch_or((uint32_t *)(void *)(chunk + i * IOT_ALIGN), 0, __ATOMIC_RELAXED);
}

/* Maps memory for unwind rules, once: what one child finds out there, all others have. */
static void touch_rules(void)
{
#ifndef IOT_DYNAMIC
	static const struct iot_share *touched;

	if (touched == iot_share)
		return;
	touched = iot_share;
	iot_syscall(SYS_madvise, iot_share->rules, sizeof(iot_share->rules), (long)MADV_POPULATE_WRITE);
#endif
}

/* A chunk of the smallest windows, mapped; NULL: the log has no such chunk yet. */
static char *find_chunk(uint32_t k)
{
	uint64_t at = __atomic_load_n(&iot_share->class[0].chunk[k], __ATOMIC_ACQUIRE);
	char *chunk = at && !(at & 1) ? __atomic_load_n(&mapped[0][k], __ATOMIC_ACQUIRE) : NULL;

	return chunk || !at || at & 1 ? chunk : map_chunk(0, k);
}

/* How many chunks lie before the latest two, which have three quarters of a class's windows. */
static uint32_t early_chunks(uint32_t class)
{
	uint32_t n = 0;

	while (n + 2 < IOT_CHUNKS && __atomic_load_n(&iot_share->class[class].chunk[n + 2], __ATOMIC_RELAXED))
		n++;
	return n;
}

/* From now on, forked children do not have that chunk. */
static void unfork(uint32_t class, uint32_t k)
{
	const uint32_t bit = 1u << k;
	char *chunk = __atomic_load_n(&mapped[class][k], __ATOMIC_ACQUIRE);

	if (!chunk || is_inherited(class, k) || __atomic_load_n(&unforked[class], __ATOMIC_RELAXED) & bit)
		return;
	__atomic_fetch_or(&unforked[class], bit, __ATOMIC_SEQ_CST);
	if (!iot_log_unfork(chunk, chunk_size(class, k)))
		__atomic_fetch_and(&unforked[class], ~bit, __ATOMIC_RELAXED);
}

/*
 * Before a fork: maps the first chunks of the smallest windows, and the latest two, so that the
 * child has them: else each of many children would map a chunk for itself.  The child has no other
 * chunk of several windows: else each process would have the chunks of all its ancestors.
 */
void iot_windows_prepare(void)
{
	const uint32_t early = iot_share ? early_chunks(0) : 0;

	for (uint32_t k = 0; iot_share && k < early + 2; k++) {
		char *chunk = k < IOT_INHERITED || k >= early ? find_chunk(k) : NULL;

		if (chunk && k < IOT_INHERITED)
			touch(chunk, k);
	}
	for (uint32_t c = 0; iot_share && c < IOT_CLASSES; c++)
		for (uint32_t k = 1, n = early_chunks(c); k < n; k++)
			unfork(c, k);
	touch_rules();
}

/* In a forked child.  Stores only where a value differs: each store copies a page. */
void iot_windows_forked(void)
{
	for (uint32_t c = 0; c < IOT_CLASSES; c++) {
		if (in_work[c])
			in_work[c] = 0;
		if (!unforked[c])
			continue;
		for (uint32_t k = 0; unforked[c] >> k; k++)
			if (unforked[c] >> k & 1)
				mapped[c][k] = NULL;
		unforked[c] = 0;
	}
}

/* The program has mapped other memory in place of this window: who takes the window next maps it anew. */
void iot_window_spoil(const void *win)
{
	uint32_t n = __atomic_fetch_add(&n_spoiled, 1, __ATOMIC_RELAXED);

	if (n < MAX_SPOILED)
		__atomic_store_n(&spoiled[n], win, __ATOMIC_RELAXED);
}

bool iot_window_is_spoiled(const void *win)
{
	uint32_t n = __atomic_load_n(&n_spoiled, __ATOMIC_RELAXED);

	for (uint32_t i = 0; i < n && i < MAX_SPOILED; i++)
		if (__atomic_load_n(&spoiled[i], __ATOMIC_RELAXED) == win)
			return true;
	return n > MAX_SPOILED;
}

/* The window in a chunk that the address lies in. */
void *iot_window_around(uintptr_t at, uint32_t *size)
{
	for (uint32_t c = 0; c < IOT_CLASSES; c++)
		for (uint32_t k = 0; k < IOT_CHUNKS; k++) {
			uintptr_t chunk = (uintptr_t)__atomic_load_n(&mapped[c][k], __ATOMIC_ACQUIRE);

			*size = iot_class_size(c);
			if (chunk && at - chunk < (uint64_t)*size << (k ? k - 1 : 0))
				return (void *)(at - (at - chunk) % *size);
		}
	return NULL;
}

/* Whether a window of that owner can be used now, later, or never. */
static enum { NOW, LATER, NEVER } when(uint32_t class, uint32_t number)
{
	const uint32_t *at = &owner_of(class, number)->pid;
	uint32_t pid = __atomic_load_n(at, __ATOMIC_ACQUIRE);
	const struct iot_block *win;

	if (!pid)
		return NOW;
	if (!iot_sys_ended(pid & ~(IOT_OWNER_LEFT | IOT_OWNER_COPIES)))
		return LATER;
	/* the owner has ended: what it stored last holds */
	pid = __atomic_load_n(at, __ATOMIC_ACQUIRE);
	if (pid & (IOT_OWNER_LEFT | IOT_OWNER_COPIES))
		return pid & IOT_OWNER_COPIES ? NEVER : NOW;
	win = window_at(class, number);
	for (uint32_t i = 0; win && i < IOT_MAX_SLOTS; i++)
		if (((const struct iot_slot *)(win + 1))[i].start)
			return NEVER;
	return NOW;
}

/* Whether to pass a window over for now, without a look at its owner.  A small one that a process has
   left, with records, waits until there are IOT_TOGETHER of them.  also: pass over those that no
   process has left. */
static bool waits(uint32_t class, uint32_t number, bool also)
{
	bool left = __atomic_load_n(&owner_of(class, number)->pid, __ATOMIC_RELAXED);

	if (class || also || !left)
		return also && !left;
	return __atomic_add_fetch(&iot_share->class[class].waiting, 1, __ATOMIC_RELAXED) < IOT_TOGETHER;
}

/* Takes a window that nobody needs any more.  also: one whose records are to be copied with those of others. */
static void *take_free(uint32_t class, struct iot_place *place, bool also)
{
	struct iot_queue *q = &iot_share->class[class].queue;
	uint32_t n;

	for (int i = 0; i < IOT_TRIES && iot_queue_take(q, next_of, as_arg(class), &n); i++) {
		int is = waits(class, n, also) ? LATER : when(class, n);
		void *win = is == NOW ? window_at(class, n) : NULL;

		if (win && !iot_window_is_spoiled(win)) {
			if (!also && owner_of(class, n)->pid)
				__atomic_store_n(&iot_share->class[class].waiting, 0, __ATOMIC_RELAXED);
			*place = (struct iot_place){ class, n };
			return win;
		}
		if (is != NEVER)
			iot_queue_put(q, true, next_of, as_arg(class), n);
	}
	return NULL;
}

/* Takes a window, which counts as copied (IOT_OWNER_COPIES) until a block begins in it.  *left: a process
   has left records in it.  NULL: there is none. */
void *iot_window_take(uint32_t class, struct iot_place *place, bool *left)
{
	void *win = take_free(class, place, false);
	struct iot_owner *o;
	uint64_t at;

	*left = false;
	if (!win) {
		*place = (struct iot_place){ class, __atomic_fetch_add(&iot_share->class[class].n, 1,
								       __ATOMIC_RELAXED) };
		win = window_at(class, place->number);
	}
	if (!win) {
		uint32_t next = place->number + 1;

		/* give the number back: chunks grow with the numbers */
		__atomic_compare_exchange_n(&iot_share->class[class].n, &next, place->number, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		/* there may be space for one window where there is none for a chunk */
		*place = (struct iot_place){ class, IOT_NO_NUMBER };
		at = iot_log_space(iot_class_size(class));
		return at ? iot_log_map(at, iot_class_size(class), false) : NULL;
	}
	o = owner_of(class, place->number);
	if (!o)
		return win;
	*left = __atomic_exchange_n(&o->pid, iot_each.pid | IOT_OWNER_COPIES, __ATOMIC_ACQ_REL);
	/* The process that has created the log is the last to end, or leaves few behind. */
	if (iot_each.process)
		iot_queue_put(&iot_share->class[class].queue, false, next_of, as_arg(class),
			      place->number);
	return win;
}

/* Takes a window that a process has left, only to copy its records and release it.  NULL: there is none. */
void *iot_window_also(uint32_t class, struct iot_place *place)
{
	void *win = take_free(class, place, true);

	if (win)
		__atomic_store_n(&owner_of(class, place->number)->pid, iot_each.pid | IOT_OWNER_COPIES, __ATOMIC_RELEASE);
	return win;
}

/* Gives a window back: its records are of no use any more.  queued: it has waited since it was taken. */
void iot_window_release(const struct iot_place *place, bool queued)
{
	struct iot_owner *o = owner_of(place->class, place->number);

	if (!o)
		return;
	__atomic_store_n(&o->pid, 0, __ATOMIC_RELEASE);
	if (!queued)
		iot_queue_put(&iot_share->class[place->class].queue, false, next_of,
			      as_arg(place->class), place->number);
}

/* The window's owner is about to end (leave), or did not end after all. */
void iot_window_leave(const struct iot_place *place, bool leave)
{
	struct iot_owner *o = owner_of(place->class, place->number);

	if (o)
		__atomic_store_n(&o->pid, leave ? iot_each.pid | IOT_OWNER_LEFT : iot_each.pid, __ATOMIC_RELEASE);
}

/* Before the window's records are copied, and when they are in one place again. */
void iot_window_copies(const struct iot_place *place, bool copies)
{
	struct iot_owner *o = owner_of(place->class, place->number);

	if (o && copies)
		__atomic_fetch_or(&o->pid, IOT_OWNER_COPIES, __ATOMIC_SEQ_CST);
	else if (o)
		__atomic_fetch_and(&o->pid, ~IOT_OWNER_COPIES, __ATOMIC_SEQ_CST);
}

/* The log is no business of this process any more. */
void iot_windows_forget(void)
{
	for (uint32_t c = 0; c < IOT_CLASSES; c++)
		for (uint32_t k = 0; k < IOT_CHUNKS; k++)
			if (mapped[c][k]) {
				unmap_chunk(mapped[c][k], c, k);
				mapped[c][k] = NULL;
			}
	memset(unforked, 0, sizeof(unforked));
	memset(provided, 0, sizeof(provided));
	n_spoiled = 0;
}
