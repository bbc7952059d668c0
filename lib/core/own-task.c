/* SPDX-License-Identifier: BSD-3-Clause */
/* own-task.c - a task of the recorder's own in the memory of the program: own-task.h. */
#include "own-task.h"

#include "arch-machine.h"
#include "arena.h"
#include "libc.h"
#include "sys.h"
#include "thread-memory.h"

#include <linux/futex.h>
#include <linux/kcmp.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#define STACK	 (128UL << 10)		/* of which few pages are touched */
#define PATIENCE 5			/* seconds */

bool iot_tls_block(struct iot_tls_block *b)
{
	const uintptr_t tp = iot_thread_pointer();
	uintptr_t low = (uintptr_t)&iot_self, size;

	/* our variables lie side by side, in one page or two */
	if ((uintptr_t)&errno < low)
		low = (uintptr_t)&errno;
	size = (tp - low + 3 * IOT_PAGE) & -IOT_PAGE;
	if (!b->tp) {
		b->low = (uintptr_t)iot_map(size + IOT_PAGE);
		if (!b->low)
			return false;
		b->tp = b->low + size;
	}
	memset((void *)b->low, 0, b->tp - b->low);
	iot_machine_copy_header(b->tp, tp);
	return true;
}

static bool shares_memory(uint32_t tid)
{
	return iot_syscall(SYS_kcmp, (long)iot_sys_getpid(), (long)tid, (long)KCMP_VM, 0L, 0L) == 0;
}

bool iot_own_task_is_alone(struct iot_own_task *k)
{
	if (shares_memory(k->of))
		return false;
	/* that thread has ended, but another may be there */
	for (uint32_t i = 0; i < iot_thread_count(); i++) {
		const struct iot_thread *t = iot_thread_at(i);

		if (t && t->in_use == IOT_STRUCT_TAKEN && t->tid && shares_memory(t->tid)) {
			k->of = t->tid;
			return false;
		}
	}
	return true;
}

void iot_own_task_ends(void)
{
	for (;;)
		iot_syscall(SYS_exit_group, 0L);
}

/* The task's parent, which ends at once: so the task is not the program's child, which wait() would
   find. */
static void between(void *task)
{
	struct iot_own_task *k = task;
	const long ret = iot_task_begin(CLONE_VM | CLONE_FILES | CLONE_SETTLS | CLONE_UNTRACED | CLONE_CHILD_SETTID |
						CLONE_CHILD_CLEARTID,
					k->stack + STACK, &k->tid, k->tls.tp, k->run);

	if (ret < 0)
		__atomic_store_n(&k->tid, 0, __ATOMIC_RELEASE);
	iot_own_task_ends();
}

long iot_own_task_begin(struct iot_own_task *k, iot_lend_job *run)
{
	uint64_t signals;
	long child;

	if (iot_filtered)
		return -EPERM;
	if (!k->stack)
		k->stack = (uintptr_t)iot_map(STACK);
	if (!k->stack || !iot_tls_block(&k->tls))
		return -ENOMEM;
	k->of = (uint32_t)iot_sys_gettid();
	if (!shares_memory(k->of))
		return -ENOSYS;
	k->run = run;
	/* until the kernel stores its id */
	__atomic_store_n(&k->tid, ~0u, __ATOMIC_RELEASE);
	signals = iot_sys_block_signals();
	/* it has a piece of the same stack, and is gone before the task needs that */
	child = iot_task_begin(CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_SETTLS | CLONE_UNTRACED, k->stack + STACK / 2,
			       k, k->tls.tp, between);
	if (child > 0)
		iot_syscall(SYS_wait4, child, (void *)NULL, (long)__WALL, (void *)NULL);
	iot_sys_restore_signals(signals);
	if (child < 0)
		__atomic_store_n(&k->tid, 0, __ATOMIC_RELEASE);
	return child < 0 ? child : __atomic_load_n(&k->tid, __ATOMIC_ACQUIRE) ? 0 : -EAGAIN;
}

void iot_own_task_wait(struct iot_own_task *k)
{
	const struct timespec moment = { .tv_nsec = 100000000 };

	for (int i = 0; i < 10 * PATIENCE; i++) {
		const uint32_t tid = __atomic_load_n(&k->tid, __ATOMIC_ACQUIRE);

		if (!tid)
			return;
		iot_syscall(SYS_futex, &k->tid, (long)FUTEX_WAIT, (long)tid, &moment, (void *)NULL, 0L);
	}
}
