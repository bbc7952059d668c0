/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * syscall.c - syscall(2): recorded as the call that it makes, with that call's
 * effect on descriptors.  Calls that do no I/O are not recorded.
 */
#include <linux/sched.h>
#include <unistd.h>

#include "child-env.h"
#include "fork.h"
#include "raw.h"
#include "seccomp.h"
#include "wrap.h"

#pragma GCC visibility push(hidden)
typedef long syscall_fn(long, unsigned long, unsigned long, unsigned long, unsigned long,
			unsigned long, unsigned long);
long iot_hand_syscall(syscall_fn *real, uint32_t internal, void *frame, long number,
		      unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
		      unsigned long a5, unsigned long a6);
#pragma GCC visibility pop

static bool makes_process(long number)
{
	return number == SYS_fork || number == SYS_vfork || number == SYS_clone || number == SYS_clone3;
}

/* Whether libaio's function of that name makes the call, which is on record as that. */
static bool is_libaios(const struct iot_desc *desc)
{
	struct iot_thread *t = iot_mine();
	uint32_t *around;

	if (desc->family != IOT_AIO || !t || t->state != IOT_IDLE || !t->depth)
		return false;
	around = iot_noted(t, t->depth - 1);
	return around && *around == desc->id;
}

/* What the call has returned; if it runs a program, and what was added to the environment made that too large, it is
   made once more as it was meant. */
static long made(syscall_fn *real, long number, const unsigned long *a, long ret)
{
	if ((number == SYS_execve || number == SYS_execveat) && iot_is_too_large(ret))
		ret = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	return ret;
}

/* close_range around the log's descriptor, in two pieces. */
static long close_around(syscall_fn *real, uint32_t internal, void *frame, unsigned int log, const unsigned long *a)
{
	long ret = 0;

	if (log > (unsigned int)a[0])
		ret = iot_hand_syscall(real, internal, frame, SYS_close_range, a[0], log - 1, a[2], 0, 0, 0);
	if (ret == 0 && log < (unsigned int)a[1])
		ret = iot_hand_syscall(real, internal, frame, SYS_close_range, log + 1, a[1], a[2], 0, 0, 0);
	return ret;
}

/* Before a task is made by clone or clone3. */
static void task_begins(long number, const unsigned long *a)
{
	uint64_t flags;

	if (number == SYS_clone) {
		iot_thread_begins(a[0]);
		/* a stack, and the program's memory */
		if (a[1] && (a[0] & (CLONE_VM | CLONE_VFORK | CLONE_SETTLS)) == CLONE_VM)
			iot_tasks_share(a[0]);
	} else if (number == SYS_clone3 && iot_fetch(&flags, (const void *)a[0], sizeof(flags))) {
		iot_thread_begins(flags);
	}
}

long iot_hand_syscall(syscall_fn *real, uint32_t internal, void *frame, long number,
		      unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
		      unsigned long a5, unsigned long a6)
{
	struct iot_call c IOT_CLEANUP;
	const unsigned long a[] = { a1, a2, a3, a4, a5, a6 };
	const struct iot_desc *desc = iot_raw_row_of(number, a);
	struct iot_seccomp filter;
	struct iot_fork fork;
	uint64_t arg[7];
	long ret;

	if (number == SYS_execve)
		a3 = (unsigned long)IOT_CHILD_ENV(a3);
	else if (number == SYS_execveat)
		a4 = (unsigned long)IOT_CHILD_ENV(a4);
	c.t = NULL;
	if (!iot_is_dispatched() && iot_seccomp_before(&filter, number, a)) {
		ret = real(number, a1, a2, a3, a4, a5, a6);
		iot_seccomp_after(&filter, ret);
		return ret;
	}
	if (number == SYS_close && iot_log_owns((int)a1)) {
		errno = EBADF;
		return -1;
	}
	if (number == SYS_close_range) {
		const int log = iot_log_in_range((unsigned int)a1, (unsigned int)a2, (unsigned int)a3);

		if (log >= 0)
			return close_around(real, internal, frame, (unsigned int)log, a);
	}
	if (desc && is_libaios(desc)) {
		ret = real(number, a1, a2, a3, a4, a5, a6);
		/* not before: where the kernel tells of the call, it is to find that function waiting for it */
		iot_note_made(iot_mine(), iot_mine()->depth - 1);
		return ret;
	}
	if (!desc || iot_raw_is_memory(number, a) || !iot_enter(&c, desc, internal, iot_raw_fd(desc, a), frame))
		return made(real, number, a, real(number, a1, a2, a3, a4, a5, a6));
	/* no function of libaio's: a handler's call of this kind will be one of its own */
	if (desc->family == IOT_AIO && !iot_is_dispatched())
		iot_note_made(c.t, c.depth);
	iot_raw_args(desc, number, a, arg);
	iot_raw_before(c.t, desc, number, a);
	iot_raw_begun(&c, number, a);
	if (number == SYS_exit_group || number == SYS_execve || number == SYS_execveat)
		iot_noreturn(&c, arg);
	task_begins(number, a);
	if (makes_process(number))
		iot_fork_prepare(&fork);
	ret = made(real, number, a, real(number, a1, a2, a3, a4, a5, a6));
	if (makes_process(number)) {
		if (ret == 0) {
			c.t = NULL;
			iot_fork_child(&fork);
			return 0;
		}
		iot_fork_parent();
	}
	iot_raw_after(&c, number, a, ret);
	iot_leave(&c, iot_raw_result(desc, a, ret), arg);
	return ret;
}
