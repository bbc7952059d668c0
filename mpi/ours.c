/* SPDX-License-Identifier: BSD-3-Clause */
/* ours.c - dynamic processes: whose MPI they have. */
#include "iompi.h"
#include "next.h"

/* What programs refer to that were compiled with this mpi.h, and no others. */
#ifdef OPEN_MPI
#define MARK "ompi_mpi_comm_world"
#else
#define MARK "MPI_UNWEIGHTED"
#endif

/* Where programs, too, have it: in the executable, if that has a copy. */
void *iot_mpi_object(const char *name)
{
	const struct r_debug *r = iot_loader();
	const struct link_map *map = r ? r->r_map : NULL;
	void *at = NULL;

	for (; map && !at; map = map->l_next)
		at = iot_symbol_in(map, name, NULL);
	return at;
}

/* Not before a call of MPI is made: it may have come with dlopen. */
bool iot_mpi_ours(void)
{
	static enum { UNKNOWN, OURS, OTHER } answer;
	int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);

	if (iot_unlikely(known == UNKNOWN)) {
		known = iot_mpi_object(MARK) ? OURS : OTHER;
		__atomic_store_n(&answer, known, __ATOMIC_RELAXED);
	}
	return known == OURS;
}
