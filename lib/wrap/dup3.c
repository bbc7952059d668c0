/* SPDX-License-Identifier: BSD-3-Clause */
/* dup3.c - dup3: the log's descriptor makes way. */
#include "wrap.h"
#include "desc_dup3.h"

#pragma GCC visibility push(hidden)
int iot_hand_dup3(int (*real)(int, int, int), uint32_t internal, void *frame, int oldfd, int newfd,
		  int flags);
#pragma GCC visibility pop

int iot_hand_dup3(int (*real)(int, int, int), uint32_t internal, void *frame, int oldfd, int newfd,
		  int flags)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uint64_t)oldfd, (uint64_t)newfd, (uint64_t)flags };
	int ret;

	iot_log_dup2(newfd);
	if (!iot_enter(&c, &IOT_DESC_NAME(dup3), internal, oldfd, frame))
		return real(oldfd, newfd, flags);
	ret = real(oldfd, newfd, flags);
	iot_leave(&c, ret, arg);
	return ret;
}
