/* SPDX-License-Identifier: BSD-3-Clause */
/* abandon.h - calls that are left and do not return: abandon.c. */
#ifndef IOT_ABANDON_H
#define IOT_ABANDON_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_call;
struct iot_thread;

void iot_unwound(struct iot_thread *t, uint32_t depth);
void iot_call_unwound(struct iot_call *c);
void iot_abandon(struct iot_thread *t, uint32_t depth);
void iot_abandon_below(uintptr_t sp);
void iot_left_above(struct iot_thread *t, const struct iot_call *c);
void iot_stale(struct iot_thread *t, uintptr_t frame);

#pragma GCC visibility pop

#endif
