/* SPDX-License-Identifier: BSD-3-Clause */
/* dup3.c - dup3, which without flags is dup2. */
#include "wrap.h"
#include "desc_dup3.h"
#include "desc_iot_dup3_dup2.h"

#pragma GCC visibility push(hidden)
int iot_hand_dup3(int (*real)(int, int, int), uint32_t internal, void *frame, int oldfd, int newfd,
		  int flags);
#pragma GCC visibility pop

int iot_hand_dup3(int (*real)(int, int, int), uint32_t internal, void *frame, int oldfd, int newfd,
		  int flags)
{
	const struct iot_desc *desc = flags ? &IOT_DESC_NAME(dup3) : &IOT_DESC_NAME(iot_dup3_dup2);
	const uint64_t arg[] = { (uint64_t)oldfd, (uint64_t)newfd, (uint64_t)flags };
	struct iot_call c;
	int ret;

	iot_log_dup2(newfd);
	if (!iot_enter(&c, desc, internal, oldfd, frame))
		return real(oldfd, newfd, flags);
	c.no_syscall = oldfd == newfd;
	ret = real(oldfd, newfd, flags);
	iot_leave(&c, ret, arg);
	return ret;
}
