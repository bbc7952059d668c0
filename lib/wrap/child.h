/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.h - clone and clone3.  A child that shares our memory and for which we
 * wait (posix_spawn's) gets a recorder of its own; a thread has one by its own
 * thread-local storage, a copy of the process by its wiped memory.
 */
#ifndef IOT_CHILD_H
#define IOT_CHILD_H

#include <linux/sched.h>

#include "wrap.h"

struct iot_child {
	int (*fn)(void *);
	void *arg;
};

/* Where lib/dispatch has the system call it sees to the child. */
static inline bool iot_in_our_memory(uint64_t flags)
{
	return !iot_dispatching && (flags & (CLONE_VM | CLONE_VFORK | CLONE_THREAD)) == (CLONE_VM | CLONE_VFORK);
}

static inline int iot_child_main(void *p)
{
	struct iot_child child = *(struct iot_child *)p;

	iot_child_runs();
	return child.fn(child.arg);
}

/* In the parent, after. */
static inline void iot_child_made(struct iot_thread *before, uint64_t flags)
{
	if (iot_in_our_memory(flags))
		iot_child_end(before);
	if (!(flags & CLONE_FILES))
		iot_fork_parent();
}

#endif
