/* SPDX-License-Identifier: BSD-3-Clause */
/* in-library.c - the dynamic variant as libiotrace.so, which LD_PRELOAD names. */
#include <stddef.h>

#include "attach.h"
#include "next.h"
#include "variant.h"
#include "wrap.h"

/* musl's loader takes what is to be preloaded, too, and itself for libc.so.6. */
static bool is_glibc(const struct link_map *map)
{
	while (map && !iot_is_named(map, "libc.so.6"))
		map = map->l_next;
	return map != NULL;
}

/* An executable with a recorder of its own is recorded by that one; of two that were
   preloaded (one has MPI's wrappers) the first records. */
bool iot_host_wanted(void)
{
	const struct r_debug *r = iot_loader();
	const struct link_map *map = r ? r->r_map : NULL;

	for (; map && !iot_is_own(map); map = map->l_next)
		if (iot_symbol_in(map, "iot_recorder", NULL))
			return false;
	return is_glibc(map);
}

/* They have names of their own: see versions.map. */
bool iot_caller_means(const void *caller, const char *name, const char *version)
{
	(void)caller;
	(void)name;
	(void)version;
	return false;
}

/* Before all other constructors (-z initfirst); the loader has done its work unseen. */
__attribute__((constructor)) static void at_start(void)
{
	iot_begin();
}
