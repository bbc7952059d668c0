/* SPDX-License-Identifier: BSD-3-Clause */
/* daemon.c - daemon, which returns in a child. */
#include "fork.h"
#include "paths.h"
#include "wrap.h"
#include "desc_daemon.h"

#pragma GCC visibility push(hidden)
int iot_hand_daemon(int (*real)(int, int), uint32_t internal, void *frame, int nochdir, int noclose);
#pragma GCC visibility pop

int iot_hand_daemon(int (*real)(int, int), uint32_t internal, void *frame, int nochdir, int noclose)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uint64_t)nochdir, (uint64_t)noclose };
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(daemon), internal, -1, frame);
	struct iot_fork fork;
	int ret;

	if (iot_libc_unseen())
		iot_fork_prepare(&fork);
	ret = real(nochdir, noclose);
	/* in a child, unless there is none */
	if (iot_libc_unseen()) {
		iot_fork_child(&fork);
		iot_cwd_changed();
		iot_fd_closed_range(iot_self, 0, 2);
	}
	if (recorded)
		iot_leave(&c, ret, arg);
	return ret;
}
