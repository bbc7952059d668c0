/* SPDX-License-Identifier: BSD-3-Clause */
/* seccomp.h - what the wrappers of prctl and syscall tell the recorder. */
#ifndef IOT_SECCOMP_H
#define IOT_SECCOMP_H

#include <stdbool.h>
#include <stdint.h>

#include "sys.h"

#pragma GCC visibility push(hidden)

struct iot_seccomp {
	uint64_t taken[IOT_NUMBERS / 64];	/* system calls that were allowed until then */
	bool all;		/* the call returns a thread that it could not be imposed on */
};

/* Whether the system call, with these arguments, installs a filter, or a handler of system calls: then what it
   takes from the recorder is taken, and given back if ret says that it failed. */
bool iot_seccomp_before(struct iot_seccomp *s, long number, const unsigned long *a);
void iot_seccomp_after(const struct iot_seccomp *s, long ret);

#pragma GCC visibility pop

#endif
