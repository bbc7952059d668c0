/* SPDX-License-Identifier: BSD-3-Clause */
/* variant.h - what is different in an executable and in libiotrace.so. */
#ifndef IOT_VARIANT_H
#define IOT_VARIANT_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Whether this recorder is to record. */
bool iot_host_wanted(void);
/* The settings, IOTRACE_X=value, if they are known already; else NULL. */
char **iot_host_settings(void);

#pragma GCC visibility pop

#endif
