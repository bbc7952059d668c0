/* SPDX-License-Identifier: BSD-3-Clause */
/* encode.h - the record of a call is written: encode.c. */
#ifndef IOT_ENCODE_H
#define IOT_ENCODE_H

#include "record-draft.h"
#include "thread.h"

#pragma GCC visibility push(hidden)

/* Stores the record.  t is busy. */
void iot_encode(struct iot_thread *t, const struct iot_call *c, const struct iot_draft *d, uint64_t end,
		uint64_t ret, int err, uint32_t status);

uint64_t iot_start_settled(struct iot_thread *t, const struct iot_call *c);

/* When the call began: later than it says, if a handler came before it and recorded. */
static inline uint64_t iot_start_of(struct iot_thread *t, const struct iot_call *c)
{
	if (iot_likely(c->start > t->late_start) || c->depth >= IOT_MAX_SLOTS)
		return c->start;
	return iot_start_settled(t, c);
}

/* Of a thread of MPI's the blocks say it. */
static inline uint32_t iot_own_status(const struct iot_thread *t, const struct iot_call *c)
{
	return c->own && !(t->flags & IOT_BLOCK_MPI) ? IOT_ST_MPI : 0;
}

#pragma GCC visibility pop

#endif
