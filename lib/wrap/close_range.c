/* SPDX-License-Identifier: BSD-3-Clause */
/* close_range.c - close_range, around the log's descriptor. */
#include <unistd.h>

#include "wrap.h"
#include "desc_close_range.h"

#pragma GCC visibility push(hidden)
typedef int close_range_fn(unsigned int, unsigned int, unsigned int);
int iot_hand_close_range(close_range_fn *real, uint32_t internal, void *frame, unsigned int first,
			 unsigned int last, unsigned int flags);
#pragma GCC visibility pop

static int piece(close_range_fn *real, uint32_t internal, void *frame, unsigned int first,
		 unsigned int last, unsigned int flags)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { first, last, flags };
	int ret;

	if (!iot_enter(&c, &IOT_DESC_NAME(close_range), internal, -1, frame))
		return real(first, last, flags);
	if (!(flags & 4) && first <= last)	/* CLOSE_RANGE_CLOEXEC closes nothing now */
		iot_fd_closed_range(c.t, first, last);
	ret = real(first, last, flags);
	iot_leave(&c, ret, arg);
	return ret;
}

int iot_hand_close_range(close_range_fn *real, uint32_t internal, void *frame, unsigned int first,
			 unsigned int last, unsigned int flags)
{
	const int log = iot_log_in_range(first, last, flags);
	const unsigned int at = (unsigned int)log;

	if (log < 0)
		return piece(real, internal, frame, first, last, flags);
	if (at > first && piece(real, internal, frame, first, at - 1, flags) < 0)
		return -1;
	return at < last ? piece(real, internal, frame, at + 1, last, flags) : 0;
}
