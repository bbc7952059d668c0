/* SPDX-License-Identifier: BSD-3-Clause */
/* walk.h - a stack from the wrapper's frame outwards: walk.c. */
#ifndef IOT_WALK_H
#define IOT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_memo;
struct iot_thread;

uint32_t iot_walk(struct iot_thread *t, struct iot_memo *m, uintptr_t frame, bool *known);

#pragma GCC visibility pop

#endif
