/* SPDX-License-Identifier: BSD-3-Clause */
/* job-core.h - what for-jobs.c knows of thread-memory.c, thread.c and log.c. */
#ifndef IOT_JOB_CORE_H
#define IOT_JOB_CORE_H

#include "iot.h"

#pragma GCC visibility push(hidden)

/* thread-memory.c */
struct iot_thread *iot_thread_at(uint32_t n);
uint32_t iot_thread_count(void);
bool iot_thread_free(const struct iot_thread *t);
struct iot_thread *iot_thread_with(uintptr_t at);

/* log.c */
extern char iot_log_path[4096 + 512];

#pragma GCC visibility pop

#endif
