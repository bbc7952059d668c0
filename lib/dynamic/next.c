/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * next.c - what a name means beyond the recorder: dlsym(RTLD_NEXT) that may be
 * asked at any time.  dlsym takes the loader's lock and may allocate; we are
 * called by signal handlers, by children of threaded programs, by malloc, and by
 * IFUNC resolvers, before anything of ours has been relocated.  So nothing here
 * calls out of this file but to the kernel, and nothing looks through the GOT.
 *
 * Only what was loaded at the program's start is looked at before libc is found:
 * that part of the loader's list never changes.
 */
#include "next.h"

#include "arch-stub.h"
#include "own-proc.h"
#include "sys.h"

#include <elf.h>

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

struct tables {
	const ElfW(Sym) *sym;
	const char *str;
	uint64_t soname;		/* in str; 0: it has none */
	const uint32_t *gnu, *sysv;
	const uint16_t *versym;
	const ElfW(Verdef) *verdef;
	uint32_t n_verdef;
	const ElfW(Verneed) *verneed;
	uint32_t n_verneed;
	const ElfW(Rela) *rela[2];	/* of data, of calls */
	size_t n_rela[2];
};

static const struct r_debug *debug_of(const ElfW(Dyn) *d)
{
	for (; d && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_DEBUG)
			return (const struct r_debug *)d->d_un.d_ptr;
	return NULL;
}

/* The executable's dynamic section, as that file tells.  NULL if it is not there or empty, or if
   it is the loader itself that was executed (ld.so PROGRAM): it does not say where it is. */
static const ElfW(Dyn) *executable(const char *auxv)
{
	const ElfW(Phdr) *ph = NULL;
	uint64_t pair[2], n = 0, bias = 0;
	bool placed = false;
	int fd = iot_sys_openat(AT_FDCWD, auxv, O_RDONLY | O_CLOEXEC, 0);

	while (fd >= 0 && iot_sys_read(fd, pair, sizeof(pair)) == sizeof(pair) && pair[0]) {
		if (pair[0] == AT_PHDR)
			ph = (const ElfW(Phdr) *)pair[1];
		else if (pair[0] == AT_PHNUM)
			n = pair[1];
	}
	if (fd >= 0)
		iot_sys_close(fd);
	for (uint64_t i = 0; ph && i < n; i++)
		if (ph[i].p_type == PT_PHDR) {
			bias = (uintptr_t)ph - ph[i].p_vaddr;
			placed = true;
		}
	for (uint64_t i = 0; placed && i < n; i++)
		if (ph[i].p_type == PT_DYNAMIC)
			return (const ElfW(Dyn) *)(bias + ph[i].p_vaddr);
	return NULL;
}

/* The loader's list, by its name.  The slot is empty before the loader has relocated us. */
static const struct r_debug *named(void)
{
	const struct r_debug *r;

	IOT_WEAK_SLOT_OF("_r_debug", r);
	return r && r->r_version > 0 && r->r_map ? r : NULL;
}

/* The loader's list; NULL if it can't be had. */
const struct r_debug *iot_loader(void)
{
	static iot_own_proc auxv = IOT_OWN_PROC("auxv");
	static const struct r_debug *found;
	const struct r_debug *r = __atomic_load_n(&found, __ATOMIC_RELAXED);

	if (r)
		return r;
	r = debug_of(_DYNAMIC);
	for (int i = 0; i < 2 && !r; i++)
		r = debug_of(executable(auxv[i]));
	if (!r)
		r = named();
	__atomic_store_n(&found, r, __ATOMIC_RELAXED);
	return r;
}

/* The object that we are in. */
bool iot_is_own(const struct link_map *map)
{
	return map->l_ld == _DYNAMIC;
}

/*
 * What a dynamic section says to be at a.  The loader has made most of these addresses absolute,
 * but not those of the kernel's object: then they count from l_addr, which is above all of the
 * object where that is linked to higher addresses than it lies at.  No object is larger than
 * REACH.
 */
#define REACH (1UL << 31)
uintptr_t iot_dynamic_at(const struct link_map *map, uintptr_t a)
{
	uintptr_t section = (uintptr_t)map->l_ld;
	bool is_near = (a > section ? a - section : section - a) < REACH;

	return is_near && (a >= map->l_addr || map->l_addr > section) ? a : a + map->l_addr;
}

static const void *at(const struct link_map *map, const ElfW(Dyn) *d)
{
	return (const void *)iot_dynamic_at(map, d->d_un.d_ptr);
}

