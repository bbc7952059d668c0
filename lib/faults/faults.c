/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults.c - the program's side of IOTRACE_FAULTS: the helper is begun, told of children, and
 * waited for before the program ends.
 */
#include "faults.h"

#include "arena.h"
#include "conf.h"
#include "attach.h"
#include "hooks.h"
#include "log-share.h"
#include "report.h"
#include "sys.h"
#include "vdso-clock.h"

#include <linux/futex.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#define PATIENCE 2			/* seconds that the helper has to begin, or to finish */

static struct iot_faults *share;	/* NULL: there is no helper */

/* Until *word is not was any more, or time is up. */
static void wait_while(uint32_t *word, uint32_t was)
{
	struct timespec left = { .tv_nsec = 100000000 };

	for (int i = 0; i < 10 * PATIENCE && __atomic_load_n(word, __ATOMIC_ACQUIRE) == was; i++) {
		iot_syscall(SYS_futex, word, (long)FUTEX_WAIT, (long)was, &left, (void *)NULL, 0L);
		if (share->pid && iot_sys_ended(share->pid))
			break;
	}
}

/* Not the program's child, which wait() would find: its parent ends at once. */
static void begin_helper(void)
{
	long child;

	share->of = iot_each.pid;
	child = iot_syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);

	if (child > 0) {
		iot_syscall(SYS_wait4, child, (void *)NULL, (long)__WALL, (void *)NULL);
		return;
	}
	if (child == 0 && iot_syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L) == 0)
		iot_faults_help(share);
	if (child == 0)
		for (;;)
			iot_syscall(SYS_exit_group, 0L);
}

static void report(void)
{
	if (share->in_ring)
		iot_report("IOTRACE_FAULTS: no memory may be locked for the kernel's events",
			   " (raise ulimit -l or kernel.perf_event_mlock_kb)", "; page faults are not recorded");
	else if (share->error == -EACCES || share->error == -EPERM)
		iot_report("IOTRACE_FAULTS: perf_event_open is forbidden",
			   " (sysctl kernel.perf_event_paranoid=2 allows it; containers have to as well)",
			   "; page faults are not recorded");
	else
		iot_report("IOTRACE_FAULTS: the kernel has no page-fault events", " (CONFIG_PERF_EVENTS)",
			   "; page faults are not recorded");
}

void iot_faults_start(void)
{
	long error;

	if (share)
		return;
	share = iot_map_inherited(sizeof(*share), -1, 0, &error);
	if (!share)
		return;
	begin_helper();
	wait_while(&share->ready, IOT_FAULTS_BEGIN);
	iot_before_done(share);
	if (__atomic_load_n(&share->ready, __ATOMIC_ACQUIRE) == IOT_FAULTS_ON)
		return;
	report();
	iot_unmap_inherited(share, sizeof(*share));
	share = NULL;
}

/* In a forked child that goes on in the log. */
void iot_faults_forked(void)
{
	uint32_t n;

	if (!share)
		return;
	n = __atomic_fetch_add(&share->n_children, 1, __ATOMIC_RELAXED);
	if (n >= IOT_FAULT_CHILDREN)
		return;
	share->child[n].process = iot_each.process;
	__atomic_store_n(&share->child[n].pid, iot_each.pid, __ATOMIC_RELEASE);
}

void iot_faults_moved(uintptr_t from, uintptr_t to, uint64_t size)
{
	struct iot_fault_move *m;
	uint64_t now;
	uint32_t n;

	if (!share)
		return;
	now = iot_clock_ns(CLOCK_MONOTONIC);
	n = __atomic_fetch_add(&share->n_moves, 1, __ATOMIC_RELAXED);
	m = &share->move[n % IOT_FAULT_MOVES];
	m->pid = iot_each.pid;
	m->time = now;
	m->from = from;
	m->to = to;
	m->size = size;
	__atomic_store_n(&m->number, n + 1, __ATOMIC_RELEASE);
}

/* Until the helper has stored all that has happened up to here. */
static void ask(void)
{
	uint32_t turn = __atomic_add_fetch(&share->asked, 1, __ATOMIC_ACQ_REL), done;

	/* one that nobody handles is ignored: no harm if the number is another process's now */
	iot_syscall(SYS_kill, (long)share->pid, (long)SIGURG);
	for (int i = 0; i < PATIENCE; i++) {
		done = __atomic_load_n(&share->done, __ATOMIC_ACQUIRE);
		if ((int32_t)(done - turn) >= 0)
			break;
		wait_while(&share->done, done);
	}
}

/* A file was mapped: the helper looks what of it is in the page cache before it is touched. */
void iot_faults_mapped(void)
{
	if (share && iot_config.cache && !iot_sys_ended(share->pid))
		ask();
}

/* The process is about to end, or to become another program: who reads the log then is to
   find all faults up to here. */
void iot_faults_finish(void)
{
	if (!share || iot_sys_ended(share->pid))
		return;
	if (iot_each.pid == share->of)
		__atomic_store_n(&share->ends, 1, __ATOMIC_RELAXED);
	ask();
}

#ifndef IOT_DYNAMIC
IOT_RUN_FIRST(iot_begin);
#endif
