/* SPDX-License-Identifier: BSD-3-Clause */
/* ancestors.h - the processes that this one comes from: ancestors.c. */
#ifndef IOT_ANCESTORS_H
#define IOT_ANCESTORS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* A file of /proc/PID; returns how many bytes there are.  buf has room for one more than cap, which
   becomes zero. */
uint32_t iot_read_proc(uint64_t pid, const char *name, char *buf, uint32_t cap);

/* Whether it began with NAME=VALUE in its environment, for which buf has room. */
bool iot_proc_has_setting(uint64_t pid, const char *name, const char *value, char *buf, uint32_t cap);

/* Calls is() for a few of them, the parent first, with memory for what it reads; returns
   whether it was true of one, which is then the last. */
bool iot_ancestors(bool (*is)(uint64_t pid, char *buf, uint32_t cap, void *arg), void *arg);

#pragma GCC visibility pop

#endif
