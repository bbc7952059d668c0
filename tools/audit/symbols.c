/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.c - cutting the code into functions.
 *
 * Every byte of every executable section belongs to exactly one function.
 * Symbols of functions say where these are; what lies between them (assembly
 * without .type, functions whose local symbol is gone) is a function too, named
 * after a label if there is one.  A symbol inside another function is a second
 * entry of it.  Data in the midst of code (assembly puts tables there) is a
 * "function", too, that is not disassembled unless something jumps to it.
 */
#include "config.h"
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "audit.h"

static void add_symbol(struct audit *a, const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info);
	const struct section *s = iot_audit_section(a, sym->st_value);
	struct symbol made = {
		.addr = sym->st_value,
		.size = sym->st_size,
		.name = name,
		.func_type = type == STT_FUNC || type == STT_GNU_IFUNC,
		.object = type == STT_OBJECT,
		.local = GELF_ST_BIND(sym->st_info) == STB_LOCAL,
	};

	if (type == STT_OBJECT && !(s && s->exec && made.size)) {
		a->objects = iot_audit_grow(a->objects, a->n_objects, sizeof(made));
		a->objects[a->n_objects++] = made;
		return;
	}
	if (!s || !s->exec || (!made.func_type && !made.object && type != STT_NOTYPE))
		return;
	/* etext: at the end of its section, perhaps at the beginning of the next. */
	if (sym->st_shndx < SHN_LORESERVE && sym->st_shndx != s->index)
		return;
	/* Marks such as __start_SECTION are no functions. */
	if (!made.func_type && (!strncmp(name, "__start_", 8) || !strncmp(name, "__stop_", 7)))
		return;
	if (made.size > s->addr + s->size - made.addr)
		made.size = s->addr + s->size - made.addr;
	a->symbols = iot_audit_grow(a->symbols, a->n_symbols, sizeof(made));
	a->symbols[a->n_symbols++] = made;
}

static void read_table(struct audit *a, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *d = elf_getdata(scn, NULL);
	const char *name;
	GElf_Sym sym;
	size_t i, n;

	if (!d || !sh->sh_entsize)
		iot_audit_fail(a, "damaged: its symbol table cannot be read");
	n = sh->sh_size / sh->sh_entsize;
	for (i = 1; i < n && gelf_getsym(d, i, &sym); i++) {
		if (sym.st_shndx == SHN_UNDEF || sym.st_shndx == SHN_ABS)
			continue;
		name = elf_strptr(a->elf, sh->sh_link, sym.st_name);
		if (name && *name)
			add_symbol(a, &sym, name);
	}
}

static int compare_symbols(const void *x, const void *y)
{
	const struct symbol *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->func_type != b->func_type)
		return a->func_type ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* The name that people know: few underscores in front, short. */
static bool plainer(const char *a, const char *b)
{
	size_t ua = strspn(a, "_"), ub = strspn(b, "_");

	if (ua != ub)
		return ua < ub;
	if (strlen(a) != strlen(b))
		return strlen(a) < strlen(b);
	return strcmp(a, b) < 0;
}

static struct func *new_func(struct audit *a, uint64_t start, uint64_t end, size_t symbol)
{
	struct func *f;

	a->funcs = iot_audit_grow(a->funcs, a->n_funcs, sizeof(*f));
	f = &a->funcs[a->n_funcs];
	*f = (struct func){
		.start = start,
		.end = end,
		.first_symbol = symbol,
		.owner = a->n_funcs,
	};
	a->n_funcs++;
	return f;
}

/* A symbol enters the function: one more of its names. */
static void add_name(struct audit *a, struct func *f, struct symbol *s)
{
	s->func = f - a->funcs;
	if (!f->n_symbols++)
		f->local = f->data = true;
	if (!s->local)
		f->local = false;
	if (!s->object)
		f->data = false;
	/* Names inside are names of a part only. */
	if (s->addr == f->start && (!f->name || plainer(s->name, f->name)))
		f->name = s->name;
}

/* The functions of one section, symbols from *next on. */
static void cut_section(struct audit *a, const struct section *sec, size_t *next)
{
	uint64_t end = sec->addr + sec->size, at = sec->addr;
	struct func *f = NULL;
	bool sized = false;

	while (*next < a->n_symbols && a->symbols[*next].addr < end) {
		struct symbol *s = &a->symbols[*next];
		/* Local labels do not end what they lie in. */
		bool label = s->local && !s->func_type && !s->object;
		bool inside = f && s->addr < f->end && (sized || label || s->addr == f->start);

		if (inside) {
			/* A longer symbol that begins inside stretches the function. */
			if (s->addr + s->size > f->end)
				f->end = s->addr + s->size;
		} else {
			if (f && f->end > s->addr)
				f->end = s->addr;
			at = f ? f->end : sec->addr;
			if (at < s->addr)
				new_func(a, at, s->addr, *next);
			sized = (s->func_type || s->object) && s->size;
			f = new_func(a, s->addr, sized ? s->addr + s->size : end, *next);
		}
		add_name(a, f, s);
		++*next;
	}
	at = f ? f->end : sec->addr;
	if (at < end)
		new_func(a, at, end, *next);
}

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Whether wrappers carry the names of the calls: then a __wrap_NAME is the program's. */
static bool has_renamed(const struct audit *a)
{
	size_t i;

	for (i = 0; i < a->n_symbols; i++)
		if (starts(a->symbols[i].name, IOT_REAL))
			return true;
	return false;
}

