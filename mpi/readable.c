/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readable.c - memory that a call is given, and that we read before MPI does, which may
 * yet turn the call down.
 *
 * To ask the kernel costs more than a call of MPI.  A page that was there once is not
 * asked for again: programs give the same requests' places by the million, and where
 * such a page has gone MPI, which reads what it is given there, ends as we do.
 */
#include "iompi.h"

#define PAGE	((uint32_t)IOT_PAGE)
#define PAGES	64u

static uintptr_t pages[PAGES];		/* numbers of pages that were there; 0: none */

bool iot_mpi_is_readable(const void *p, size_t n)
{
	for (uintptr_t at = (uintptr_t)p; at - (uintptr_t)p < n; at = (at | (PAGE - 1)) + 1) {
		uintptr_t page = at / PAGE, *slot = &pages[page % PAGES];
		char c;

		if (page && __atomic_load_n(slot, __ATOMIC_RELAXED) == page)
			continue;
		if (!iot_fetch(&c, (const void *)at, 1))
			return false;
		__atomic_store_n(slot, page, __ATOMIC_RELAXED);
	}
	return true;
}

bool iot_mpi_fetch(void *to, const void *from, size_t n)
{
	if (!iot_mpi_is_readable(from, n))
		return false;
	__builtin_memcpy(to, from, n);
	return true;
}

/* MPI reads nothing any more. */
void iot_mpi_readable_forget(void)
{
	for (unsigned i = 0; i < PAGES; i++)
		__atomic_store_n(&pages[i], 0, __ATOMIC_RELAXED);
}
