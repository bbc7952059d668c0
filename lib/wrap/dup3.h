/* SPDX-License-Identifier: BSD-3-Clause */
/* dup3.h - dup3: the log's descriptor makes way. */
#ifndef IOT_DUP3_H
#define IOT_DUP3_H

#include "wrap.h"

#pragma GCC visibility push(hidden)
typedef int dup3_fn(int, int, int);
int iot_hand_dup3(dup3_fn *real, uint32_t internal, void *frame, int oldfd, int newfd, int flags);
#pragma GCC visibility pop

static inline int iot_dup3(dup3_fn *real, const struct iot_desc *desc, bool no_syscall, uint32_t internal,
			   void *frame, int oldfd, int newfd, int flags)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arg[] = { (uint64_t)oldfd, (uint64_t)newfd, (uint64_t)flags };
	int ret;

	iot_log_dup2(newfd);
	if (!iot_enter(&c, desc, internal, oldfd, frame))
		return real(oldfd, newfd, flags);
	c.no_syscall = no_syscall;
	ret = real(oldfd, newfd, flags);
	iot_leave(&c, ret, arg);
	return ret;
}

#endif
