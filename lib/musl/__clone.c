/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * __clone.c - by which musl makes threads and posix_spawn's children, and clone
 * too; it returns what the kernel returns.
 */
#include "child.h"
#include "desc_clone.h"

typedef int clone_fn(int (*)(void *), void *, int, void *, ...);
extern clone_fn real __asm__("__real___clone");
int wrap(int (*)(void *), void *, int, void *, void *, void *, void *) __asm__("__wrap___clone");
int wrap(int (*fn)(void *), void *stack, int flags, void *arg, void *ptid, void *tls, void *ctid)
{
	const uint64_t arr[] = { (uintptr_t)fn, (uintptr_t)stack, (uint64_t)flags, (uintptr_t)arg };
	struct iot_child child = { fn, arg, (unsigned int)flags };
	struct iot_call c;
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(clone), IOT_INTERNAL, -1, __builtin_frame_address(0));
	struct iot_thread *before = iot_child_begin();
	int ret;

	if (iot_in_our_memory((unsigned int)flags))
		ret = real(iot_child_main, stack, flags, &child, ptid, tls, ctid);
	else
		ret = real(fn, stack, flags, arg, ptid, tls, ctid);
	iot_child_made(before, (unsigned int)flags);
	if (recorded)
		iot_leave_status(&c, ret < 0 ? -1 : ret, ret < 0 ? -ret : 0, arr, IOT_ST_FINISHED);
	return ret;
}
