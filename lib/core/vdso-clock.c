/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vdso-clock.c - the kernel's clocks, as libc's clock_gettime reads them, without entering
 * the kernel: a tracer or the scheduler may keep us in a system call for long.
 * clock_gettime itself may be the program's, as in a test that has its own time.
 */
#include "vdso-clock.h"

#include "auxv.h"
#include "sys.h"

#include <elf.h>
#include <string.h>
#include <time.h>

typedef long clock_fn(int clock, struct timespec *now);

static long ask_kernel(int clock, struct timespec *now)
{
	return iot_syscall(SYS_clock_gettime, (long)clock, now);
}

/* The tables of the shared object that the kernel maps into each process. */
struct vdso {
	uintptr_t base;			/* what its addresses count from */
	const Elf64_Sym *sym;
	const char *str;
	const uint32_t *sysv, *gnu;
};

static void read_tables(struct vdso *v, const Elf64_Dyn *d)
{
	for (; d->d_tag != DT_NULL; d++) {
		const void *at = (const void *)(v->base + d->d_un.d_ptr);

		if (d->d_tag == DT_SYMTAB)
			v->sym = at;
		else if (d->d_tag == DT_STRTAB)
			v->str = at;
		else if (d->d_tag == DT_HASH)
			v->sysv = at;
		else if (d->d_tag == DT_GNU_HASH)
			v->gnu = at;
	}
}

static bool open_vdso(struct vdso *v)
{
	uintptr_t image = iot_auxv(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)image;
	const Elf64_Phdr *ph = (const Elf64_Phdr *)(image + (image ? eh->e_phoff : 0));

	*v = (struct vdso){ .base = image };
	for (uint32_t i = 0; image && i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD)
			v->base = image + ph[i].p_offset - ph[i].p_vaddr;
	for (uint32_t i = 0; image && i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_DYNAMIC)
			read_tables(v, (const Elf64_Dyn *)(image + ph[i].p_offset));
	return v->sym && v->str && (v->sysv || v->gnu);
}

/* How many symbols there are.  The newer table does not say: its last chain ends with the
   last symbol. */
static uint32_t n_symbols(const struct vdso *v)
{
	const uint32_t *buckets, *chains;
	uint32_t last = 0;

	if (v->sysv)
		return v->sysv[1];
	buckets = v->gnu + 4 + 2 * v->gnu[2];
	chains = buckets + v->gnu[0];
	for (uint32_t i = 0; i < v->gnu[0]; i++)
		if (buckets[i] > last)
			last = buckets[i];
	if (last < v->gnu[1])
		return 0;
	while (!(chains[last - v->gnu[1]] & 1))
		last++;
	return last + 1;
}

static clock_fn *find(void)
{
	struct vdso v;

	if (!open_vdso(&v))
		return ask_kernel;
	for (uint32_t i = 0, n = n_symbols(&v); i < n; i++)
		if (v.sym[i].st_shndx != SHN_UNDEF && !strcmp(v.str + v.sym[i].st_name, IOT_VDSO_CLOCK))
			return (clock_fn *)(v.base + v.sym[i].st_value);
	return ask_kernel;
}

void iot_clock(int clock, struct timespec *now)
{
	static clock_fn *fn;
	clock_fn *f = __atomic_load_n(&fn, __ATOMIC_RELAXED);

	if (iot_unlikely(!f)) {
		f = find();
		__atomic_store_n(&fn, f, __ATOMIC_RELAXED);
	}
	if (f(clock, now) != 0)
		ask_kernel(clock, now);
}

uint64_t iot_clock_ns(int clock)
{
	struct timespec now;

	iot_clock(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
