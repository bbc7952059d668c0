/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - see table.h.  Chunks are never freed: there are as many as were needed. */
#include "table.h"

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

#define ENTRIES 256u

struct iot_mpi_chunk {
	struct iot_mpi_chunk *next;
	uint32_t reach;			/* no key is further from where it belongs */
	char entries[] __attribute__((aligned(16)));
};

static uint32_t place_of(uintptr_t key)
{
	return (uint32_t)((key * 0x9e3779b97f4a7c15ULL) >> 40);
}

static uintptr_t *entry_at(const struct iot_mpi_table *table, struct iot_mpi_chunk *c, uint32_t i)
{
	return (uintptr_t *)(void *)(c->entries + i % ENTRIES * table->size);
}

void *iot_mpi_table_find(struct iot_mpi_table *table, uintptr_t key)
{
	struct iot_mpi_chunk *c = __atomic_load_n(&table->chunks, __ATOMIC_ACQUIRE);

	for (; c; c = __atomic_load_n(&c->next, __ATOMIC_ACQUIRE)) {
		uint32_t reach = __atomic_load_n(&c->reach, __ATOMIC_ACQUIRE);

		for (uint32_t i = 0; i <= reach; i++) {
			uintptr_t *e = entry_at(table, c, place_of(key) + i);

			if (__atomic_load_n(e, __ATOMIC_ACQUIRE) == key)
				return e;
		}
	}
	return NULL;
}

static void *claim_in(const struct iot_mpi_table *table, struct iot_mpi_chunk *c, uintptr_t key)
{
	for (uint32_t i = 0; i < ENTRIES; i++) {
		uintptr_t *e = entry_at(table, c, place_of(key) + i), free = 0;
		uint32_t reach = __atomic_load_n(&c->reach, __ATOMIC_RELAXED);

		if (!__atomic_compare_exchange_n(e, &free, IOT_MPI_CLAIMED, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_RELAXED))
			continue;
		while (reach < i && !__atomic_compare_exchange_n(&c->reach, &reach, i, false,
								 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			;
		return e;
	}
	return NULL;
}

void *iot_mpi_table_claim(struct iot_mpi_table *table, uintptr_t key)
{
	struct iot_mpi_chunk **link = &table->chunks;

	for (;;) {
		struct iot_mpi_chunk *c = __atomic_load_n(link, __ATOMIC_ACQUIRE), *none = NULL;
		size_t bytes = sizeof(*c) + (size_t)ENTRIES * table->size;
		void *e;

		if (!c) {
			c = iot_map(bytes);
			if (!c)
				return NULL;
			if (!__atomic_compare_exchange_n(link, &none, c, false, __ATOMIC_ACQ_REL,
							 __ATOMIC_ACQUIRE)) {
				iot_unmap(c, bytes);
				c = none;
			}
		}
		e = claim_in(table, c, key);
		if (e)
			return e;
		link = &c->next;
	}
}
