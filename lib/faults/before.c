/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * before.c - what of the files that are mapped when the helper begins was in the page cache before
 * the program began: iotrace-run has looked, and IOTRACE_FOUND says so.  What is there now and was
 * not then has come for the kernel and the loader, of whose faults nobody told.  But /proc tells
 * which pages are mapped: on these they faulted, or near these.
 */
#include "faults.h"

#include "arch-cpu.h"
#include "arena.h"
#include "conf.h"
#include "host.h"
#include "setting.h"
#include "sys.h"
#include "text.h"

#include <string.h>

/* Of an entry of /proc/PID/pagemap. */
#define MAPPED	  (1ULL << 63)
#define OF_A_FILE (1ULL << 61)

#define ENTRIES 512u			/* that are read at once */

/* The value; NULL: there is none.  It is the program's memory. */
static char *found_text(void)
{
	const char *name = iot_setting_name(IOT_SET_FOUND);
	const size_t n = strlen(name);

	for (char **e = iot_environ(); e && *e; e++)
		if (!strncmp(*e, name, n) && (*e)[n] == '=' && (*e)[n + 1])
			return *e + n + 1;
	return NULL;
}

/* Of the file with that device and inode: what is behind them, and its number; NULL: it is not there. */
static const char *entry_of(const char *s, uint64_t dev, uint64_t ino, uint32_t *number)
{
	for (*number = 0; (s = strchr(s, ';')); ++*number) {
		const char *v = ++s;
		const uint64_t d = iot_number(&v, 16), i = *v == '.' ? (v++, iot_number(&v, 16)) : 0;

		if (d == dev && i == ino)
			return v;
	}
	return NULL;
}

/* ,FROM-END,FROM-END;... */
static void take_runs(const char *s, struct iot_fault_pages *p)
{
	struct iot_page_run *run = NULL;
	uint32_t room = 0, n = 0;

	for (const char *t = s; *t && *t != ';'; t++)
		room += *t == ',';
	if (room && !(run = iot_map(room * sizeof(*run))))
		return;
	for (; *s == ',' && n < room; n++) {
		s++;
		run[n].from = iot_number(&s, 16);
		s += *s == '-';
		run[n].to = iot_number(&s, 16);
	}
	iot_pages_before(p, run, n);
}

static int open_pagemap(uint32_t pid)
{
	char path[IOT_PROC_PATH];

	iot_proc_path(path, pid, "/pagemap");
	return iot_sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
}

static bool mark_area(int pagemap, const struct iot_area *a)
{
	const uint64_t pages = (a->end - a->start) / IOT_PAGE;
	uint64_t entry[ENTRIES];

	for (uint64_t at = 0; at < pages;) {
		const uint64_t left = pages - at;
		const long n = iot_syscall(SYS_pread64, (long)pagemap, entry, (left < ENTRIES ? left : ENTRIES) * sizeof(*entry),
					   (a->start / IOT_PAGE + at) * sizeof(*entry)) / (long)sizeof(*entry);

		if (n <= 0)
			return false;
		for (long i = 0; i < n; i++)
			if (entry[i] & MAPPED)
				iot_pages_mark(&a->file->pages, a->offset / IOT_PAGE + at + (uint64_t)i,
					       !(entry[i] & OF_A_FILE));
		at += (uint64_t)n;
	}
	return true;
}

static const char *entry_of_file(const char *s, const struct iot_fault_file *f, uint32_t *number)
{
	struct stat st;

	if (!f || !f->pages.size || iot_sys_fstatat(AT_FDCWD, f->name, &st, 0) < 0)
		return NULL;
	return entry_of(s, st.st_dev, st.st_ino, number);
}

void iot_before_read(struct iot_faults *share)
{
	const char *s = found_text(), *entry;
	const struct iot_area *a;
	uint32_t number;
	int pagemap;

	/* of another process that this one descends from it tells nothing */
	if (!s || iot_number(&s, 16) != share->of || !iot_sys_allowed(SYS_pread64))
		return;
	pagemap = open_pagemap(share->of);
	for (uint64_t at = 0; pagemap >= 0 && (a = iot_area_behind(share->of, at)); at = a->end) {
		entry = entry_of_file(s, a->file, &number);
		if (!entry || !mark_area(pagemap, a) || a->file->pages.before)
			continue;
		take_runs(entry, &a->file->pages);
		if (number < IOT_FAULT_FOUND)
			share->found[number] = true;
	}
	if (pagemap >= 0)
		iot_sys_close(pagemap);
}

/* What the process becomes by execve() finds the others, if there are any. */
void iot_before_done(const struct iot_faults *share)
{
	char *text = found_text(), *s = text;
	bool left = false;

	for (uint32_t i = 0; s && (s = strchr(s, ';')) && *++s; i++) {
		if (i < IOT_FAULT_FOUND && share->found[i])
			*s = '-';
		left |= *s != '-';
	}
	if (text && !left)
		*text = 0;
}
