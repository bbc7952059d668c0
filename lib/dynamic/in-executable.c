/* SPDX-License-Identifier: BSD-3-Clause */
/* in-executable.c - the dynamic variant as a part of the executable. */
#include <stddef.h>

#include "host.h"
#include "iot.h"

bool iot_host_wanted(void)
{
	return true;
}

char **iot_host_settings(void)
{
	return NULL;
}

/* Before any library's constructor. */
__attribute__((section(".preinit_array"), used)) static void (*const at_start)(void) = iot_begin;
