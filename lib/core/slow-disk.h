/* SPDX-License-Identifier: BSD-3-Clause */
/* slow-disk.h - IOTRACE_ON_SLOW: slow-disk.c. */
#ifndef IOT_SLOW_DISK_H
#define IOT_SLOW_DISK_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

bool iot_log_is_slow(void);
uint64_t iot_log_writes(void);
void iot_log_written(uint64_t began);

#pragma GCC visibility pop

#endif
