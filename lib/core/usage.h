/* SPDX-License-Identifier: BSD-3-Clause */
/* usage.h - what the kernel counts of a thread: usage.c. */
#ifndef IOT_USAGE_H
#define IOT_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define IOT_USAGE_WORDS 18u		/* of the record, at most */
uint64_t *iot_usage_put(uint64_t *p);
uint64_t *iot_usage_none(uint64_t *p);

/* What /proc/PID/task/TID/io has of the calling thread, in its order. */
enum { IOT_IO_RCHAR, IOT_IO_WCHAR, IOT_IO_SYSCR, IOT_IO_SYSCW, IOT_IO_READ, IOT_IO_WRITE, IOT_IO_CANCELLED, IOT_IO_NUMBERS };
/* False if there is nobody to answer; cost: how many bytes it took to ask, which count as read from
   now on, if it was this thread that asked. */
bool iot_usage_io(uint64_t io[IOT_IO_NUMBERS], uint64_t *cost);

#pragma GCC visibility pop

#endif