static void read_tables(const struct link_map *map, struct tables *t)
{
	*t = (struct tables){ 0 };
	for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
		switch (d->d_tag) {
		case DT_SYMTAB:
			t->sym = at(map, d);
			break;
		case DT_STRTAB:
			t->str = at(map, d);
			break;
		case DT_SONAME:
			t->soname = d->d_un.d_val;
			break;
		case DT_GNU_HASH:
			t->gnu = at(map, d);
			break;
		case DT_HASH:
			t->sysv = at(map, d);
			break;
		case DT_VERSYM:
			t->versym = at(map, d);
			break;
		case DT_VERDEF:
			t->verdef = at(map, d);
			break;
		case DT_VERDEFNUM:
			t->n_verdef = (uint32_t)d->d_un.d_val;
			break;
		case DT_VERNEED:
			t->verneed = at(map, d);
			break;
		case DT_VERNEEDNUM:
			t->n_verneed = (uint32_t)d->d_un.d_val;
			break;
		case DT_RELA:
			t->rela[0] = at(map, d);
			break;
		case DT_RELASZ:
			t->n_rela[0] = d->d_un.d_val / sizeof(**t->rela);
			break;
		case DT_JMPREL:
			t->rela[1] = at(map, d);
			break;
		case DT_PLTRELSZ:
			t->n_rela[1] = d->d_un.d_val / sizeof(**t->rela);
			break;
		}
	}
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* Whether the library calls itself so, whatever file it was loaded from. */
bool iot_is_named(const struct link_map *map, const char *soname)
{
	struct tables t;

	read_tables(map, &t);
	return t.str && t.soname && same(t.str + t.soname, soname);
}

/* Whether symbol i has that version; NULL: is what a plain name means today. */
static bool version_fits(const struct tables *t, uint32_t i, const char *version)
{
	const ElfW(Verdef) *d = t->verdef;

	if (!t->versym)
		return true;
	if (!version)
		return !(t->versym[i] & 0x8000);
	for (uint32_t n = 0; d && n < t->n_verdef; n++) {
		const ElfW(Verdaux) *aux = (const void *)((const char *)d + d->vd_aux);

		if (d->vd_ndx == (t->versym[i] & 0x7fff))
			return same(t->str + aux->vda_name, version);
		d = (const void *)((const char *)d + d->vd_next);
	}
	return false;
}

static bool fits(const struct tables *t, uint32_t i, const char *name, const char *version)
{
	const ElfW(Sym) *s = &t->sym[i];
	uint32_t type = ELF64_ST_TYPE(s->st_info);

	return s->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT) &&
	       same(t->str + s->st_name, name) && version_fits(t, i, version);
}

/* Index of the symbol, 0 if it is not there. */
static uint32_t by_gnu_hash(const struct tables *t, const char *name, const char *version)
{
	uint32_t n_buckets = t->gnu[0], first = t->gnu[1], n_words = t->gnu[2], h = 5381, i;
	const uint64_t *bloom = (const uint64_t *)(t->gnu + 4);
	const uint32_t *buckets = (const uint32_t *)(bloom + n_words), *chain = buckets + n_buckets;
	uint64_t word;

	for (const char *s = name; *s; s++)
		h = h * 33 + (unsigned char)*s;
	word = bloom[h / 64 % n_words];
	if (!(word >> h % 64 & word >> (h >> t->gnu[3]) % 64 & 1) || !n_buckets)
		return 0;
	for (i = buckets[h % n_buckets]; i >= first; i++) {
		if (((chain[i - first] ^ h) >> 1) == 0 && fits(t, i, name, version))
			return i;
		if (chain[i - first] & 1)
			break;
	}
	return 0;
}

static uint32_t by_sysv_hash(const struct tables *t, const char *name, const char *version)
{
	for (uint32_t i = 1; i < t->sysv[1]; i++)
		if (fits(t, i, name, version))
			return i;
	return 0;
}

void *iot_symbol_in(const struct link_map *map, const char *name, const char *version)
{
	struct tables t;
	uint32_t i = 0;
	void *p;

	read_tables(map, &t);
	if (!t.sym || !t.str)
		return NULL;
	if (t.gnu)
		i = by_gnu_hash(&t, name, version);
	else if (t.sysv)
		i = by_sysv_hash(&t, name, version);
	if (!i)
		return NULL;
	p = (void *)(map->l_addr + t.sym[i].st_value);
	if (ELF64_ST_TYPE(t.sym[i].st_info) == STT_GNU_IFUNC)
		p = ((void *(*)(void))p)();
	return p;
}

