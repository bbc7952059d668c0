/* SPDX-License-Identifier: BSD-3-Clause */
/* in-executable.c - the dynamic variant as a part of the executable. */
#include <dlfcn.h>
#include <stddef.h>

#include "host.h"
#include "iot.h"
#include "next.h"
#include "wrap.h"

bool iot_host_wanted(void)
{
	return true;
}

char **iot_host_settings(void)
{
	return NULL;
}

/*
 * Linkers give an executable's symbols no versions: the loader binds whoever means
 * the old function to ours as well.  The library that calls says which one it
 * was linked with.  (Where a function ends in a jump to ours it is its caller who is
 * asked.)
 */
bool iot_caller_means(const void *caller, const char *name, const char *version)
{
	static int (*find)(void *, struct dl_find_object *);
	struct dl_find_object object;

	if (!find)
		find = (int (*)(void *, struct dl_find_object *))iot_next("_dl_find_object", NULL);
	/* without a lock, other than dladdr */
	return find && !find((void *)caller, &object) && iot_refers(object.dlfo_link_map, name, version);
}

/* Before any library's constructor. */
__attribute__((section(".preinit_array"), used)) static void (*const at_start)(void) = iot_begin;