static void set_side(struct audit *a, struct func *f, bool renamed)
{
	uint32_t i;

	for (i = f->first_symbol; i < f->first_symbol + f->n_symbols; i++) {
		const char *name = a->symbols[i].name;

		if (renamed ? starts(name, IOT_NAMED) : iot_audit_is_wrapper(name))
			f->side = SIDE_WRAPPER;
		else if (starts(name, "iot_") && !starts(name, IOT_REAL) && f->side == SIDE_PROGRAM)
			f->side = SIDE_RECORDER;
	}
	a->n_wrappers += f->side == SIDE_WRAPPER;
}

static int compare_strings(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/*
 * Where iocc could not use the linker's --wrap, wrappers carry the names of the
 * calls, and libc's functions have been renamed to iot_real_NAME.  (vfork has
 * no such thing: its wrapper makes the call.)  And some wrappers are of names
 * that the table of calls lacks, since they record no call of that name.
 */
static void find_candidates(struct audit *a)
{
	const char **renamed = NULL;
	size_t i, n = 0;

	for (i = 0; i < a->n_symbols; i++) {
		const char *name = a->symbols[i].name;

		if (!starts(name, IOT_REAL)) {
			if (starts(name, IOT_WRAP) || iot_audit_is_wrapped(name))
				a->funcs[a->symbols[i].func].may_wrap = true;
			continue;
		}
		renamed = iot_audit_grow(renamed, n, sizeof(*renamed));
		renamed[n++] = name + strlen(IOT_REAL);
	}
	if (!n)
		return;
	qsort(renamed, n, sizeof(*renamed), compare_strings);
	for (i = 0; i < a->n_symbols; i++)
		if (bsearch(&a->symbols[i].name, renamed, n, sizeof(*renamed), compare_strings))
			a->funcs[a->symbols[i].func].may_wrap = true;
	free(renamed);
}

static void read_symbols(struct audit *a)
{
	Elf_Scn *scn = NULL;
	size_t i, next = 0;
	bool renamed;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(a->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			read_table(a, scn, &sh);
	if (!a->n_symbols)
		return;
	qsort(a->symbols, a->n_symbols, sizeof(*a->symbols), compare_symbols);
	if (a->n_objects)
		qsort(a->objects, a->n_objects, sizeof(*a->objects), compare_symbols);
	for (i = 0; i < a->n_sections; i++) {
		if (!a->sections[i].exec)
			continue;
		cut_section(a, &a->sections[i], &next);
	}
	renamed = has_renamed(a);
	for (i = 0; i < a->n_funcs; i++)
		set_side(a, &a->funcs[i], renamed);
	find_candidates(a);
}

void iot_audit_read_symbols(struct audit *a)
{
	read_symbols(a);
	if (!a->n_funcs)
		iot_audit_fail(a, "stripped: without its symbol table it cannot be examined");
}

/* The function at an address, NOT_A_FUNC if it is no code. */
uint32_t iot_audit_func_at(const struct audit *a, uint64_t addr)
{
	size_t lo = 0, hi = a->n_funcs;

	if (addr < a->code_lo || addr >= a->code_hi)
		return NOT_A_FUNC;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (addr < a->funcs[mid].start)
			hi = mid;
		else if (addr >= a->funcs[mid].end)
			lo = mid + 1;
		else
			return mid;
	}
	return NOT_A_FUNC;
}

/* The last symbol at or below the address, or NULL. */
static const struct symbol *symbol_below(const struct symbol *s, size_t n, uint64_t addr)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &s[lo - 1] : NULL;
}

/* Can a function be called at this address: has it a name there? */
bool iot_audit_is_entry(const struct audit *a, uint64_t addr)
{
	const struct symbol *s = symbol_below(a->symbols, a->n_symbols, addr);
	uint32_t f;

	if (s && s->addr == addr)
		return true;
	f = iot_audit_func_at(a, addr);
	/* What has no symbol may begin anywhere. */
	return f != NOT_A_FUNC && !a->funcs[f].n_symbols;
}

const struct symbol *iot_audit_object_at(const struct audit *a, uint64_t addr)
{
	const struct symbol *s = symbol_below(a->objects, a->n_objects, addr);

	return s && addr - s->addr < s->size ? s : NULL;
}
