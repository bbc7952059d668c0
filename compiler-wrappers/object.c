/* SPDX-License-Identifier: BSD-3-Clause */
/* object.c - what objects, archives and shared libraries say of themselves. */
#define _GNU_SOURCE
#include "config.h"

#include <ar.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "object.h"

static const void *part(const struct elf *e, uint64_t at, uint64_t n)
{
	return at <= e->size && n <= e->size - at && !(at % 8) ? e->text + at : NULL;
}

static void find_head(struct elf *e)
{
	e->head = e->text ? part(e, 0, sizeof(*e->head)) : NULL;
	if (e->head && (memcmp(e->text, ELFMAG, SELFMAG) || e->head->e_ident[EI_CLASS] != ELFCLASS64))
		e->head = NULL;
}

struct elf iot_elf_open(const char *path)
{
	struct elf e = { 0 };
	int fd = iot_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0) {
		e.size = (size_t)st.st_size;
		e.text = mmap(NULL, e.size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (e.text == MAP_FAILED)
			e = (struct elf){ 0 };
	}
	if (fd >= 0)
		close(fd);
	find_head(&e);
	return e;
}

void iot_elf_close(const struct elf *e)
{
	if (e->text)
		munmap((void *)e->text, e->size);
}

bool iot_elf_is_shared(const struct elf *e)
{
	return e->head && e->head->e_type == ET_DYN;
}

static const Elf64_Shdr *section(const struct elf *e, size_t i)
{
	return part(e, e->head->e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
}

/* Where there are too many sections for the head, the first of them has their number. */
static size_t n_sections(const struct elf *e)
{
	const Elf64_Shdr *first = section(e, 0);

	return !first ? 0 : e->head->e_shnum ? e->head->e_shnum : first->sh_size;
}

/* The name, in the section that belongs to a table of names' numbers.  NULL: there is none. */
static const char *text_at(const struct elf *e, const Elf64_Shdr *table, uint64_t name)
{
	const Elf64_Shdr *names = section(e, table->sh_link);
	uint64_t at = names ? names->sh_offset + name : 0;

	return names && at >= name && at < e->size && memchr(e->text + at, 0, e->size - at) ? e->text + at : NULL;
}

static bool is_one(const char *text, const char *const *names)
{
	for (; text && *names; names++)
		if (iot_begins(text, *names))
			return true;
	return false;
}

static bool object_refers(const struct elf *e, const char *const *names, bool weakly)
{
	const Elf64_Shdr *table;

	for (size_t i = 0; (table = section(e, i)) && i < n_sections(e); i++) {
		const Elf64_Sym *symbols = part(e, table->sh_offset, table->sh_size);

		if (!symbols || (table->sh_type != SHT_SYMTAB && table->sh_type != SHT_DYNSYM))
			continue;
		for (size_t k = 0; k < table->sh_size / sizeof(*symbols); k++)
			if (symbols[k].st_shndx == SHN_UNDEF &&
			    (weakly || ELF64_ST_BIND(symbols[k].st_info) == STB_GLOBAL) &&
			    is_one(text_at(e, table, symbols[k].st_name), names))
				return true;
	}
	return false;
}

/* A member is copied, since it lies at any even number of bytes. */
static bool member_refers(const char *text, size_t size, const char *const *names, bool weakly)
{
	void *copy = malloc(size);
	struct elf e = { .text = copy, .size = size };
	bool refers;

	if (!copy)
		return false;
	memcpy(copy, text, size);
	find_head(&e);
	refers = e.head && object_refers(&e, names, weakly);
	free(copy);
	return refers;
}

static bool archive_refers(const struct elf *e, const char *const *names, bool weakly)
{
	struct ar_hdr head;
	size_t size;

	for (size_t at = SARMAG; e->size - at >= sizeof(head); at += size + size % 2) {
		char digits[sizeof(head.ar_size) + 1] = "";

		memcpy(&head, e->text + at, sizeof(head));
		memcpy(digits, head.ar_size, sizeof(head.ar_size));
		size = strtoull(digits, NULL, 10);
		at += sizeof(head);
		if (size >= e->size - at)
			size = e->size - at;
		if (member_refers(e->text + at, size, names, weakly))
			return true;
		if (size + size % 2 > e->size - at)
			break;
	}
	return false;
}

bool iot_elf_refers(const struct elf *e, const char *const *names, bool weakly)
{
	if (e->head)
		return object_refers(e, names, weakly);
	return e->size > SARMAG && !memcmp(e->text, ARMAG, SARMAG) && archive_refers(e, names, weakly);
}

static bool table_defines(const struct elf *e, const Elf64_Shdr *table, iot_is_such *is, void *arg)
{
	const Elf64_Sym *symbols = part(e, table->sh_offset, table->sh_size);

	for (size_t i = 0; symbols && i < table->sh_size / sizeof(*symbols); i++) {
		const char *name = symbols[i].st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbols[i].st_info) != STB_LOCAL ?
					   text_at(e, table, symbols[i].st_name) :
					   NULL;

		if (name && is(arg, name))
			return true;
	}
	return false;
}

/*
 * What GCC leaves to link-time optimization has a table that the linker's plugin reads: for each
 * symbol its name, the name of a group, both with a 0 behind them, its kind, its visibility, and 12
 * bytes more.
 */
