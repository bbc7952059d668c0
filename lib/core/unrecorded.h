/* SPDX-License-Identifier: BSD-3-Clause */
/* unrecorded.h - a program that can have no log: unrecorded.c. */
#ifndef IOT_UNRECORDED_H
#define IOT_UNRECORDED_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Counts this program as a lost call, for that reason, where tools find it.  Returns whether
   that there can be no log has been said, or is in a log. */
bool iot_unrecorded(uint64_t reason);

#pragma GCC visibility pop

#endif
