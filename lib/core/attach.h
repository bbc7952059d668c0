/* SPDX-License-Identifier: BSD-3-Clause */
/* attach.h - which recorder a call belongs to: attach.c. */
#ifndef IOT_ATTACH_H
#define IOT_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_thread;

struct iot_thread *iot_attach_slow(struct iot_thread *t);
void iot_begin(void);
void iot_thread_gone(void);

#pragma GCC visibility pop

#endif
