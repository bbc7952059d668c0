/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dlsym.c - a static executable has no symbols that dlsym could find.  Fortran,
 * which has no weak references, asks it for what iotrace.h refers to weakly.
 */
#include <string.h>

#include "wrap.h"

extern void *real(void *, const char *) __asm__("__real_dlsym");
void *wrap(void *, const char *) __asm__("__wrap_dlsym");
extern void iot_user(int what, const char *text) __attribute__((visibility("hidden")));

void *wrap(void *handle, const char *name)
{
	/* RTLD_DEFAULT */
	if (!handle && !strcmp(name, "iot_user"))
		return (void *)iot_user;
	return real(handle, name);
}
IOT_ALIAS(dlsym, ___dlsym)
