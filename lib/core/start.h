/* SPDX-License-Identifier: BSD-3-Clause */
/* start.h - recording begins in a process, and stops: start.c. */
#ifndef IOT_START_H
#define IOT_START_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { IOT_UNSTARTED, IOT_STARTING, IOT_ON, IOT_OFF };
extern int iot_phase;			/* how far it has come */
extern uint64_t *iot_here;		/* in wiped memory: 1, unless a fork was not noticed yet */

bool iot_start(void);
void iot_start_forked(void);
void iot_stop(uint64_t reason);
void iot_thread_forget(void);

#pragma GCC visibility pop

#endif