/* Whether version i among those that the object wants of others is that one. */
static bool version_needed(const struct tables *t, uint32_t i, const char *version)
{
	const ElfW(Verneed) *v = t->verneed;

	for (uint32_t n = 0; v && n < t->n_verneed; n++) {
		const ElfW(Vernaux) *aux = (const void *)((const char *)v + v->vn_aux);

		for (uint32_t k = 0; k < v->vn_cnt; k++) {
			if ((aux->vna_other & 0x7fff) == i)
				return same(t->str + aux->vna_name, version);
			aux = (const void *)((const char *)aux + aux->vna_next);
		}
		v = (const void *)((const char *)v + v->vn_next);
	}
	return false;
}

/* Whether the object means that version when it uses that name of others. */
bool iot_refers(const struct link_map *map, const char *name, const char *version)
{
	struct tables t;
	uint32_t n;

	read_tables(map, &t);
	if (!t.sym || !t.str || !t.versym || !(t.gnu || t.sysv))
		return false;
	/* what is hashed comes last, and that is what it defines */
	n = t.gnu ? t.gnu[1] : t.sysv[1];
	for (uint32_t i = 1; i < n; i++)
		if (t.sym[i].st_shndx == SHN_UNDEF && same(t.str + t.sym[i].st_name, name) &&
		    version_needed(&t, t.versym[i] & 0x7fff, version))
			return true;
	return false;
}

/* Whether the object uses that name of others', in whatever version, or none. */
static bool uses(const struct tables *t, const char *name)
{
	uint32_t n = t->gnu ? t->gnu[1] : t->sysv ? t->sysv[1] : 0;

	for (uint32_t i = 1; t->sym && t->str && i < n; i++)
		if (t->sym[i].st_shndx == SHN_UNDEF && same(t->str + t->sym[i].st_name, name))
			return true;
	return false;
}

/* libc's libraries, which share what is nobody else's */
static bool is_libcs(const struct tables *t)
{
	const ElfW(Verdef) *d = t->verdef;

	for (uint32_t n = 0; d && n < t->n_verdef; n++) {
		const ElfW(Verdaux) *aux = (const void *)((const char *)d + d->vd_aux);

		if (same(t->str + aux->vda_name, "GLIBC_PRIVATE"))
			return true;
		d = (const void *)((const char *)d + d->vd_next);
	}
	return false;
}

void iot_each_use(const struct link_map *map, const char *name,
		  void (*each)(const struct link_map *map, uintptr_t place, uintptr_t to), uintptr_t to)
{
	struct tables t;

	read_tables(map, &t);
	if (!t.sym || !t.str)
		return;
	for (uint32_t i = 0; i < 2; i++)
		for (const ElfW(Rela) *r = t.rela[i]; r && r < t.rela[i] + t.n_rela[i]; r++)
			if (same(t.str + t.sym[ELF64_R_SYM(r->r_info)].st_name, name))
				each(map, map->l_addr + r->r_offset, to);
}

static const struct link_map *behind_ours(void)
{
	const struct r_debug *r = iot_loader();
	const struct link_map *map = r ? r->r_map : NULL;

	while (map && !iot_is_own(map))
		map = map->l_next;
	return map ? map->l_next : NULL;
}

/* NULL: not in that object.  Another recorder's are left out: one is enough; and the kernel's object, whose
   functions have names of calls, as getrandom, and are libc's to call. */
static void *defined_in(const struct link_map *map, const char *name, const char *version)
{
	if (iot_is_named(map, "linux-vdso.so.1"))
		return NULL;
	return iot_symbol_in(map, "iot_recorder", NULL) ? NULL : iot_symbol_in(map, name, version);
}

static bool is_libc(const struct link_map *map)
{
	struct tables t;

	read_tables(map, &t);
	return is_libcs(&t);
}

/* Stands in front of libc, as libraries do that LD_PRELOAD names, and asks for libc's functions. */
static bool is_in_front(const struct link_map *map)
{
	struct tables t;

	read_tables(map, &t);
	return uses(&t, "dlsym") || uses(&t, "dlvsym");
}

/* What a library of the program's has by the name of a call, which need not be like libc's function
   but in its name.  NULL: the name means libc's, or that of one in front of it. */
void *iot_programs_own(const char *name)
{
	for (const struct link_map *map = behind_ours(); map; map = map->l_next) {
		void *p = defined_in(map, name, NULL);

		if (p)
			return is_libc(map) || is_in_front(map) ? NULL : p;
	}
	return NULL;
}

/* The definition behind ours: libc's, or that of one in front of it, if libc has such a function. */
void *iot_next(const char *name, const char *version)
{
	void *first = NULL;

	for (const struct link_map *map = behind_ours(); map; map = map->l_next) {
		void *p = defined_in(map, name, version);

		if (p && (is_libc(map) || (!first && is_in_front(map))))
			return p;
		if (!first)
			first = p;
	}
	return first;
}
