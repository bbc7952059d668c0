/* SPDX-License-Identifier: BSD-3-Clause */
/* moved.h - calls that end elsewhere than where they began: moved.c. */
#ifndef IOT_MOVED_H
#define IOT_MOVED_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_call;
struct iot_thread;

bool iot_is_mine(const struct iot_thread *t);
struct iot_thread *iot_moved(struct iot_call *c);
struct iot_thread *iot_survivor(struct iot_call *c);

#pragma GCC visibility pop

#endif
