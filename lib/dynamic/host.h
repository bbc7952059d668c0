/* SPDX-License-Identifier: BSD-3-Clause */
/* host.h - what is different in an executable and in libiotrace.so. */
#ifndef IOT_HOST_H
#define IOT_HOST_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

bool iot_host_wanted(void);

#pragma GCC visibility pop

#endif
