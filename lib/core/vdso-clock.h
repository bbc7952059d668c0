/* SPDX-License-Identifier: BSD-3-Clause */
/* vdso-clock.h - the kernel's clocks, without entering the kernel: vdso-clock.c. */
#ifndef IOT_VDSO_CLOCK_H
#define IOT_VDSO_CLOCK_H

#pragma GCC visibility push(hidden)

struct timespec;
void iot_clock(int clock, struct timespec *now);

#pragma GCC visibility pop

#endif
