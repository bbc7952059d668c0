/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operation.h - asynchronous operations that are in flight: one call issues them, the kernel
 * or a thread of libc's carries them out, another call learns of their end; operation.c.
 * lib/wrap/requests.h makes their records.
 */
#ifndef IOT_OPERATION_H
#define IOT_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch-cpu.h"
#include "compiler.h"
#include "fetch.h"

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
	uint64_t pending;		/* until when it was seen to be in progress; 0: nobody looked */
	uint32_t eventfd;		/* that is told of its end; 0: none */
	uint32_t handle;		/* the file's, when it was issued */
	uint32_t stack;			/* of the call that issued it; 0: not known */
	bool silent;			/* its file is not to be traced */
	bool repeats;			/* others with that queue and name may be in flight: the oldest ends first */
	bool seen;			/* the call that carried it out is on record */
	/* These are the table's, and of no meaning in one that repeats: IOT_OPERATION_HEAD.  Of one
	   whose end is noted before the program collects it: */
	uint64_t state;			/* twice its number, and 1 once its end was noted */
	uint64_t ended;			/* when that was, in ticks; 0: it was not */
	struct iot_kept *learned;	/* the call that told the program of its end first */
	uintptr_t buf;			/* of POSIX AIO, with fd: what its control block said */
	int fd;
};

/* Millions come by rings and contexts: of these no more is copied than they have. */
#define IOT_OPERATION_HEAD offsetof(struct iot_operation, state)
static inline void iot_operation_copy(struct iot_operation *to, const struct iot_operation *from)
{
	if (from->repeats)
		__builtin_memcpy(to, from, IOT_OPERATION_HEAD);
	else
		*to = *from;
}

/* Who is alone needs no bus lock, of which several would be a good part of what a request costs. */
static inline bool iot_operation_swap(uint64_t *state, uint64_t is, uint64_t to)
{
	if (iot_likely(iot_is_alone()))
		return iot_swap_alone(state, is, to);
	return __atomic_compare_exchange_n(state, &is, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* The next number, for one that is kept elsewhere (line.h). */
uint64_t iot_operation_number(void);
/* Gives it its number, and notes it until it is taken.  If another thread has seen its end
   already, which can only be if its call has been made, it has the number of that record. */
void iot_operation_begin(struct iot_operation *op);
/* Takes the oldest of that name, which is no longer in flight.  False: there is none. */
bool iot_operation_take(uintptr_t queue, uintptr_t name, struct iot_operation *op);
/* Takes that one, which was looked at, if it is still in flight: whether it was. */
bool iot_operation_drop(const struct iot_operation *op);
/* The oldest of that name, which stays in flight. */
bool iot_operation_look(uintptr_t queue, uintptr_t name, struct iot_operation *op);
/* Notes the end of what was looked at, once: false if that was noted before, or it is gone. */
bool iot_operation_ends(const struct iot_operation *op);
/* Notes that it was in progress until now; or, at first, which call told of its end. */
void iot_operation_pends(const struct iot_operation *op);
void iot_operation_learned(const struct iot_operation *op, struct iot_kept *by);
/* Each of the queue. */
void iot_operations_each(uintptr_t queue, void (*what)(const struct iot_operation *, void *), void *with);
/* It was taken, and goes on all the same: it ends several times. */
void iot_operation_again(const struct iot_operation *op);
/* One that has ended, until op->start, and was not known: gives it a number, by which
   iot_operation_begin knows it.  If that has come meanwhile, op is what it says. */
void iot_operation_early(struct iot_operation *op);
/* The queue is gone, with all that is in it. */
void iot_operations_gone(uintptr_t queue);

#pragma GCC visibility pop

#endif
