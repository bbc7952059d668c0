/* SPDX-License-Identifier: BSD-3-Clause */
/* vfork.h - what vfork's wrapper, which is assembly, calls. */
#ifndef IOT_VFORK_H
#define IOT_VFORK_H

#include "arch-vfork.h"

#pragma GCC visibility push(hidden)
struct iot_thread *iot_vfork_before(void *frame);
void iot_vfork_child(void);
long iot_vfork_after(struct iot_thread *t, long ret);
#pragma GCC visibility pop

#endif
