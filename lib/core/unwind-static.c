/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind-static.c - where in a static executable's unwind tables an address is.
 *
 * Linkers sort these tables for dynamic executables only.  Here all entries are passed
 * once, for an index: the executable is divided into pieces, and for each the index has
 * where the first entry lies that reaches into it.  Those that follow are near, since
 * linkers keep the order of what they link.
 */
#include <elf.h>
#include <string.h>

#include "arena.h"
#include "auxv.h"
#include "lend.h"
#include "own-proc.h"
#include "sys.h"
#include "unwind.h"

#define PIECES 2040u			/* so that all takes two pages */

static struct tables {
	uintptr_t low, high;		/* the executable */
	uintptr_t first;		/* .eh_frame; 0: it was not found */
	uint32_t size;			/* of a piece */
	uint32_t index[PIECES];		/* how far into the tables, plus 1; 0: no entry */
} *tables;

/* They are known by how they begin: what entries have in common, which has no number,
   and a version. */
static bool begins_at(const struct tables *x, uintptr_t at)
{
	return at >= x->low && at < x->high - 16 && !memcmp((const char *)at + 4, "\0\0\0\0\1", 5);
}

struct search {
	const struct tables *x;
	const Elf64_Ehdr *eh;
	uintptr_t bias, found;
};

static void find(void *arg)
{
	static iot_own_proc paths = IOT_OWN_PROC("exe");
	struct search *f = arg;
	Elf64_Shdr s = { 0 };
	int fd = -1;

	for (int i = 0; fd < 0 && i < 2; i++)
		fd = iot_sys_openat(AT_FDCWD, paths[i], O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	for (uint32_t i = 0; i < f->eh->e_shnum && !f->found; i++)
		if (iot_syscall(SYS_pread64, (long)fd, &s, sizeof(s), f->eh->e_shoff + i * sizeof(s)) == sizeof(s) &&
		    s.sh_flags == SHF_ALLOC && begins_at(f->x, f->bias + s.sh_addr))
			f->found = f->bias + s.sh_addr;
	iot_sys_close(fd);
}

/* Where .eh_frame is: only the file tells, of which the program may hold locks. */
static uintptr_t eh_frame(const struct tables *x, uintptr_t bias, const Elf64_Ehdr *eh)
{
	struct search f = { .x = x, .eh = eh, .bias = bias };

	if (!iot_lend(find, &f))
		find(&f);
	return f.found;
}

/* The addresses that the entry is about; false: it is what entries have in common. */
static bool reach(const struct tables *x, uintptr_t entry, uintptr_t *from, uintptr_t *to)
{
	const int32_t *word = (const int32_t *)entry;

	*from = entry + 8 + (uintptr_t)(intptr_t)word[2];
	*to = *from + (uint32_t)word[3];
	return word[1] && *from >= x->low && *from < *to && *to <= x->high;
}

/* The entry behind; 0: this was the last. */
static uintptr_t next(const struct tables *x, uintptr_t entry)
{
	entry += 4UL + *(const uint32_t *)entry;
	return entry < x->high - 16 && *(const uint32_t *)entry - 12 < x->high - 16 - entry ? entry : 0;
}

/* In a process that has just begun, or later: addresses never change. */
static IOT_COLD void set_up(struct tables *x)
{
	const Elf64_Phdr *ph = (const Elf64_Phdr *)iot_auxv(AT_PHDR);
	/* the headers lie in the first segment, 64 bytes into the file */
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)((uintptr_t)ph - sizeof(*eh));
	uintptr_t bias = 0, from, to;

	x->low = (uintptr_t)eh;
	for (uint64_t n = ph ? iot_auxv(AT_PHNUM) : 0; n--; ph++) {
		if (ph->p_type == PT_LOAD && !ph->p_offset)
			bias = x->low - ph->p_vaddr;
		if (ph->p_type == PT_LOAD && x->high < ph->p_vaddr + ph->p_memsz)
			x->high = ph->p_vaddr + ph->p_memsz;
	}
	if (!x->high)
		return;
	x->high += bias;
	x->first = eh_frame(x, bias, eh);
	for (x->size = 256; (x->high - x->low) / x->size >= PIECES; x->size *= 2)
		;
	for (uintptr_t e = x->first; e; e = next(x, e))
		if (reach(x, e, &from, &to))
			for (from -= x->low, to -= x->low; from < to; from = (from / x->size + 1) * x->size)
				if (!x->index[from / x->size])
					x->index[from / x->size] = (uint32_t)(e - x->first) + 1;
}

uintptr_t iot_host_entry(uintptr_t pc)
{
	struct tables *x = __atomic_load_n(&tables, __ATOMIC_ACQUIRE), *none = NULL;
	uintptr_t e, from, to;
	uint32_t at;

	if (!x) {
		x = iot_map(sizeof(*x));
		if (!x)
			return 0;
		set_up(x);
		if (!__atomic_compare_exchange_n(&tables, &none, x, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			iot_unmap(x, sizeof(*x));
			x = none;
		}
	}
	at = pc - x->low < x->high - x->low && x->first ? x->index[(pc - x->low) / x->size] : 0;
	for (e = at ? x->first + at - 1 : 0; e; e = next(x, e))
		if (reach(x, e, &from, &to) && pc >= from && pc < to)
			return e;
	return 0;
}

bool iot_host_read(void *to, uintptr_t from, uint32_t n)
{
	if (from < tables->low || from > tables->high - n)
		return false;
	memcpy(to, (const void *)from, n);
	return true;
}

/* No code of its own is ever unloaded. */
IOT_EACH bool iot_rules_hold(const uintptr_t *pc, uint32_t n)
{
	(void)pc;
	(void)n;
	return true;
}
