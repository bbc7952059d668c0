/* SPDX-License-Identifier: BSD-3-Clause */
/* lost.h - what the log's header counts: lost.c. */
#ifndef IOT_LOST_H
#define IOT_LOST_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

void iot_lost(uint32_t calls, uint64_t reason);
/* Counts a call that IOTRACE_LONGER, _AFTER or _UNTIL leaves out. */
void iot_leave_out(void);
void iot_header_raise(uint64_t *word, uint64_t n);

#pragma GCC visibility pop

#endif
