/* SPDX-License-Identifier: BSD-3-Clause */
/* closefrom.c - closefrom, around the log's descriptor where libc's own close_range
   can't be led around it. */
#include "sys.h"
#include "wrap.h"
#include "desc_closefrom.h"

#pragma GCC visibility push(hidden)
typedef void closefrom_fn(int);
void iot_hand_closefrom(closefrom_fn *real, uint32_t internal, void *frame, int lowfd);
#pragma GCC visibility pop

static void around(closefrom_fn *real, int lowfd)
{
	int log = iot_log_fd();

	if (lowfd > log || !iot_log_owns(log)) {
		real(lowfd);
	} else {
		/* kernels before 5.9 do not know it: then the log's has to be opened again */
		if (lowfd < log && iot_syscall(SYS_close_range, (long)lowfd, (long)log - 1, 0L) < 0)
			real(lowfd);
		real(log + 1);
	}
}

void iot_hand_closefrom(closefrom_fn *real, uint32_t internal, void *frame, int lowfd)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uint64_t)lowfd };
	int from = lowfd > 0 ? lowfd : 0;
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(closefrom), internal, -1, frame);

	if (!iot_libc_unseen()) {
		real(lowfd);
	} else {
		if (recorded)
			iot_fd_closed_range(c.t, (uint32_t)from, ~0U);
		around(real, from);
	}
	if (recorded)
		iot_leave(&c, 0, arg);
}
