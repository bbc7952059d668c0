/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modules.c - where the unwind tables of an address are: those of the executable or a
 * library, which its linker has sorted by address (.eh_frame_hdr).
 *
 * Libraries come and go.  What is read of one that can go the kernel copies, or says that
 * it is gone.  Before a stack is defined, and before a rule is made, the library's tables
 * have to begin as they did; where others lie in their place all rules are forgotten.
 */
#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "arena.h"
#include "auxv.h"
#include "fetch.h"
#include "next.h"
#include "unwind.h"

#define MAX_MODULES 1024u
#define MAX_LOADED  4096u		/* none has so many: the loader's list is in a muddle */
#define MAX_DYNAMIC 1024u		/* nor has an object so long a dynamic section */
#define NEAR_HEADER 16u			/* pages */

struct module {
	uintptr_t low, high;
	uintptr_t header;		/* .eh_frame_hdr; 0: none */
	bool stays;			/* it is not unloaded */
	uint64_t sign[4];		/* the header's first words, to know it again */
};

static struct iot_pool pool = { .size = sizeof(struct module) };
static struct module *modules[MAX_MODULES];	/* up to the first NULL */

/* What a program header of a module says of it. */
static void add(struct module *m, uintptr_t bias, const ElfW(Phdr) *ph)
{
	uintptr_t at = bias + ph->p_vaddr;

	if (ph->p_type == PT_LOAD && (at < m->low || !m->high))
		m->low = at;
	if (ph->p_type == PT_LOAD && at + ph->p_memsz > m->high)
		m->high = at + ph->p_memsz;
	if (ph->p_type == PT_GNU_EH_FRAME)
		m->header = at;
}

static bool get(const struct module *m, void *to, uintptr_t from, uint32_t n)
{
	if (from < m->low || from >= m->high || m->high - from < n)
		return false;
	if (!m->stays)
		return iot_fetch(to, (const void *)from, n);
	memcpy(to, (const void *)from, n);
	return true;
}

static void look_at(const struct module *m, uint64_t sign[4])
{
	if (!m->header || !get(m, sign, m->header, sizeof(m->sign)))
		memset(sign, 0, sizeof(m->sign));
}

/* Whether it is where it was. */
static bool is_same(const struct module *m)
{
	uint64_t sign[4];

	if (m->stays)
		return true;
	look_at(m, sign);
	return !memcmp(sign, m->sign, sizeof(sign));
}

static bool is_in(const struct module *m, uintptr_t pc)
{
	return pc - m->low < m->high - m->low;
}

/* The module that was known last at that address; NULL: none. */
static struct module **known(uintptr_t pc)
{
	struct module *m;

	for (uint32_t i = 0; i < MAX_MODULES && (m = __atomic_load_n(&modules[i], __ATOMIC_ACQUIRE)); i++)
		if (is_in(m, pc))
			return &modules[i];
	return NULL;
}

/* What its program headers say of an object, which may be gone.  false: they are another's. */
static bool read_segments(struct module *m, const struct link_map *map, uintptr_t at, uint64_t n)
{
	bool is_its = false;
	ElfW(Phdr) ph;

	m->low = m->high = m->header = 0;
	for (uint64_t i = 0; i < n; i++) {
		if (!iot_fetch(&ph, (const void *)(at + i * sizeof(ph)), sizeof(ph)))
			return false;
		add(m, map->l_addr, &ph);
		is_its |= ph.p_type == PT_DYNAMIC && map->l_addr + ph.p_vaddr == (uintptr_t)map->l_ld;
	}
	return is_its;
}

/* The same of an object whose ELF header lies there, if one does. */
static bool read_header(struct module *m, const struct link_map *map, uintptr_t at)
{
	ElfW(Ehdr) eh;

	return at && iot_fetch(&eh, (const void *)at, sizeof(eh)) && !memcmp(eh.e_ident, ELFMAG, SELFMAG) &&
	       read_segments(m, map, at + eh.e_phoff, eh.e_phnum);
}

/* Where an object's ELF header is that was not linked to begin at 0: a little before its tables of
   names.  0: not there. */
static uintptr_t search_header(struct module *m, const struct link_map *map)
{
	uintptr_t lowest = (uintptr_t)map->l_ld, at;
	ElfW(Dyn) d;

	for (uint32_t i = 0; i < MAX_DYNAMIC && iot_fetch(&d, map->l_ld + i, sizeof(d)) && d.d_tag != DT_NULL; i++) {
		at = iot_dynamic_at(map, d.d_un.d_ptr);
		if ((d.d_tag == DT_SYMTAB || d.d_tag == DT_STRTAB || d.d_tag == DT_HASH || d.d_tag == DT_GNU_HASH) &&
		    at < lowest)
			lowest = at;
	}
	at = lowest & -IOT_PAGE;
	for (uint32_t i = 0; i < NEAR_HEADER && at; i++, at -= IOT_PAGE)
		if (read_header(m, map, at))
			return at;
	return 0;
}

/* Most objects are linked to begin at 0, and have their headers at l_addr.  Those of an executable
   that lies where it was linked to are where the kernel says. */
