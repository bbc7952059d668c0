/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operation.h - asynchronous operations that are in flight: one call issues an operation, the
 * kernel or a thread of libc's carries it out, and another call learns of its end; operation.c.
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
	uint64_t pending;		/* when it was last seen to be in progress; 0: nobody looked */
	uint32_t eventfd;		/* the eventfd that is told of its end; 0: none */
	uint32_t handle;		/* the file's handle when the operation was issued */
	uint32_t stack;			/* of the call that issued it; 0: not known */
	bool silent;			/* its file is not recorded */
	bool repeats;			/* others with that queue and name may be in flight: the oldest ends first */
	bool seen;			/* the call that carried it out is on record */
	bool appends;			/* what is written to its file goes to the end */
	/* What follows has a meaning only if the operation does not repeat (IOT_OPERATION_HEAD), and is
	   for an end that is noted before the program collects it. */
	uint64_t state;			/* twice the number, plus 1 once the end was noted */
	uint64_t ended;			/* when the end was noted, in ticks; 0: not yet */
	struct iot_kept *learned;	/* the first call that told the program of the end */
	uintptr_t buf;			/* POSIX AIO: buffer and descriptor of the control block */
	int fd;
};

/* Rings and contexts have operations by the million: no more of one is copied than it has. */
#define IOT_OPERATION_HEAD offsetof(struct iot_operation, state)
static inline void iot_operation_copy(struct iot_operation *to, const struct iot_operation *from)
{
	if (from->repeats)
		__builtin_memcpy(to, from, IOT_OPERATION_HEAD);
	else
		*to = *from;
}

/* A process with one thread needs no bus lock: several of them would be a good part of a request's cost. */
static inline bool iot_operation_swap(uint64_t *state, uint64_t is, uint64_t to)
{
	if (iot_likely(iot_is_alone()))
		return iot_swap_alone(state, is, to);
	return __atomic_compare_exchange_n(state, &is, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

extern uint64_t iot_operation_last;	/* the number that was given last */
/* The next number, for an operation that is kept elsewhere (line.h). */
static inline uint64_t iot_operation_number(void)
{
	return iot_likely(iot_is_alone()) ? iot_add_alone(&iot_operation_last, 1) :
					    __atomic_add_fetch(&iot_operation_last, 1, __ATOMIC_RELAXED);
}

/* Gives the operation a number, and keeps it until it is taken.  Another thread may have seen its
   end already, if the call that issues it has been made: then it gets the number of that end. */
void iot_operation_begin(struct iot_operation *op);
/* Takes the oldest operation of that name out of the table.  False: there is none. */
bool iot_operation_take(uintptr_t queue, uintptr_t name, struct iot_operation *op);
/* Takes the operation that iot_operation_look gave out of the table.  False: it is no longer there. */
bool iot_operation_drop(const struct iot_operation *op);
/* The oldest operation of that name, which stays in the table. */
bool iot_operation_look(uintptr_t queue, uintptr_t name, struct iot_operation *op);
/* Notes the end of the operation that iot_operation_look gave.  False: the end was noted before, or
   the operation is no longer there. */
bool iot_operation_ends(const struct iot_operation *op);
/* Notes that the operation is still in progress. */
void iot_operation_pends(const struct iot_operation *op);
/* Notes which call told the program of the end, if none is noted. */
void iot_operation_learned(const struct iot_operation *op, struct iot_kept *by);
/* Calls what() for a copy of each operation of the queue. */
void iot_operations_each(uintptr_t queue, void (*what)(const struct iot_operation *, void *), void *with);
/* Puts an operation that was taken back: it ends several times. */
void iot_operation_again(const struct iot_operation *op);
/* For the end, at op->start at the latest, of an operation that is not in the table: gives it a number,
   which iot_operation_begin then finds.  If the operation has come meanwhile, op becomes that. */
void iot_operation_early(struct iot_operation *op);
/* Removes all operations of a queue that is gone. */
void iot_operations_gone(uintptr_t queue);

#pragma GCC visibility pop

#endif
