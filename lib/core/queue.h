/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.h - numbers that wait in a queue: queue.c. */
#ifndef IOT_QUEUE_H
#define IOT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Numbers that wait in two stacks, one of which is being looked at; what was looked at
   and was of no use goes to the other.  A head counts, in its upper half, against a
   number that left and came back; its lower half is the number on top, plus 1. */
struct iot_queue {
	uint64_t head[2];
	uint32_t turn;			/* low bit: which one is looked at */
};

/* where a number's successor is noted; NULL: that is no number */
typedef uint32_t *iot_next_fn(const void *of, uint32_t n);
void iot_queue_put(struct iot_queue *q, bool seen, iot_next_fn *next, const void *of, uint32_t n);
/* So many are looked at: that takes the same time however many wait. */
#define IOT_TRIES 2
bool iot_queue_take(struct iot_queue *q, iot_next_fn *next, const void *of, uint32_t *n);

#pragma GCC visibility pop

#endif