static bool read_headers(struct module *m, const struct link_map *map)
{
	return read_header(m, map, map->l_addr) ||
	       (m->stays && read_segments(m, map, iot_auxv(AT_PHDR), iot_auxv(AT_PHNUM))) ||
	       search_header(m, map);
}

uintptr_t iot_headers_of(const struct link_map *map)
{
	struct module m = { 0 };

	return read_header(&m, map, map->l_addr) ? map->l_addr : search_header(&m, map);
}

/* The loader's list is read as what may be gone as well: this thread may have interrupted
   the loader, or another be there.  It does not say where objects end.  Most begin at l_addr;
   of others the dynamic section lies behind the code. */
static bool find(uintptr_t pc, struct module *m)
{
	const struct r_debug *r = iot_loader();
	const struct link_map *first = r ? r->r_map : NULL, *at = first;
	struct link_map map, begins = { 0 }, ends = { 0 };
	bool begins_first = false, ends_first = false;

	for (uint32_t i = 0; at && i < MAX_LOADED && iot_fetch(&map, at, sizeof(map)); i++, at = map.l_next) {
		if (map.l_addr <= pc && (!begins.l_ld || map.l_addr >= begins.l_addr)) {
			begins = map;
			begins_first = at == first;
		}
		if ((uintptr_t)map.l_ld >= pc && (!ends.l_ld || map.l_ld < ends.l_ld)) {
			ends = map;
			ends_first = at == first;
		}
	}
	*m = (struct module){ .stays = begins_first };
	if (begins.l_ld && read_headers(m, &begins) && is_in(m, pc))
		return true;
	*m = (struct module){ .stays = ends_first };
	return ends.l_ld && ends.l_ld != begins.l_ld && read_headers(m, &ends) && is_in(m, pc);
}

/* A module is never changed, nor its memory used again: another thread may be at it. */
static struct module *learn(uintptr_t pc, struct module **old)
{
	struct module found, *m, *none;

	if (!find(pc, &found))
		return NULL;
	m = iot_pool_get(&pool);
	if (!m)
		return NULL;
	*m = found;
	look_at(m, m->sign);
	if (old) {
		__atomic_store_n(old, m, __ATOMIC_RELEASE);
		return m;
	}
	for (uint32_t i = 0; i < MAX_MODULES; i++) {
		none = NULL;
		if (__atomic_compare_exchange_n(&modules[i], &none, m, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return m;
	}
	iot_pool_put(&pool, m);
	return NULL;
}

static struct module *module_at(uintptr_t pc)
{
	struct module **m = known(pc);

	if (m && is_same(*m))
		return *m;
	if (m)
		iot_rules_forget();
	return learn(pc, m);
}

bool iot_module_of(uintptr_t at, uintptr_t *low, uintptr_t *high)
{
	const struct module *m = module_at(at);

	if (!m)
		return false;
	*low = m->low;
	*high = m->high;
	return true;
}

bool iot_rules_hold(const uintptr_t *pc, uint32_t n)
{
	struct module *last = NULL, **m;

	for (uint32_t i = 0; i < n; i++) {
		if (last && pc[i] - last->low < last->high - last->low)
			continue;
		m = known(pc[i]);
		last = m ? *m : NULL;
		if (last && !is_same(last)) {
			iot_rules_forget();
			return false;
		}
	}
	return true;
}

/* The entry for pc, or the one before, by the sorted header; 0: none. */
static uintptr_t by_header(const struct module *m, uintptr_t pc)
{
	struct {
		uint8_t encoding[4];
		int32_t frames;
		uint32_t n;
	} h;
	struct {
		int32_t pc, entry;
	} row[16];
	uintptr_t table = m->header + sizeof(h);
	int64_t want = (int64_t)(pc - m->header);

	/* as linkers write it: 4 bytes each, relative to the header */
	if (!get(m, &h, m->header, sizeof(h)) || memcmp(h.encoding, "\x01\x1b\x03\x3b", 4) != 0 || !h.n)
		return 0;
	while (h.n > sizeof(row) / sizeof(*row)) {
		uint32_t half = h.n / 2;

		if (!get(m, row, table + half * sizeof(*row), sizeof(*row)))
			return 0;
		if (row[0].pc <= want) {
			table += half * sizeof(*row);
			h.n -= half;
		} else {
			h.n = half;
		}
	}
	if (!get(m, row, table, (uint32_t)(h.n * sizeof(*row))))
		return 0;
	while (h.n && row[h.n - 1].pc > want)
		h.n--;
	return h.n ? m->header + (uint64_t)(int64_t)row[h.n - 1].entry : 0;
}

uintptr_t iot_host_entry(uintptr_t pc)
{
	struct module *m = module_at(pc);

	return m && m->header ? by_header(m, pc) : 0;
}

bool iot_host_read(void *to, uintptr_t from, uint32_t n)
{
	struct module **m = known(from);

	return m ? get(*m, to, from, n) : iot_fetch(to, (const void *)from, n);
}
