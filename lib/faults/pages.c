/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c - IOTRACE_FAULTS with IOTRACE_CACHE: which pages of the mapped files came into the page
 * cache while the program ran, and how many of these it touched.
 *
 * A fault does not tell how much the kernel read for it.  So the helper asks cachestat(2) what of
 * a file is there when the file is first mapped, and again when the program ends: halves of
 * halves, until each is all there or not at all.  No page is read, mapped or marked as used.
 * What is mapped when the helper begins was looked at before (before.c).
 */
#include "faults.h"

#include "arena.h"
#include "arch-cpu.h"
#include "cache.h"
#include "call.h"
#include "conf.h"
#include "lost.h"
#include "sys.h"
#include "vdso-clock.h"

#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <time.h>

#define MOST_RUNS 16384u		/* of a file that are kept */
#define AROUND	  (64u << 10)		/* bytes around a fault that the kernel maps if they are there */

/* What is there now: in the order of the file. */
static struct iot_page_run *now;
static uint32_t n_now;

/* Pages from..to-1; there: how many of them are.  False: there are too many runs. */
static bool look(int fd, uint64_t from, uint64_t to, uint64_t there)
{
	const uint64_t middle = from + (to - from) / 2;
	uint64_t first;

	if (!there)
		return true;
	if (there >= to - from) {
		if (n_now && now[n_now - 1].to == from) {
			now[n_now - 1].to = to;
			return true;
		}
		if (n_now == MOST_RUNS)
			return false;
		now[n_now++] = (struct iot_page_run){ from, to };
		return true;
	}
	first = iot_pages_there(fd, from * IOT_PAGE, (middle - from) * IOT_PAGE);
	if (first > there)
		first = there;
	return look(fd, from, middle, first) && look(fd, middle, to, there - first);
}

/* Of a file that has a device: its size in pages; else 0. */
static uint64_t pages_of(const char *name)
{
	struct statfs fs;
	struct stat st;

	if (iot_syscall(SYS_newfstatat, (long)AT_FDCWD, name, &st, 0L) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    iot_syscall(SYS_statfs, name, &fs) < 0 || fs.f_type == TMPFS_MAGIC || fs.f_type == HUGETLBFS_MAGIC ||
	    fs.f_type == RAMFS_MAGIC)
		return 0;
	return ((uint64_t)st.st_size + IOT_PAGE - 1) / IOT_PAGE;
}

/* Into now.  The pages of the file; 0: that can't be told, since there is no such file any more, or
   because the kernel tells its owner alone, and who may write it. */
static uint64_t look_at(const char *name)
{
	uint64_t pages = pages_of(name), there;
	const int fd = pages ? iot_sys_openat(AT_FDCWD, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0) : -1;

	n_now = 0;
	if (fd < 0)
		return 0;
	there = iot_pages_there(fd, 0, pages * IOT_PAGE);
	if (there == IOT_UNKNOWN)
		pages = 0;
	else if (!look(fd, 0, pages, there))
		iot_lost(1, 0);
	iot_sys_close(fd);
	return pages;
}

static bool keep(struct iot_fault_pages *p)
{
	struct iot_page_run *copy = NULL;

	if (n_now && !(copy = iot_map(n_now * sizeof(*copy))))
		return false;
	if (n_now)
		memcpy(copy, now, n_now * sizeof(*copy));
	if (p->room)
		iot_unmap(p->run, p->room * sizeof(*copy));
	p->run = copy;
	p->n = p->room = n_now;
	return true;
}

void iot_pages_look(struct iot_fault_file *f)
{
	struct iot_fault_pages *p = &f->pages;

	if (p->looked || !iot_config.cache || !iot_sys_allowed(SYS_cachestat) || !iot_sys_allowed(SYS_statfs))
		return;
	p->looked = true;
	p->when = iot_clock_ns(CLOCK_MONOTONIC);
	if (!now && !(now = iot_map(MOST_RUNS * sizeof(*now))))
		return;
	p->size = look_at(f->name);
	for (uint32_t i = 0; i < n_now; i++)
		p->found += p->size ? now[i].to - now[i].from : 0;
	p->bits = (p->size + 7) / 8;
	if (p->size && (!keep(p) || !(p->touched = iot_map(2 * p->bits))))
		p->size = 0;
}

