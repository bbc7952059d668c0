/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lend.c - jobs that need a descriptor for a moment.
 *
 * A descriptor gets the lowest number that is free.  If another thread of the program opens a
 * file at that moment, it gets the number behind; and a process that it makes has ours as well.
 * And a process that closes a file loses all its locks of it (fcntl(2)), alone or not.
 * So the job is done by a task that has descriptors of its own, and at first none.  The thread
 * that asks waits for the task's end, as in vfork: it has lent its stack and its thread-local
 * storage.  Mappings that the job makes are the process's.
 */
#include "lend.h"

#include "arch-cpu.h"
#include "sys.h"

#include <linux/close_range.h>
#include <linux/sched.h>

struct loan {
	iot_lend_job *job;
	void *arg;
	bool done;
};

/* Without descriptors rather than with copies of the program's, which would be in use for
   longer than the program thinks; kernels before 5.9 have only those. */
static void in_task(void *p)
{
	struct loan *l = p;

	l->done = iot_syscall(SYS_close_range, 0L, (long)~0U, (long)CLOSE_RANGE_UNSHARE) == 0 ||
		  iot_syscall(SYS_unshare, (long)CLONE_FILES) == 0;
	if (l->done)
		l->job(l->arg);
}

bool iot_lend(iot_lend_job *job, void *arg)
{
	/* a thread, which no other has to wait for, and which nothing is told about */
	const unsigned long flags = CLONE_VM | CLONE_VFORK | CLONE_THREAD | CLONE_SIGHAND | CLONE_FS |
				    CLONE_FILES | CLONE_SYSVSEM;
	struct loan l = { job, arg, false };
	uint64_t signals;

	/* valgrind knows of no such tasks, and ends the program */
	if (!iot_sys_allowed(SYS_clone) || !iot_sys_allowed(SYS_exit) || iot_is_valgrind())
		return false;
	/* the program's handlers are not to run there */
	signals = iot_sys_block_signals();
	iot_task_begin(flags, 0, &l, 0, in_task);
	iot_sys_restore_signals(signals);
	return l.done;
}
