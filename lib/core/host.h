/* SPDX-License-Identifier: BSD-3-Clause */
/* host.h - the executable that the recorder is in: host.c, or lib/dynamic/host.c. */
#ifndef IOT_HOST_H
#define IOT_HOST_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct iot_thread;

bool iot_host_ready(void);
char **iot_environ(void);
char **iot_environ_first(void);	/* all of it, as the process began with it if that is known */
const uint64_t *iot_host_auxv(void);	/* NULL: not found */
bool iot_host_made(const struct iot_thread *t, uintptr_t pc);

#pragma GCC visibility pop

#endif
