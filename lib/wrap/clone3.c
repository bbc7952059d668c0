/* SPDX-License-Identifier: BSD-3-Clause */
/* clone3.c - clone3, by which glibc makes threads and posix_spawn's children. */
#include "child.h"
#include "desc_clone3.h"

#pragma GCC visibility push(hidden)
typedef int clone3_fn(void *, size_t, void *, void *);
int iot_hand_clone3(clone3_fn *real, uint32_t internal, void *frame, void *args, size_t size,
		    void *func, void *arg);
#pragma GCC visibility pop

int iot_hand_clone3(clone3_fn *real, uint32_t internal, void *frame, void *args, size_t size,
		    void *func, void *arg)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arr[] = { (uintptr_t)args, size, (uintptr_t)func, (uintptr_t)arg };
	struct iot_child child = { (int (*)(void *))func, arg, 0 };
	uint64_t flags = 0;
	struct iot_thread *before;
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(clone3), internal, -1, frame);
	int ret;

	/* libc's own are good */
	if (internal)
		flags = *(uint64_t *)args;
	else
		iot_fetch(&flags, args, sizeof(flags));
	child.flags = flags;
	iot_thread_begins(flags);
	before = iot_child_begin();
	if (iot_in_our_memory(flags))
		ret = real(args, size, (void *)iot_child_main, &child);
	else
		ret = real(args, size, func, arg);
	iot_child_made(before, flags);
	if (recorded)
		iot_leave(&c, ret, arr);
	return ret;
}
