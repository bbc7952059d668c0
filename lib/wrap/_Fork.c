/* SPDX-License-Identifier: BSD-3-Clause */
/* _Fork.c - the system call beneath fork. */
#include "fork.h"
#include "wrap.h"
#include "desc__Fork.h"

#pragma GCC visibility push(hidden)
int iot_hand__Fork(int (*real)(void), uint32_t internal, void *frame);
#pragma GCC visibility pop

int iot_hand__Fork(int (*real)(void), uint32_t internal, void *frame)
{
	struct iot_call c IOT_CLEANUP;
	struct iot_fork fork;
	bool recorded;
	int ret;

	iot_fork_prepare(&fork);
	recorded = iot_enter(&c, &IOT_DESC_NAME(_Fork), internal, -1, frame);
	ret = real();
	if (ret == 0) {
		/* the system call was the parent's; this process has yet to make one */
		c.t = NULL;
		iot_fork_child(&fork);
		return 0;
	}
	iot_fork_parent();
	if (recorded)
		iot_leave(&c, ret, NULL);
	return ret;
}
