/* SPDX-License-Identifier: BSD-3-Clause */
/* usage.c - what the kernel counts of a thread.  window.c has it in the log each time that a
   block is written, and when the thread begins and ends. */
#include "usage.h"

#include "sys.h"

#include <string.h>
#include <sys/resource.h>

#define OF_THREAD 1L		/* RUSAGE_THREAD */

/* The kernel's, on all processors of 64 bits. */
struct usage {
	struct {
		uint64_t s, us;
	} user, system;
	uint64_t max_rss, shared, data, stack, minor, major, swaps, in, out, sent, received, signals,
		voluntary, involuntary;
};

/* The words of an IOT_DEF_USAGE, of a thread that has just begun; returns where they end, NULL
   if none are to follow. */
uint64_t *iot_usage_none(uint64_t *p)
{
	if (!iot_sys_allowed(SYS_getrusage))
		return NULL;
	*p++ = iot_ticks();
	memset(p, 0, (IOT_USAGE_WORDS - 3) * sizeof(*p));
	return p + IOT_USAGE_WORDS - 3;
}

/* The same, of one as it is now. */
uint64_t *iot_usage_put(uint64_t *p)
{
	struct usage u;

	if (iot_syscall(SYS_getrusage, OF_THREAD, &u))
		return NULL;
	*p++ = iot_ticks();
	*p++ = u.user.s * 1000000 + u.user.us;
	*p++ = u.system.s * 1000000 + u.system.us;
	*p++ = u.minor;
	*p++ = u.major;
	*p++ = u.in;
	*p++ = u.out;
	*p++ = u.voluntary;
	*p++ = u.involuntary;
	return p;
}
