/* SPDX-License-Identifier: BSD-3-Clause */
/* vdso-clock.h - the kernel's clocks, without entering the kernel: vdso-clock.c. */
#ifndef IOT_VDSO_CLOCK_H
#define IOT_VDSO_CLOCK_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

struct timespec;
void iot_clock(int clock, struct timespec *now);
uint64_t iot_clock_ns(int clock);

#pragma GCC visibility pop

#endif
