/* SPDX-License-Identifier: BSD-3-Clause */
/* usage.h - what the kernel counts of a thread: usage.c. */
#ifndef IOT_USAGE_H
#define IOT_USAGE_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

#define IOT_USAGE_WORDS 11u		/* of the record */
uint64_t *iot_usage_put(uint64_t *p);
uint64_t *iot_usage_none(uint64_t *p);

#pragma GCC visibility pop

#endif
