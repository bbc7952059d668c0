/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapped.c - memory is not I/O: calls about memory that is of no file are left out, unless
 * IOTRACE_MEMORY asks for them.  What is mapped of files is noted here, so that an munmap
 * of it is told from one of other memory.
 *
 * Entries are changed without locks.  Where there are too many, all memory is taken for a
 * file's from then on.
 */
#include "mapped.h"

#include "conf.h"
#include "host.h"

#define RANGES 1024u
static struct range {
	uintptr_t start, end;		/* start is stored last, and 0 first: a free one */
} ranges[RANGES];
static uint32_t n_ranges;		/* that were used at any time */
static bool too_many;

static void reached(uint32_t n)
{
	uint32_t was = __atomic_load_n(&n_ranges, __ATOMIC_RELAXED);

	while (was < n &&
	       !__atomic_compare_exchange_n(&n_ranges, &was, n, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
}

void iot_mapped_note(uintptr_t start, uint64_t size)
{
	for (uint32_t i = 0; size && i < RANGES; i++) {
		struct range *r = &ranges[i];
		uintptr_t none = 0;

		if (__atomic_load_n(&r->end, __ATOMIC_RELAXED) ||
		    !__atomic_compare_exchange_n(&r->end, &none, start + size, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		__atomic_store_n(&r->start, start, __ATOMIC_RELEASE);
		reached(i + 1);
		return;
	}
	if (size)
		__atomic_store_n(&too_many, true, __ATOMIC_RELAXED);
}

/* The ranges that lie in there are gone. */
void iot_mapped_forget(uintptr_t start, uint64_t size)
{
	for (uint32_t i = 0; i < __atomic_load_n(&n_ranges, __ATOMIC_ACQUIRE); i++) {
		struct range *r = &ranges[i];
		uintptr_t from = __atomic_load_n(&r->start, __ATOMIC_ACQUIRE);

		if (!from || from < start ||
		    __atomic_load_n(&r->end, __ATOMIC_RELAXED) - start > ((size + IOT_PAGE - 1) & -IOT_PAGE))
			continue;
		__atomic_store_n(&r->start, 0, __ATOMIC_RELEASE);
		__atomic_store_n(&r->end, 0, __ATOMIC_RELEASE);
	}
}

/* Whether any of it is a file's. */
bool iot_mapped(const void *p, uint64_t size)
{
	uintptr_t start = (uintptr_t)p;

	for (uint32_t i = 0; i < __atomic_load_n(&n_ranges, __ATOMIC_ACQUIRE); i++) {
		uintptr_t from = __atomic_load_n(&ranges[i].start, __ATOMIC_ACQUIRE);

		if (from && from < start + (size ? size : 1) && start < __atomic_load_n(&ranges[i].end, __ATOMIC_RELAXED))
			return true;
	}
	return __atomic_load_n(&too_many, __ATOMIC_RELAXED);
}

/* Whether calls about other memory are left out.  The setting is looked for without the
   others: such a call is no reason to begin a log. */
bool iot_no_memory(void)
{
	static char known;		/* 1: they are recorded, 2: they are not */

	if (iot_unlikely(!known)) {
		if (!iot_host_ready())
			return true;
		known = iot_config_asks(IOT_SET_MEMORY, false) ? 1 : 2;
	}
	return known == 2;
}
