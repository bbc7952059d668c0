/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linux-ring.h - the completion rings of the kernel's asynchronous I/O: linux-ring.c.
 *
 * The kernel puts each completion into a ring in the program's memory, and io_getevents(2)
 * takes it from there.  A program may also take it itself, without a call.  The recorder therefore
 * reads the ring, from where it last ended to where the kernel is, whoever takes what lies there.
 */
#ifndef IOT_LINUX_RING_H
#define IOT_LINUX_RING_H

#include "operation.h"

#pragma GCC visibility push(hidden)

/* linux/aio_abi.h, which musl comes without */
struct iot_aio_event {
	uint64_t data, block;
	int64_t res, res2;
};

struct iot_aio_ring;

/* Follows the context, from what completes next on. */
void iot_aio_ring_new(uintptr_t context);
/* NULL: it is not followed.  Between these two, its ring stays. */
struct iot_aio_ring *iot_aio_ring_hold(uintptr_t context);
void iot_aio_ring_let_go(struct iot_aio_ring *r);
/* Claims the next completion, with the operation that it ends.  op->number is 0 if that is not
   known; false: there is no completion. */
bool iot_aio_ring_next(struct iot_aio_ring *r, struct iot_aio_event *e, struct iot_operation *op);
/* When the ring was last found empty, and now is; in ticks. */
uint64_t iot_aio_ring_empty(struct iot_aio_ring *r);
/* By which queue its operations are known: the address that its ring had first. */
uintptr_t iot_aio_ring_queue(uintptr_t context);
/* Before the kernel takes the ring away. */
void iot_aio_ring_gone(uintptr_t context);
/* Each context that is followed. */
void iot_aio_rings_each(void (*what)(uintptr_t context, void *), void *with);

#pragma GCC visibility pop

#endif
