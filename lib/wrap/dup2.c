/* SPDX-License-Identifier: BSD-3-Clause */
/* dup2.c - dup2: the log's descriptor makes way. */
#include "wrap.h"
#include "desc_dup2.h"

#pragma GCC visibility push(hidden)
int iot_hand_dup2(int (*real)(int, int), uint32_t internal, void *frame, int oldfd, int newfd);
#pragma GCC visibility pop

int iot_hand_dup2(int (*real)(int, int), uint32_t internal, void *frame, int oldfd, int newfd)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uint64_t)oldfd, (uint64_t)newfd };
	int ret;

	iot_log_dup2(newfd);
	if (!iot_enter(&c, &IOT_DESC_NAME(dup2), internal, oldfd, frame))
		return real(oldfd, newfd);
	ret = real(oldfd, newfd);
	iot_leave(&c, ret, arg);
	return ret;
}
