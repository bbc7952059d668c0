/* SPDX-License-Identifier: BSD-3-Clause */
/* filesystem.h - what paths are on: filesystem.c. */
#ifndef IOT_FILESYSTEM_H
#define IOT_FILESYSTEM_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_thread;
struct stat;

void iot_filesystem_of(struct iot_thread *t, uint32_t path, const struct stat *st, const char *abs, int fd);
void iot_devices_forget(void);

#pragma GCC visibility pop

#endif
