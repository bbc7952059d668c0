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

/* The module that was known last at that address; NULL: none. */
static struct module **known(uintptr_t pc)
{
	struct module *m;

	for (uint32_t i = 0; i < MAX_MODULES && (m = __atomic_load_n(&modules[i], __ATOMIC_ACQUIRE)); i++)
		if (pc - m->low < m->high - m->low)
			return &modules[i];
	return NULL;
}

/* Of a module's headers, which may be gone; those of an executable that lies where it was
   linked to are where the kernel says. */
static bool read_headers(struct module *m, uintptr_t bias)
{
	uintptr_t at = iot_auxv(AT_PHDR);
	uint64_t n = iot_auxv(AT_PHNUM);
	ElfW(Ehdr) eh;
	ElfW(Phdr) ph;

	if (bias) {
		if (!iot_fetch(&eh, (const void *)bias, sizeof(eh)) || memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0)
			return false;
		at = bias + eh.e_phoff;
		n = eh.e_phnum;
	}
	for (uint64_t i = 0; i < n; i++) {
		if (!iot_fetch(&ph, (const void *)(at + i * sizeof(ph)), sizeof(ph)))
			return false;
		add(m, bias, &ph);
	}
	return n;
}

/* The loader's list is read as what may be gone as well: this thread may have interrupted
   the loader, or another be there. */
static bool find(uintptr_t pc, struct module *m)
{
	const struct r_debug *r = iot_loader();
	const struct link_map *first = r ? r->r_map : NULL, *at = first;
	struct link_map map;
	uintptr_t bias = 0;
	bool found = false;

	*m = (struct module){ 0 };
	for (uint32_t i = 0; at && i < MAX_LOADED && iot_fetch(&map, at, sizeof(map)); i++, at = map.l_next) {
		if (map.l_addr <= pc && map.l_addr >= bias) {
			bias = map.l_addr;
			m->stays = at == first;
			found = true;
		}
	}
	return found && read_headers(m, bias) && pc - m->low < m->high - m->low;
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
