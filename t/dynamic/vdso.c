/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vdso.c - the kernel's object (vDSO), linked to any address and mapped at any: user-mode
 * Linux and old kernels link it near the end of all addresses, and others may map it low.
 * The loader leaves its dynamic section as it is.  What the recorder finds in copies of this
 * process's own is compared with where it is.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "../../lib/dynamic/next.c"
/* which has names of its own for the same things */
#define read_tables clock_read_tables
#define find clock_find
#include "../../lib/core/vdso-clock.c"

static uintptr_t image;

uint64_t iot_auxv(uint64_t type)
{
	return type == AT_SYSINFO_EHDR ? image : 0;
}

static size_t size_of(const char *from)
{
	const Elf64_Ehdr *eh = (const void *)from;
	const Elf64_Phdr *ph = (const void *)(from + eh->e_phoff);
	size_t size = 0;

	for (int i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && size < ph[i].p_offset + ph[i].p_memsz)
			size = ph[i].p_offset + ph[i].p_memsz;
	return size;
}

/* As if all had been linked to addresses that are higher by so much. */
static void move(char *copy, uint64_t by, struct link_map *map, uintptr_t *function)
{
	Elf64_Ehdr *eh = (void *)copy;
	Elf64_Phdr *ph = (void *)(copy + eh->e_phoff);
	uint64_t linked = 0, n = 0;
	Elf64_Dyn *dynamic = NULL;
	const char *str = NULL;
	Elf64_Sym *sym = NULL;

	for (int i = 0; i < eh->e_phnum; i++) {
		if (ph[i].p_type == PT_LOAD)
			linked = ph[i].p_vaddr - ph[i].p_offset;
		if (ph[i].p_type == PT_DYNAMIC)
			dynamic = (void *)(copy + ph[i].p_offset);
	}
	for (int i = 0; i < eh->e_phnum; i++)
		ph[i].p_vaddr += by;
	for (Elf64_Dyn *d = dynamic; d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_SYMTAB:
			sym = (void *)(copy + d->d_un.d_ptr - linked);
			d->d_un.d_ptr += by;
			break;
		case DT_STRTAB:
			str = copy + d->d_un.d_ptr - linked;
			d->d_un.d_ptr += by;
			break;
		case DT_HASH:
		case DT_GNU_HASH:
		case DT_VERSYM:
		case DT_VERDEF:
			d->d_un.d_ptr += by;
		}
	/* the names follow the symbols */
	n = (uint64_t)(str - (const char *)sym) / sizeof(*sym);
	for (uint64_t i = 1; i < n; i++) {
		if (!strcmp(str + sym[i].st_name, IOT_VDSO_CLOCK))
			*function = (uintptr_t)copy + sym[i].st_value - linked;
		if (sym[i].st_shndx != SHN_UNDEF && sym[i].st_shndx != SHN_ABS)
			sym[i].st_value += by;
	}
	/* as glibc's setup_vdso has it */
	*map = (struct link_map){ .l_addr = (uintptr_t)copy - linked - by, .l_ld = dynamic };
}

int main(void)
{
	static const uint64_t linked[] = { 0, 0x10000000, 0x7fffe0000000, 0xffffffffff700000 };
	const char *vdso = (const char *)getauxval(AT_SYSINFO_EHDR);
	size_t size = vdso ? size_of(vdso) : 0;

	if (!size)
		return 77;
	for (int low = 0; low < 2; low++)
		for (size_t i = 0; i < sizeof(linked) / sizeof(*linked); i++) {
			char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (low ? MAP_32BIT : 0),
					  -1, 0);
			struct link_map map;
			uintptr_t is = 0;

			if (copy == MAP_FAILED)
				return 1;
			memcpy(copy, vdso, size);
			move(copy, linked[i], &map, &is);
			image = (uintptr_t)copy;
			printf("%s, linked to %#lx: %s %s\n", low ? "low" : "high", (unsigned long)linked[i],
			       is && (uintptr_t)iot_symbol_in(&map, IOT_VDSO_CLOCK, NULL) == is ? "found" : "NOT FOUND",
			       is && (uintptr_t)clock_find() == is ? "found" : "NOT FOUND");
			fflush(stdout);
		}
	return 0;
}
