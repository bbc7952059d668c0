/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - what is known of things that MPI gives out: files and requests. */
#ifndef IOT_MPI_TABLE_H
#define IOT_MPI_TABLE_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_mpi_chunk;

/* Entries of size bytes, which begin with their key, a uintptr_t.  No locks: an
   entry is claimed with one compare-and-swap and published with one store. */
struct iot_mpi_table {
	uint32_t size;
	struct iot_mpi_chunk *chunks;
};
#define IOT_MPI_CLAIMED 1u		/* as a key: somebody fills the entry; 0: it is free */

/* NULL if there is none.  Of several with that key any. */
void *iot_mpi_table_find(struct iot_mpi_table *table, uintptr_t key);
/* An entry that is the caller's until it has stored the key; NULL: no memory. */
void *iot_mpi_table_claim(struct iot_mpi_table *table, uintptr_t key);

static inline void iot_mpi_table_publish(void *entry, uintptr_t key)
{
	__atomic_store_n((uintptr_t *)entry, key, __ATOMIC_RELEASE);
}

#pragma GCC visibility pop

#endif
