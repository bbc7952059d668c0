/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store.c - a page fault becomes a record, in a stream of the thread that faulted: a second one
 * beside that of its calls, as a handler's would be that interrupts the recorder.
 */
#include "faults.h"

#include "anchor.h"
#include "arch-access.h"
#include "arena.h"
#include "desc.h"
#include "encode.h"
#include "fds.h"
#include "log-share.h"
#include "lost.h"
#include "opened.h"
#include "sys.h"
#include "thread-memory.h"
#include "vdso-clock.h"
#include "window.h"
#include "wrap.h"

#include "desc_page_fault.h"
#include "desc_pages_found.h"
#include "desc_pages_gained.h"

#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <time.h>

/* As table/kinds-named.def has them. */
#define READS	1u
#define WRITES	2u
#define EXECUTES 4u
#define MAJOR	8u

/* --- time --------------------------------------------------------------------- */

/* The clocks when the helper began, and a moment ago. */
static struct iot_anchor first, last;

void iot_fault_clock(void)
{
	iot_anchor_now(&last);
	if (!first.ticks)
		first = last;
}

/* From the last moment backwards, at the rate since the first: what is recorded lies
   nearby. */
static uint64_t ticks_at(uint64_t time)
{
	uint64_t ns = last.monotonic - first.monotonic, ticks = last.ticks - first.ticks;
	const int64_t by = (int64_t)(time - last.monotonic);

	for (; ticks >> 40; ticks >>= 1)
		ns >>= 1;
	if (!ns)
		return last.ticks + (uint64_t)by;
	/* the rate in units of 2^-20: it is too coarse by less than 1 us in a second */
	return last.ticks + (uint64_t)(by * (int64_t)((ticks << 20) / ns) >> 20);
}

/* --- threads ------------------------------------------------------------------ */

#define THREADS 16384u			/* a power of two */

/* By the thread's id; t is NULL where one has ended, whose place others may be behind. */
static struct {
	uint32_t tid;			/* 0: none was here yet */
	uint32_t process;		/* its number in the log */
	struct iot_thread *t;
} *threads;

static uint32_t process_of(const struct iot_faults *share, uint32_t pid)
{
	uint32_t n = __atomic_load_n(&share->n_children, __ATOMIC_ACQUIRE);

	/* the last: the kernel may give a pid again */
	for (n = n < IOT_FAULT_CHILDREN ? n : IOT_FAULT_CHILDREN; n--;)
		if (__atomic_load_n(&share->child[n].pid, __ATOMIC_ACQUIRE) == pid)
			return share->child[n].process;
	return 0;
}

static struct iot_thread *begin_thread(const struct iot_fault_event *e)
{
	struct iot_thread *t = iot_struct_take();

	if (t)
		iot_thread_begin(t, 1, 0, (int)e->pid, (int)e->tid, false);
	return t && t->state == IOT_IDLE ? t : NULL;
}

/* The stream of a thread's faults; NULL: there is none to be had.  What is stored from then on
   is of its process. */
static struct iot_thread *thread_of(const struct iot_faults *share, const struct iot_fault_event *e)
{
	uint32_t free = THREADS;

	if (!threads)
		threads = iot_map(THREADS * sizeof(*threads));
	for (uint32_t i = 0; threads && i < THREADS; i++) {
		const uint32_t at = (e->tid + i) % THREADS;

		if (threads[at].tid == e->tid && threads[at].t) {
			iot_each.process = threads[at].process;
			return threads[at].t;
		}
		if (!threads[at].t && free == THREADS)
			free = at;
		if (!threads[at].tid)
			break;
	}
	if (!threads || free == THREADS)
		return NULL;
	iot_each.process = process_of(share, e->pid);
	threads[free].tid = e->tid;
	threads[free].process = iot_each.process;
	threads[free].t = begin_thread(e);
	return threads[free].t;
}

void iot_fault_ended(uint32_t tid)
{
	for (uint32_t i = 0; threads && i < THREADS; i++) {
		const uint32_t at = (tid + i) % THREADS;

		if (threads[at].tid == tid && threads[at].t) {
			iot_each.process = threads[at].process;
			iot_thread_drop(threads[at].t);
			threads[at].t = NULL;
		}
		if (!threads[at].tid)
			break;
	}
}

void iot_fault_all_ended(void)
{
	for (uint32_t i = 0; threads && i < THREADS; i++)
		if (threads[i].t)
			iot_fault_ended(threads[i].tid);
}

