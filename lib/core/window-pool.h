/* SPDX-License-Identifier: BSD-3-Clause */
/* window-pool.h - windows are given away: window-pool.c. */
#ifndef IOT_WINDOW_POOL_H
#define IOT_WINDOW_POOL_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_place;

#define IOT_NO_NUMBER (~0U)		/* it is not in a chunk */
uint32_t iot_class_size(uint32_t class);
uint32_t iot_class_for(uint32_t size);
void *iot_window_take(uint32_t class, struct iot_place *place, bool *left);
void *iot_window_also(uint32_t class, struct iot_place *place);
void iot_window_release(const struct iot_place *place, bool queued);
void iot_window_leave(const struct iot_place *place, bool leave);
void iot_window_copies(const struct iot_place *place, bool copies);
void iot_window_spoil(const void *win);
bool iot_window_is_spoiled(const void *win);
void *iot_window_around(uintptr_t at, uint32_t *size);
void iot_windows_prepare(void);
void iot_windows_forked(void);
void iot_windows_forked(void);
void iot_windows_forget(void);

#pragma GCC visibility pop

#endif
