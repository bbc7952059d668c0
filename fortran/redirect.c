/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * redirect.c - the thread of an asynchronous unit in libgfortran.so, whose functions
 * call each other out of our sight.  But it holds a lock during each transfer, and
 * for locks it calls another library: from the first such thread on, ours stand for
 * the two functions - in libgfortran's own table, since programs take locks by the
 * million.
 */
#include "gfortran.h"

#ifdef IOT_DYNAMIC
#include <elf.h>
#include <pthread.h>
#include <sys/mman.h>

#include "next.h"
#include "sys.h"

static __thread const char *my_unit;

static int lock(pthread_mutex_t *m)
{
	int ret = pthread_mutex_lock(m);

	if (iot_unlikely(my_unit) && iot_f_queue(my_unit) == (const char *)m)
		iot_f_work(my_unit, __builtin_frame_address(0));
	return ret;
}

static int unlock(pthread_mutex_t *m)
{
	if (iot_unlikely(my_unit) && iot_f_queue(my_unit) == (const char *)m)
		iot_f_worked();
	return pthread_mutex_unlock(m);
}

/* The table may have been made read-only when it was complete. */
static bool is_read_only(const struct link_map *map, uintptr_t headers, uintptr_t slot)
{
	const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)headers;
	const ElfW(Phdr) *ph = (const void *)((const char *)head + head->e_phoff);

	for (uint32_t i = 0; i < head->e_phnum; i++)
		if (ph[i].p_type == PT_GNU_RELRO && slot - map->l_addr - ph[i].p_vaddr < ph[i].p_memsz)
			return true;
	return false;
}

static void point(const struct link_map *map, uintptr_t slot, uintptr_t to)
{
	uintptr_t page = slot & -IOT_PAGE, headers = iot_headers_of(map);
	bool read_only = headers && is_read_only(map, headers, slot);

	if (!headers)
		return;
	if (read_only && iot_syscall(SYS_mprotect, page, IOT_PAGE, (long)(PROT_READ | PROT_WRITE)))
		return;
	__atomic_store_n((uintptr_t *)slot, to, __ATOMIC_RELAXED);
	if (read_only)
		iot_syscall(SYS_mprotect, page, IOT_PAGE, (long)PROT_READ);
}

/* Whether a thread that begins there is the runtime's. */
bool iot_f_creates(void *fn)
{
	const struct link_map *map = iot_object_of((uintptr_t)fn);
	static bool redirected;

	if (!map || iot_is_own(map) || !iot_symbol_in(map, "_gfortran_st_open", NULL))
		return false;
	if (!__atomic_exchange_n(&redirected, true, __ATOMIC_RELAXED)) {
		iot_each_use(map, "pthread_mutex_lock", point, (uintptr_t)lock);
		iot_each_use(map, "pthread_mutex_unlock", point, (uintptr_t)unlock);
	}
	return true;
}

/* It has begun. */
void iot_f_runs(const char *unit)
{
	my_unit = unit;
}
#endif