/* --- use ---------------------------------------------------------------------- */

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* How memory was used.  0: a system call did, which may be either. */
static uint32_t use_of(const struct iot_fault_event *e, const struct iot_area *a)
{
	const uint64_t pc = e->n ? e->pc[0] : 0;
	const uint8_t *code;

	if (!(a->prot & PROT_WRITE) && a->prot & PROT_EXEC && e->at - pc < IOT_ACCESS_CODE && !e->kernel)
		return EXECUTES;
	if (!(a->prot & PROT_WRITE))
		return READS;
	if (e->kernel || !pc || !(code = iot_fault_code(e->pid, pc)))
		return 0;
	switch (iot_access_of(code)) {
	case IOT_WRITES:
		return WRITES;
	case IOT_MOVES_STRING:
		return !e->has_regs ? 0 : distance(e->at, e->to) < distance(e->at, e->from) ? WRITES : READS;
	case IOT_READS:
		break;
	}
	return READS;
}

/* --- records ------------------------------------------------------------------ */

/* Of huge pages the kernel has no smaller ones. */
static uint64_t page_of(const char *name)
{
	struct statfs fs;

	if (!iot_sys_allowed(SYS_statfs) || iot_syscall(SYS_statfs, name, &fs) < 0 || fs.f_type != HUGETLBFS_MAGIC)
		return IOT_PAGE;
	return (uint64_t)fs.f_bsize;
}

static bool has_file(struct iot_thread *t, struct iot_fault_file *f)
{
	uint32_t flags = 0;

	if (!f->handle && !f->skip) {
		f->handle = iot_handle_of_path(t, f->name, &flags);
		f->skip = flags & IOT_FD_UNTRACED || !f->handle;
		f->page = page_of(f->name);
	}
	return !f->skip;
}

/* Most faults lie before the block that is begun for them: its time begins with the first. */
static void make_room(struct iot_thread *t, uint64_t start)
{
	iot_reserve(t, 64);
	if (t->used || t->gone)
		return;
	t->base = t->block_base = start;
	t->win->base = start;
}

static void store_draft(struct iot_thread *t, const struct iot_desc *desc, const struct iot_fault_file *f, struct iot_draft *d)
{
	struct iot_call c = { .t = t, .desc = desc, .start = ticks_at(iot_clock_ns(CLOCK_MONOTONIC)), .handle = f->handle };

	iot_busy(t);
	make_room(t, c.start);
	d->text[0].s = d->text[1].s = NULL;
	iot_encode(t, &c, d, c.start, 0, 0, IOT_ST_FINISHED);
	iot_idle(t);
}

void iot_fault_found(struct iot_thread *t, const struct iot_fault_file *f, uint64_t size)
{
	struct iot_draft d;

	iot_draft_init(&d);
	d.argc = d.words = 1;
	d.word[0] = size;
	store_draft(t, &IOT_DESC_NAME(pages_found), f, &d);
}

void iot_fault_gained(struct iot_thread *t, const struct iot_fault_file *f, uint64_t offset, uint64_t size, uint64_t touched,
		      uint64_t unused)
{
	struct iot_draft d;

	iot_draft_init(&d);
	d.present = IOT_HAS_SIZE;
	d.size = size;
	d.offset = offset;
	d.argc = d.words = 2;
	d.word[0] = touched;
	d.word[1] = unused;
	store_draft(t, &IOT_DESC_NAME(pages_gained), f, &d);
}

void iot_fault_store_pages(const struct iot_faults *share, void (*tell)(struct iot_thread *t, struct iot_fault_file *f))
{
	const struct iot_fault_event by = { .pid = share->of, .tid = share->of };
	struct iot_thread *t = iot_config.cache ? thread_of(share, &by) : NULL;
	struct iot_fault_file *f;

	if (!t || !iot_is_wanted(&IOT_DESC_NAME(pages_gained)))
		return;
	for (uint32_t i = 0; (f = iot_fault_file(i)); i++)
		if (has_file(t, f))
			tell(t, f);
}

static void store(struct iot_thread *t, const struct iot_fault_event *e, const struct iot_area *a)
{
	const uint64_t start = ticks_at(e->time);
	struct iot_call c = { .t = t, .desc = &IOT_DESC_NAME(page_fault), .start = start, .handle = a->file->handle };
	struct iot_draft d;

	iot_busy(t);
	make_room(t, start);
	c.stack = iot_fault_stack(t, e);
	iot_draft_init(&d);
	d.present = IOT_HAS_SIZE;
	d.size = a->file->page;
	d.offset = (a->offset + (e->at - a->start)) & -a->file->page;
	d.argc = d.words = 2;
	d.word[0] = use_of(e, a) | (e->major ? MAJOR : 0);
	d.word[1] = e->at;
	d.text[0].s = d.text[1].s = NULL;
	iot_encode(t, &c, &d, start, 0, 0, IOT_ST_FINISHED);
	iot_idle(t);
}

void iot_fault_store(const struct iot_faults *share, const struct iot_fault_event *e, const struct iot_area *a)
{
	struct iot_thread *t;

	if (!iot_is_wanted(&IOT_DESC_NAME(page_fault)))
		return;
	t = thread_of(share, e);
	if (!t)
		iot_lost(1, 0);
	else if (has_file(t, a->file))
		store(t, e, a);
}
