/* SPDX-License-Identifier: BSD-3-Clause */
/* lend.h - jobs that need a descriptor for a moment: lend.c. */
#ifndef IOT_LEND_H
#define IOT_LEND_H

#include <stdbool.h>
#include <stdint.h>

#include "fetch.h"

#pragma GCC visibility push(hidden)

typedef void iot_lend_job(void *arg);

/* Makes a task in the caller's memory, which calls job(arg) and ends.  stack: the end of its own; 0:
   it has the caller's, as by vfork.  tp: its thread pointer.  The kernel stores the task's number at
   arg, and 0 when it has ended, as far as flags say so.  Returns the number, or -errno (lib/arch). */
long iot_task_begin(unsigned long flags, uintptr_t stack, void *arg, uintptr_t tp, iot_lend_job *job);

/* False: job was not called, since it can't be done. */
bool iot_lend(iot_lend_job *job, void *arg);

/* The same; false also if nobody could see the caller's descriptors. */
static inline bool iot_lent(iot_lend_job *job, void *arg)
{
	return !iot_is_alone() && iot_lend(job, arg);
}

/* Where no other thread sees the descriptors that the job opens, and closes. */
static inline void iot_unseen(iot_lend_job *job, void *arg)
{
	if (!iot_lent(job, arg))
		job(arg);
}

#pragma GCC visibility pop

#endif