#define LTO_UNDEFINED 2 /* and weakly so: 3 */
static bool lto_table_defines(const char *at, size_t size, iot_is_such *is, void *arg)
{
	const char *end = at + size;

	while (at < end) {
		const char *name = at, *group = memchr(at, 0, end - at), *kind;

		kind = group ? memchr(group + 1, 0, end - group - 1) : NULL;
		if (!kind || end - kind < 15)
			break;
		if (kind[1] != LTO_UNDEFINED && kind[1] != LTO_UNDEFINED + 1 && is(arg, name))
			return true;
		at = kind + 15;
	}
	return false;
}

static bool has_bytes(const struct elf *e, const Elf64_Shdr *s)
{
	return s->sh_type != SHT_NOBITS && s->sh_offset <= e->size && s->sh_size <= e->size - s->sh_offset;
}

static bool is_lto_table(const struct elf *e, const Elf64_Shdr *s)
{
	static const char name[] = ".gnu.lto_.symtab";
	const Elf64_Shdr *first = section(e, 0);
	size_t names_in = e->head->e_shstrndx == SHN_XINDEX && first ? first->sh_link : e->head->e_shstrndx;
	const Elf64_Shdr *names = names_in < n_sections(e) ? section(e, names_in) : NULL;
	uint64_t at = names ? names->sh_offset + s->sh_name : e->size;

	return at + strlen(name) < e->size && has_bytes(e, s) && iot_begins(e->text + at, name);
}

static bool object_defines(const struct elf *e, iot_is_such *is, void *arg)
{
	const Elf64_Shdr *table;

	for (size_t i = 0; (table = section(e, i)) && i < n_sections(e); i++) {
		if (table->sh_type == SHT_SYMTAB && table_defines(e, table, is, arg))
			return true;
		if (is_lto_table(e, table) && lto_table_defines(e->text + table->sh_offset, table->sh_size, is, arg))
			return true;
	}
	return false;
}

/* The first member of an archive tells what all define: how many names, where each one's member is,
   the names.  Numbers have their first byte first, and eight bytes (*word) in "/SYM64/". */
static const char *archive_map(const struct elf *e, size_t *size, size_t *word)
{
	const struct ar_hdr *head = (const void *)(e->text + SARMAG);
	const char *map = e->text + SARMAG + sizeof(*head);

	if (e->size < SARMAG + sizeof(*head) || *head->ar_name != '/')
		return NULL;
	if (!iot_begins(head->ar_name, "/SYM64/") && head->ar_name[1] != ' ')
		return NULL;
	*word = head->ar_name[1] == ' ' ? sizeof(uint32_t) : sizeof(uint64_t);
	*size = strtoull(head->ar_size, NULL, 10);
	return *size <= e->size - (size_t)(map - e->text) ? map : NULL;
}

static bool archive_defines(const struct elf *e, iot_is_such *is, void *arg)
{
	size_t size, word, n = 0;
	const char *at = archive_map(e, &size, &word), *end;

	if (!at || size < word)
		return false;
	end = at + size;
	for (size_t i = 0; i < word; i++)
		n = n << 8 | (unsigned char)at[i];
	if (n > size / word - 1)
		return false;
	for (at += word + n * word; n && memchr(at, 0, end - at); n--, at += strlen(at) + 1)
		if (is(arg, at))
			return true;
	return false;
}

static bool is_archive(const struct elf *e)
{
	return e->size > SARMAG && (!memcmp(e->text, ARMAG, SARMAG) || !memcmp(e->text, "!<thin>\n", SARMAG));
}

bool iot_elf_defines(const struct elf *e, iot_is_such *is, void *arg)
{
	if (e->head)
		return !iot_elf_is_shared(e) && object_defines(e, is, arg);
	return is_archive(e) && archive_defines(e, is, arg);
}

void iot_elf_names(const struct elf *e, void (*each)(void *arg, const char *text, size_t n), void *arg)
{
	const char *map = NULL;
	const Elf64_Shdr *s;
	size_t size, word;

	if (e->head ? !section(e, 0) : !is_archive(e)) {
		if (e->text)
			each(arg, e->text, e->size);
		return;
	}
	if (!e->head)
		map = archive_map(e, &size, &word);
	if (map)
		each(arg, map, size);
	for (size_t i = 0; e->head && (s = section(e, i)) && i < n_sections(e); i++)
		if (is_lto_table(e, s) || (s->sh_type == SHT_STRTAB && has_bytes(e, s)))
			each(arg, e->text + s->sh_offset, s->sh_size);
}

bool iot_elf_is_bitcode(const struct elf *e)
{
	return e->size > 4 && (!memcmp(e->text, "BC\xc0\xde", 4) || !memcmp(e->text, "\xde\xc0\x17\x0b", 4));
}

void iot_elf_add_needed(struct words *names, const struct elf *e)
{
	const Elf64_Shdr *table;

	for (size_t i = 0; e->head && (table = section(e, i)) && i < n_sections(e); i++) {
		const Elf64_Dyn *entries = part(e, table->sh_offset, table->sh_size);

		if (!entries || table->sh_type != SHT_DYNAMIC)
			continue;
		for (size_t k = 0; k < table->sh_size / sizeof(*entries); k++) {
			const char *name = entries[k].d_tag == DT_NEEDED ? text_at(e, table, entries[k].d_un.d_val) : NULL;

			if (name && !iot_has(names, name))
				iot_add(names, iot_text("%s", name));
		}
	}
}

bool iot_elf_needs(const struct elf *e, const char *soname)
{
	struct words names = { 0 };

	iot_elf_add_needed(&names, e);
	return iot_has_beginning(&names, soname);
}
