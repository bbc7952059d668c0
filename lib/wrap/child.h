/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.h - clone and clone3.  A child that shares our memory and for which we
 * wait (posix_spawn's) gets a recorder of its own; a thread has one by its own
 * thread-local storage, a copy of the process by its wiped memory.  A task that has its
 * parent's thread-local storage, or may have a copy of it, is told apart by shared-tls.c.
 */
#ifndef IOT_CHILD_H
#define IOT_CHILD_H

#include <linux/sched.h>

#include "fork.h"
#include "wrap.h"

struct iot_child {
	int (*fn)(void *);
	void *arg;
	uint64_t flags;
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

/* A task in our memory that the program makes, and that we don't wait for. */
static inline bool iot_is_task(uint64_t flags, uint32_t internal)
{
	return !internal && (flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM;
}

static inline int iot_task_main(void *p)
{
	struct iot_child child = *(struct iot_child *)p;
	int ret;

	if (child.flags & CLONE_SETTLS)
		iot_self = NULL;	/* in a copy of its parent's it is its parent's */
	else
		iot_task_begins(iot_task_flags(child.flags));
	ret = child.fn(child.arg);
	iot_task_ends();
	return ret;
}

/* Before it: fn and arg for the child lie on its own stack, for its parent goes on.
   Returns the stack that it is left. */
static inline void *iot_task_made(void *stack, struct iot_child child)
{
	struct iot_child *at = (struct iot_child *)((uintptr_t)stack & ~15UL) - 2;

	if (!(child.flags & CLONE_SETTLS))
		iot_tasks_share(child.flags);
	*at = child;
	return at;
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
