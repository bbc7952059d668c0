/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf.c - reading the executable.
 *
 * The file may be anything: whatever is taken from it is checked here, so that
 * the other parts can rely on sections that lie in the file and do not overlap.
 */
#include "config.h"
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "audit.h"

static void check_header(struct audit *a, GElf_Ehdr *eh)
{
	if (elf_kind(a->elf) != ELF_K_ELF || !gelf_getehdr(a->elf, eh))
		iot_audit_fail(a, "not an ELF executable");
	if (eh->e_machine != EM_X86_64 || eh->e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh->e_ident[EI_DATA] != ELFDATA2LSB)
		iot_audit_fail(a, "not an x86-64 executable; other processors cannot be examined");
	if (eh->e_type == ET_REL)
		iot_audit_fail(a, "an object file; examine the executable that it is linked into");
	if (eh->e_type != ET_EXEC && eh->e_type != ET_DYN)
		iot_audit_fail(a, "not an executable");
	a->pie = eh->e_type == ET_DYN;
	a->entry = eh->e_entry;
}

/* DT_NEEDED or no DF_1_PIE: tells shared objects from static-pie executables. */
static void check_dynamic_section(struct audit *a, Elf_Scn *scn, bool *needed, bool *is_pie)
{
	Elf_Data *d = elf_getdata(scn, NULL);
	GElf_Dyn dyn;
	int i;

	if (!d)
		iot_audit_fail(a, "damaged: its dynamic section cannot be read");
	for (i = 0; gelf_getdyn(d, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
		if (dyn.d_tag == DT_NEEDED)
			*needed = true;
		if (dyn.d_tag == DT_FLAGS_1 && (dyn.d_un.d_val & DF_1_PIE))
			*is_pie = true;
	}
}

static void check_static(struct audit *a)
{
	bool needed = false, is_pie = false, dynamic = false;
	size_t i, n = 0;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Phdr ph;

	if (elf_getphdrnum(a->elf, &n))
		iot_audit_fail(a, "damaged: its program headers cannot be read");
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(a->elf, i, &ph))
			iot_audit_fail(a, "damaged: its program headers cannot be read");
		if (ph.p_type == PT_INTERP)
			needed = true;
	}
	while ((scn = elf_nextscn(a->elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			iot_audit_fail(a, "damaged: its section headers cannot be read");
		if (sh.sh_type == 19 /* SHT_RELR */)
			a->relr = true;
		if (sh.sh_type == SHT_DYNAMIC) {
			dynamic = true;
			check_dynamic_section(a, scn, &needed, &is_pie);
		}
	}
	if (needed && a->pie && !is_pie)
		iot_audit_fail(a, "a shared object, not a static executable");
	if (needed)
		iot_audit_fail(a, "dynamic: libc's calls are outside it; link it with -static");
	if (a->pie && dynamic && !is_pie)
		iot_audit_fail(a, "a shared object, not a static executable");
}

static int compare_sections(const void *x, const void *y)
{
	const struct section *a = x, *b = y;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* Tables for unwinding hold distances, not pointers, but some of them look like one. */
static bool may_hold_pointers(const GElf_Shdr *sh, const char *name)
{
	if (sh->sh_flags & SHF_EXECINSTR)
		return false;
	switch (sh->sh_type) {
	case SHT_PROGBITS:
	case SHT_INIT_ARRAY:
	case SHT_FINI_ARRAY:
	case SHT_PREINIT_ARRAY:
		return strcmp(name, ".eh_frame") && strcmp(name, ".eh_frame_hdr") &&
		       strcmp(name, ".gcc_except_table");
	case SHT_X86_64_UNWIND:
		return false;
	default:
		return false;
	}
}

static void add_section(struct audit *a, Elf_Scn *scn, const GElf_Shdr *sh, const char *name,
			uint64_t file_size)
{
	struct section *s;
	Elf_Data *d;

	if (sh->sh_offset > file_size || sh->sh_size > file_size - sh->sh_offset)
		iot_audit_fail(a, "truncated: section %s lies behind its end", name);
	if (sh->sh_addr > UINT64_MAX - sh->sh_size)
		iot_audit_fail(a, "damaged: section %s has no possible address", name);
	d = elf_rawdata(scn, NULL);
	if (!d || !d->d_buf || d->d_size != sh->sh_size)
		iot_audit_fail(a, "damaged: section %s cannot be read", name);
	a->sections = iot_audit_grow(a->sections, a->n_sections, sizeof(*s));
	s = &a->sections[a->n_sections++];
	*s = (struct section){
		.addr = sh->sh_addr,
		.size = sh->sh_size,
		.data = d->d_buf,
		.name = name,
		.index = elf_ndxscn(scn),
		.exec = sh->sh_flags & SHF_EXECINSTR,
		.got = !strcmp(name, ".got") || !strcmp(name, ".got.plt"),
		.pointers = may_hold_pointers(sh, name),
	};
}

static void read_sections(struct audit *a, uint64_t file_size)
{
	size_t i, shstrndx;
	Elf_Scn *scn = NULL;
	const char *name;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(a->elf, &shstrndx))
		iot_audit_fail(a, "damaged: its section headers cannot be read");
	while ((scn = elf_nextscn(a->elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			iot_audit_fail(a, "damaged: its section headers cannot be read");
		if (!(sh.sh_flags & SHF_ALLOC) || sh.sh_type == SHT_NOBITS || !sh.sh_size)
			continue;
		name = elf_strptr(a->elf, shstrndx, sh.sh_name);
		if (!name)
			iot_audit_fail(a, "damaged: a section has no name");
		if ((sh.sh_flags & SHF_EXECINSTR) || may_hold_pointers(&sh, name))
			add_section(a, scn, &sh, name, file_size);
	}
	if (a->n_sections)
		qsort(a->sections, a->n_sections, sizeof(*a->sections), compare_sections);
	a->code_lo = UINT64_MAX;
	for (i = 0; i < a->n_sections; i++) {
		const struct section *s = &a->sections[i];

		if (i && s->addr < s[-1].addr + s[-1].size)
			iot_audit_fail(a, "damaged: sections %s and %s overlap", s[-1].name,
				       s->name);
		if (!s->exec)
			continue;
		if (s->addr < a->code_lo)
			a->code_lo = s->addr;
		a->code_hi = s->addr + s->size;
	}
}

void iot_audit_load(struct audit *a)
{
	const struct section *entry;
	GElf_Ehdr eh;
	struct stat st;

	if (fstat(a->fd, &st) || !S_ISREG(st.st_mode))
		iot_audit_fail(a, "not a regular file");
	elf_version(EV_CURRENT);
	a->elf = elf_begin(a->fd, ELF_C_READ_MMAP, NULL);
	if (!a->elf)
		iot_audit_fail(a, "cannot read it: %s", elf_errmsg(-1));
	check_header(a, &eh);
	check_static(a);
	read_sections(a, st.st_size);
	entry = iot_audit_section(a, a->entry);
	if (!entry || !entry->exec)
		iot_audit_fail(
			a, "it cannot be examined: no section says that its entry point is code");
}

/* The section that holds the address, or NULL. */
const struct section *iot_audit_section(const struct audit *a, uint64_t addr)
{
	size_t lo = 0, hi = a->n_sections;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct section *s = &a->sections[mid];

		if (addr < s->addr)
			hi = mid;
		else if (addr - s->addr >= s->size)
			lo = mid + 1;
		else
			return s;
	}
	return NULL;
}

/* One relocation that leaves a pointer to code; false: there are no more. */
bool iot_audit_relocation(struct audit *a, size_t *section, size_t *item, uint64_t *where,
			  uint64_t *target)
{
	Elf_Scn *scn;
	GElf_Shdr sh;
	GElf_Rela r;
	Elf_Data *d;

	for (; (scn = elf_getscn(a->elf, *section)); ++*section, *item = 0) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA || !(sh.sh_flags & SHF_ALLOC))
			continue;
		d = elf_getdata(scn, NULL);
		if (!d)
			iot_audit_fail(a, "damaged: its relocations cannot be read");
		while (gelf_getrela(d, *item, &r)) {
			++*item;
			if (GELF_R_TYPE(r.r_info) != R_X86_64_RELATIVE &&
			    GELF_R_TYPE(r.r_info) != R_X86_64_IRELATIVE)
				continue;
			*where = r.r_offset;
			*target = r.r_addend;
			return true;
		}
	}
	return false;
}
