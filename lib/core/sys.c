/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sys.c - which system calls the recorder may make, and how it waits.  The instruction that makes them is in
 * lib/arch/PROCESSOR/syscall.c.
 */
#include "sys.h"

#include <time.h>

/* What filters of the program's have left (seccomp.c, where one can come). */
char iot_filtered;
uint64_t iot_allowed[IOT_NUMBERS / 64] = { ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL };

void iot_sys_wait(int i)
{
	const struct timespec nap = { .tv_nsec = 50000 };

	if (i < 100 || iot_syscall(SYS_nanosleep, &nap, (void *)NULL) == -EPERM)
		iot_syscall(SYS_sched_yield);
}
