/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own-task.h - a task of the recorder's own in the memory of the program: own-task.c.
 *
 * It is a process of its own, and not a thread: the program counts its threads, waits for
 * its children and measures its processor time as without it.  It shares memory and
 * descriptors with the program, so that what it records goes where the program's calls go.
 */
#ifndef IOT_OWN_TASK_H
#define IOT_OWN_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "lend.h"

#pragma GCC visibility push(hidden)

/* A block of thread-local storage: the recorder's variables lie from low on, at tp begins what
   libc has there. */
struct iot_tls_block {
	uintptr_t low, tp;
};
/* Makes, or wipes, one for a task that has none of libc's.  False: there is no memory. */
bool iot_tls_block(struct iot_tls_block *b);

struct iot_own_task {
	uint32_t tid;			/* 0: it is gone; a futex */
	uint32_t of;			/* a thread of the program's */
	uintptr_t stack;
	struct iot_tls_block tls;
	iot_lend_job *run;
};
/* Begins it; it has all signals blocked.  run: its argument is of no use.  Where it can't be begun
   the result is -errno. */
long iot_own_task_begin(struct iot_own_task *k, iot_lend_job *run);
/* Of the task itself: whether the program has ended, or has become another. */
bool iot_own_task_is_alone(struct iot_own_task *k);
void iot_own_task_ends(void) __attribute__((noreturn));
/* Until it is gone; or some seconds, if it does not end. */
void iot_own_task_wait(struct iot_own_task *k);

#pragma GCC visibility pop

#endif
