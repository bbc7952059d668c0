/* SPDX-License-Identifier: BSD-3-Clause */
/* fork.c - fork, which in a dynamic executable is all that is seen of it. */
#include "fork.h"

#include "wrap.h"

#include "desc_fork.h"

#if !defined(IOT_DYNAMIC) && __has_include("w__Fork.c")
/* It is linked anyway: if it is asked for together with fork, they lie together. */
__asm__(".reloc ., BFD_RELOC_NONE, __real__Fork");
#endif

#pragma GCC visibility push(hidden)
int iot_hand_fork(int (*real)(void), uint32_t internal, void *frame);
#pragma GCC visibility pop

int iot_hand_fork(int (*real)(void), uint32_t internal, void *frame)
{
	struct iot_call c IOT_CLEANUP;
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(fork), internal, -1, frame);
	struct iot_fork fork;
	int ret;

	if (iot_libc_unseen())
		iot_fork_prepare(&fork);
	ret = real();
	if (iot_libc_unseen() && ret)
		iot_fork_parent();
	else if (iot_libc_unseen())
		iot_fork_child(&fork);
	if (recorded)
		iot_leave(&c, ret, NULL);
	return ret;
}
