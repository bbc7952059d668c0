/* SPDX-License-Identifier: BSD-3-Clause */
/* clone.c - clone. */
#include "child.h"
#include "desc_clone.h"

#pragma GCC visibility push(hidden)
typedef int clone_fn(void *, void *, int, void *, ...);
int iot_hand_clone(clone_fn *real, uint32_t internal, void *frame, void *fn, void *stack, int flags,
		   void *arg, va_list ap);
#pragma GCC visibility pop

int iot_hand_clone(clone_fn *real, uint32_t internal, void *frame, void *fn, void *stack, int flags,
		   void *arg, va_list ap)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arr[] = { (uintptr_t)fn, (uintptr_t)stack, (uint64_t)flags, (uintptr_t)arg };
	/* there or not, as the flags say: the kernel looks only at those that are */
	void *ptid = va_arg(ap, void *), *tls = va_arg(ap, void *), *ctid = va_arg(ap, void *);
	struct iot_child child = { (int (*)(void *))fn, arg, (unsigned int)flags };
	struct iot_thread *before;
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(clone), internal, -1, frame);
	int ret;

	c.no_syscall = !fn || !stack;
	iot_thread_begins((unsigned int)flags);
	before = iot_child_begin();
	if (iot_in_our_memory((unsigned int)flags)) {
		ret = real((void *)iot_child_main, stack, flags, &child, ptid, tls, ctid);
	} else if (fn && stack && iot_is_task((unsigned int)flags, internal)) {
		void *own = iot_task_made(stack, child);

		ret = real((void *)iot_task_main, own, flags, own, ptid, tls, ctid);
	} else {
		ret = real(fn, stack, flags, arg, ptid, tls, ctid);
	}
	iot_child_made(before, (unsigned int)flags);
	if (recorded)
		iot_leave(&c, ret, arr);
	return ret;
}
