/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linux-submits.h - the calls that submit requests to the kernel's asynchronous I/O now: linux-submits.c.
 *
 * Another thread may collect what such a call submits before the call is back, and before it has
 * told which operations it began.  When it began them is known all the same: it was given their
 * control blocks.
 */
#ifndef IOT_LINUX_SUBMITS_H
#define IOT_LINUX_SUBMITS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_call;

/* c is about to submit these n control blocks to the context. */
void iot_aio_submits(const struct iot_call *c, uintptr_t context, uint64_t n, uintptr_t list);
/* It has told which operations it began, or has begun none. */
void iot_aio_submitted(const struct iot_call *c);
/* When the call began, in ticks, that submits the control block to the context now: the first, if
   there are several; 0: none does. */
uint64_t iot_aio_submitting(uintptr_t context, uintptr_t block);

#pragma GCC visibility pop

#endif
