/* SPDX-License-Identifier: BSD-3-Clause */
/* shared-tls.h - tasks that have their thread-local storage in common: shared-tls.c. */
#ifndef IOT_SHARED_TLS_H
#define IOT_SHARED_TLS_H

#include "state.h"
#include "thread.h"

#pragma GCC visibility push(hidden)

/* Whether the program can make such tasks: then shared-tls-begin.c is there, and with it these. */
__attribute__((weak)) struct iot_thread *iot_task_self(void);
__attribute__((weak)) void iot_task_begins(uint32_t flags);
__attribute__((weak)) void iot_task_ends(void);
__attribute__((weak)) void iot_tasks_forget(void);
void iot_tasks_begin(struct iot_thread *t, uint32_t flags);

/* shared-tls-begin.c */
void iot_tasks_share(uint64_t flags);

/* The recorder of whoever runs this. */
static inline struct iot_thread *iot_mine(void)
{
	struct iot_thread *t = iot_self;

	return iot_unlikely(t && t->state == IOT_MANY) ? iot_task_self() : t;
}

#pragma GCC visibility pop

#endif
