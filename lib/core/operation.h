/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operation.h - asynchronous operations that are in flight: one call issues them, the kernel
 * or a thread of libc's carries them out, another call learns of their end; operation.c.
 * lib/wrap/requests.h makes their records.
 */
#ifndef IOT_OPERATION_H
#define IOT_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_kept;

struct iot_operation {
	uintptr_t queue, name;		/* the program's names for both: a context or ring, and what
					   it calls the operation there */
	uint64_t number;		/* in the process, from 1; 0: it could not be followed */
	uint64_t start;			/* ticks when the call began that issued it; 0: not known */
	uint64_t size, offset;		/* bytes asked for, and where; IOT_UNKNOWN: at no offset */
	struct iot_kept *what;		/* the call that would do the same: pread, fsync, ... */
	struct iot_kept *by;		/* the call that issued it */
	uint64_t flags;
	uint32_t handle;		/* the file's, when it was issued */
	bool silent;			/* its file is not to be traced */
	bool repeats;			/* others with that queue and name may be in flight: the oldest ends first */
	bool over;			/* its end was seen before its beginning */
	bool seen;			/* the call that carried it out is on record */
};

/* Gives it its number, and notes it until it is taken.  False: it was over already, which
   another thread has seen: op->number is what that record says. */
bool iot_operation_begin(struct iot_operation *op);
/* Takes the oldest of that name, which is no longer in flight.  False: there is none. */
bool iot_operation_take(uintptr_t queue, uintptr_t name, struct iot_operation *op);
/* One that has ended and was not known: gives it a number, by which iot_operation_begin knows
   it if that comes yet. */
void iot_operation_early(struct iot_operation *op);
/* The queue is gone, with all that is in it. */
void iot_operations_gone(uintptr_t queue);

#pragma GCC visibility pop

#endif
