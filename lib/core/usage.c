/* SPDX-License-Identifier: BSD-3-Clause */
/* usage.c - what the kernel counts of a thread, in the log each time that it writes a
   block, and when it begins and ends. */
#include <sys/resource.h>

#include "iot.h"
#include "sys.h"

#define OF_THREAD 1L		/* RUSAGE_THREAD */

/* The kernel's, on all processors of 64 bits. */
struct usage {
	struct {
		uint64_t s, us;
	} user, system;
	uint64_t max_rss, shared, data, stack, minor, major, swaps, in, out, sent, received, signals,
		voluntary, involuntary;
};

/* t is busy, has room for IOT_USAGE_WORDS, and is this thread's own. */
void iot_usage_define(struct iot_thread *t)
{
	struct usage u;
	uint64_t *p;

	if (t->level || iot_syscall(SYS_getrusage, OF_THREAD, &u))
		return;
	p = iot_define(t, IOT_DEF_USAGE, IOT_USAGE_WORDS - 2);
	*p++ = iot_ticks();
	*p++ = u.user.s * 1000000 + u.user.us;
	*p++ = u.system.s * 1000000 + u.system.us;
	*p++ = u.minor;
	*p++ = u.major;
	*p++ = u.in;
	*p++ = u.out;
	*p++ = u.voluntary;
	*p++ = u.involuntary;
	iot_define_done(t, p);
}
