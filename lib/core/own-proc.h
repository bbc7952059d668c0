/* SPDX-License-Identifier: BSD-3-Clause */
/* own-proc.h - what /proc tells about this process: own-proc.c. */
#ifndef IOT_OWN_PROC_H
#define IOT_OWN_PROC_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

bool iot_own_proc(const char *name, bool (*ask)(const char *path, void *arg), void *arg);

#pragma GCC visibility pop

#endif
