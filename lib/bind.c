/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bind.c - settles in an object what no link will change: bind FROM TO
 *
 * How far a jump goes to a function in the same section that can't be another's, local or
 * hidden, is the same in each executable.  The assembler has settled that within a file;
 * between files `ld -r` leaves it to the last link.  And what refers to a local symbol in
 * another section refers to the section from now on: GNU ld keeps 32 local symbols of an
 * object, and reads any other from the file each time that something refers to it.
 *
 * A tool of the build, for objects of the machine that it runs on.  It knows x86-64; other
 * objects are copied.
 */
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file;
static unsigned char *image;
static size_t size;
static Elf64_Shdr *sections;
static Elf64_Sym *symbols;
static uint32_t *symbol_of; /* for each section: its own symbol, 0 if it has none */

static _Noreturn void fail(const char *why)
{
	fprintf(stderr, "bind: %s: %s\n", file, why);
	exit(1);
}

static void read_object(void)
{
	FILE *f = fopen(file, "rb");
	long end;

	if (!f || fseek(f, 0, SEEK_END) || (end = ftell(f)) < (long)sizeof(Elf64_Ehdr) ||
	    fseek(f, 0, SEEK_SET))
		fail("can't be read");
	size = (size_t)end;
	image = malloc(size);
	if (!image || fread(image, 1, size, f) != size || memcmp(image, ELFMAG, SELFMAG))
		fail("is no object");
	fclose(f);
}

static void write_object(void)
{
	FILE *f = fopen(file, "wb");

	if (!f || fwrite(image, 1, size, f) != size || fclose(f))
		fail("can't be written");
}

/* A distance of 32 bits, from where it is stored. */
static bool is_distance(uint32_t type)
{
	return type == R_X86_64_PC32 || type == R_X86_64_PLT32;
}

/* Nobody else can define it, and it is where its value says. */
static bool is_own(const Elf64_Sym *s)
{
	uint32_t kind = ELF64_ST_TYPE(s->st_info), reach = ELF64_ST_BIND(s->st_info);

	return s->st_shndx && s->st_shndx < SHN_LORESERVE && kind != STT_TLS &&
	       kind != STT_GNU_IFUNC &&
	       (reach == STB_LOCAL ||
		(reach == STB_GLOBAL && ELF64_ST_VISIBILITY(s->st_other) == STV_HIDDEN));
}

/* True if the last link has nothing left to do for it. */
static bool settle(Elf64_Rela *r, uint32_t section)
{
	const Elf64_Sym *s = &symbols[ELF64_R_SYM(r->r_info)];
	uint32_t type = ELF64_R_TYPE(r->r_info);
	int32_t distance;

	if (!is_own(s) || (!is_distance(type) && type != R_X86_64_64))
		return false;
	if (s->st_shndx == section && is_distance(type)) {
		distance = (int32_t)((int64_t)s->st_value + r->r_addend - (int64_t)r->r_offset);
		memcpy(image + sections[section].sh_offset + r->r_offset, &distance,
		       sizeof(distance));
		return true;
	}
	if (ELF64_ST_BIND(s->st_info) == STB_LOCAL && symbol_of[s->st_shndx]) {
		r->r_addend += (int64_t)s->st_value;
		r->r_info = ELF64_R_INFO((uint64_t)symbol_of[s->st_shndx],
					 type == R_X86_64_PLT32 ? R_X86_64_PC32 : type);
	}
	return false;
}

static void settle_all(Elf64_Shdr *relocations)
{
	Elf64_Rela *r = (void *)(image + relocations->sh_offset);
	size_t n = relocations->sh_size / sizeof(*r), left = 0;

	for (size_t i = 0; i < n; i++)
		if (!settle(&r[i], relocations->sh_info))
			r[left++] = r[i];
	relocations->sh_size = left * sizeof(*r);
}

/* What is merged with others' has no place of its own in its section. */
static void find_symbols(const Elf64_Shdr *table)
{
	symbols = (void *)(image + table->sh_offset);
	for (size_t i = 1; i < table->sh_size / sizeof(*symbols); i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_SECTION &&
		    !(sections[symbols[i].st_shndx].sh_flags & SHF_MERGE))
			symbol_of[symbols[i].st_shndx] = (uint32_t)i;
}

static void bind(const Elf64_Ehdr *header)
{
	sections = (void *)(image + header->e_shoff);
	symbol_of = calloc(header->e_shnum, sizeof(*symbol_of));
	if (!symbol_of)
		fail("no memory");
	for (size_t i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB)
			find_symbols(&sections[i]);
	for (size_t i = 0; i < header->e_shnum && symbols; i++)
		if (sections[i].sh_type == SHT_RELA)
			settle_all(&sections[i]);
}

int main(int argc, char **argv)
{
	const Elf64_Ehdr *header;

	if (argc != 3) {
		fprintf(stderr, "usage: bind FROM TO\n");
		return 2;
	}
	file = argv[1];
	read_object();
	header = (void *)image;
	if (header->e_machine == EM_X86_64 && header->e_ident[EI_CLASS] == ELFCLASS64)
		bind(header);
	file = argv[2];
	write_object();
	return 0;
}
