/* SPDX-License-Identifier: BSD-3-Clause */
/* in-executable.c - the dynamic variant as a part of the executable. */
#include <dlfcn.h>
#include <stddef.h>

#include "attach.h"
#include "next.h"
#include "variant.h"
#include "wrap.h"

bool iot_host_wanted(void)
{
	return true;
}

char **iot_host_settings(void)
{
	return NULL;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE		/* since glibc 2.35 */
/* Without a lock, other than dladdr. */
static const struct link_map *object_of(const void *code)
{
	static int (*find)(void *, struct dl_find_object *);
	struct dl_find_object object;

	if (!find)
		find = (int (*)(void *, struct dl_find_object *))iot_next("_dl_find_object", NULL);
	return find && !find((void *)code, &object) ? object.dlfo_link_map : NULL;
}
#else
static const struct link_map *object_of(const void *code)
{
	return iot_object_of((uintptr_t)code);
}
#endif

/*
 * Linkers give an executable's symbols no versions: the loader binds whoever means
 * the old function to ours as well.  The library that calls says which one it
 * was linked with.  (Where a function ends in a jump to ours it is its caller who is
 * asked.)
 */
bool iot_caller_means(const void *caller, const char *name, const char *version)
{
	const struct link_map *map = object_of(caller);

	return map && iot_refers(map, name, version);
}

IOT_RUN_FIRST(iot_begin);
