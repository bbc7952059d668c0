/* SPDX-License-Identifier: BSD-3-Clause */
/* opened.h - files that are opened again and again: opened.c.  The fast way is in hot.h. */
#ifndef IOT_OPENED_H
#define IOT_OPENED_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_path;
void iot_opened_note(const char *name, uint32_t serial, int fd, const struct iot_path *path);
void iot_opened_forget(void);

#pragma GCC visibility pop

#endif
