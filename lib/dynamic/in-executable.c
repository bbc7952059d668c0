/* SPDX-License-Identifier: BSD-3-Clause */
/* in-executable.c - the dynamic variant as a part of the executable. */
#include <stddef.h>

#include "host.h"

bool iot_host_wanted(void)
{
	return true;
}

char **iot_host_settings(void)
{
	return NULL;
}
