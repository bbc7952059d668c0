/* SPDX-License-Identifier: BSD-3-Clause */
/* in-executable.c - the dynamic variant as a part of the executable. */
#include "iot.h"
#include "host.h"

bool iot_host_wanted(void)
{
	return true;
}
