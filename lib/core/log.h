/* SPDX-License-Identifier: BSD-3-Clause */
/* log.h - the log is created, and ends: log.c. */
#ifndef IOT_LOG_H
#define IOT_LOG_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct iot_thread;

bool iot_log_start(void);
void iot_log_forget(void);
void iot_log_ended(struct iot_thread *t);
void iot_log_leaves(bool leaves);

#pragma GCC visibility pop

#endif
