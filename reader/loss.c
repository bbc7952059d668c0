/* SPDX-License-Identifier: BSD-3-Clause */
/* loss.c - how many calls are not in a log, and why. */
#include "config.h"

#include <stdio.h>

#include "log-data.h"

/* The recorder counts a lost call in the header, and where it can also in the
   stream that misses it: the biggest number is the truth. */
struct iotr_loss iotr_log_lost(const struct iotr_log *log)
{
	struct iotr_loss l = {log->header.lost_calls, log->header.lost_reason};

	if (log->lost_blocks.calls > l.calls)
		l.calls = log->lost_blocks.calls;
	if (log->lost_defs.calls > l.calls)
		l.calls = log->lost_defs.calls;
	if (!l.reason)
		l.reason = log->lost_defs.reason;
	return l;
}

const char *iotr_loss_reason(uint64_t reason, char *buf, size_t size)
{
	switch (reason) {
	case 0:
		return "reason not known";
	case IOT_LOST_LIMIT:
		return "IOTRACE_LIMIT was reached";
	case IOT_LOST_FSIZE:
		return "the limit on file size (RLIMIT_FSIZE) was reached";
	case IOT_LOST_FD:
		return "the log could not be opened again: the program closed its descriptor, or has all that it "
		       "may have";
	case IOT_LOST_FILTER:
		return "the program's seccomp filter, or its user dispatch of system calls, keeps the recorder from "
		       "writing";
	case IOT_LOST_FILE:
		return "the log was cut short or lost its disk space while it was written";
	case IOT_LOST_SLOW:
		return "the log's disk was slow, and IOTRACE_ON_SLOW says drop";
	case IOT_LOST_RING:
		return "requests or completions of an io_uring that no call of the program's saw in time; "
		       "iotrace run --syscalls sees calls by instructions, too";
	case IOT_LOST_POLLED:
		return "requests or completions of an io_uring that the kernel took or made by itself "
		       "(IORING_SETUP_SQPOLL), and no call of the program's saw in time; "
		       "IOTRACE_WATCH_RINGS=1 sees most";
	case IOT_LOST_QUEUE:
		return "completions for which the queue of an io_uring had no place";
	case IOT_LOST_FAULTS:
		return "page faults that came faster than they could be read";
	case IOT_LOST_DEPTH:
		return "regions nested too deep";
	case IOT_LOST_TIMEBASE:
		return "the program forbade itself to read the timebase (PR_SET_TSC)";
	}
	if (reason < 4096 && iotr_errno_text((int)reason))
		return iotr_errno_text((int)reason);
	snprintf(buf, size, "reason %llu", (unsigned long long)reason);
	return buf;
}