void iot_pages_before(struct iot_fault_pages *p, struct iot_page_run *run, uint32_t n)
{
	if (p->room)
		iot_unmap(p->run, p->room * sizeof(*run));
	p->run = run;
	p->n = p->room = n;
	p->before = true;
	p->found = 0;
	for (uint32_t i = 0; i < n; i++)
		p->found += run[i].to - run[i].from;
}

static void set(uint8_t *bits, uint64_t n)
{
	bits[n / 8] |= (uint8_t)(1u << n % 8);
}

void iot_pages_mark(struct iot_fault_pages *p, uint64_t page, bool touched)
{
	if (page >= p->size)
		return;
	if (touched)
		set(p->touched, page);
	set(p->touched + p->bits, page);
}

/* A fault has touched a page, and may have mapped those around it that are in the same area. */
void iot_pages_touch(const struct iot_area *a, const struct iot_fault_event *e)
{
	struct iot_fault_pages *p = &a->file->pages;
	const uint64_t page = (a->offset + (e->at - a->start)) / IOT_PAGE;
	uint64_t from = e->at & -(uint64_t)AROUND, to = from + AROUND;

	if (page >= p->size)
		return;
	if (from < a->start)
		from = a->start;
	if (to > a->end)
		to = a->end;
	set(p->touched, page);
	for (; from < to; from += IOT_PAGE) {
		const uint64_t near = (a->offset + (from - a->start)) / IOT_PAGE;

		iot_pages_mark(p, near, false);
	}
	/* the helper looked late: what is around the page was read for it */
	for (uint32_t i = 0; e->major && e->time < p->when && i < p->n; i++) {
		if (p->run[i].from > page || page >= p->run[i].to)
			continue;
		p->found -= p->run[i].to - p->run[i].from;
		memmove(&p->run[i], &p->run[i + 1], (--p->n - i) * sizeof(*p->run));
		break;
	}
}

static bool bit(const uint8_t *bits, uint64_t n)
{
	return bits[n / 8] >> n % 8 & 1;
}

static void tell_run(struct iot_thread *t, const struct iot_fault_file *f, uint64_t from, uint64_t to)
{
	const struct iot_fault_pages *p = &f->pages;
	uint64_t touched = 0, unused = 0;

	for (uint64_t i = from; i < to; i++) {
		touched += bit(p->touched, i);
		unused += !bit(p->touched + p->bits, i);
	}
	iot_fault_gained(t, f, from * IOT_PAGE, (to - from) * IOT_PAGE, touched * IOT_PAGE, unused * IOT_PAGE);
}

/* What is there now, and was not before. */
static void tell_gained(struct iot_thread *t, const struct iot_fault_file *f)
{
	const struct iot_fault_pages *p = &f->pages;
	uint32_t had = 0;

	for (uint32_t i = 0; i < n_now; i++) {
		uint64_t from = now[i].from;
		const uint64_t to = now[i].to < p->size ? now[i].to : p->size;

		while (from < to) {
			while (had < p->n && p->run[had].to <= from)
				had++;
			if (had == p->n || p->run[had].from >= to) {
				tell_run(t, f, from, to);
				break;
			}
			if (p->run[had].from > from)
				tell_run(t, f, from, p->run[had].from);
			from = p->run[had].to;
		}
	}
}

static void tell_found(struct iot_thread *t, struct iot_fault_file *f)
{
	if (!f->pages.told)
		iot_fault_found(t, f, f->pages.found * IOT_PAGE);
	f->pages.told = true;
}

void iot_pages_tell_before(struct iot_thread *t, struct iot_fault_file *f)
{
	if (f->pages.before)
		tell_found(t, f);
}

void iot_pages_tell(struct iot_thread *t, struct iot_fault_file *f)
{
	struct iot_fault_pages *p = &f->pages;

	if (!p->size || !look_at(f->name))
		return;
	tell_found(t, f);
	tell_gained(t, f);
	keep(p);
}
