/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.c - recording begins in a process: the settings are read and the log is created,
 * once, when the first call comes.  And it stops, or begins anew in a process that has no
 * part in the log any more.
 */
#include "start.h"

#include "auxv.h"
#include "conf.h"
#include "hooks.h"
#include "log.h"
#include "lost.h"
#include "maps.h"
#include "opened.h"
#include "paths.h"
#include "python-frames.h"
#include "report.h"
#include "sigbus.h"
#include "stack-tree.h"
#include "sys.h"
#include "thread-memory.h"
#include "thread.h"

#include <elf.h>

int iot_phase;
uint64_t *iot_here;
static int starter;			/* tid of the thread that is starting the log */

/* From now on the kernel tells us of every system call.  Forked children have that
   too, or not, and are not told again. */
static void dispatch(void)
{
	static bool tried;

	if (tried)
		return;
	tried = true;
	if (iot_dispatch_start)
		iot_dispatch_start();
	else
		iot_report("IOTRACE_SYSCALLS: this executable has not been linked for it",
			   " (iocc --iotrace-syscalls)", "; the setting is ignored");
}

/* A process begins that records page faults; not for each forked child. */
static void follow_faults(void)
{
	static bool tried;

	if (tried)
		return;
	tried = true;
	if (iot_faults_start)
		iot_faults_start();
	else
		iot_report("IOTRACE_FAULTS: this executable has not been linked for it",
			   " (iocc --iotrace-faults)", "; the setting is ignored");
}

/* Reads the settings and creates the log, once.  Whoever comes while another
   thread does so waits; a handler on that very thread does not. */
bool iot_start(void)
{
	int now, tid;
	uint64_t signals;

	now = __atomic_load_n(&iot_phase, __ATOMIC_ACQUIRE);
	if (iot_likely(now == IOT_ON || now == IOT_OFF))
		return now == IOT_ON;
	now = IOT_UNSTARTED;
	tid = iot_sys_gettid();
	signals = iot_sys_block_signals();
	if (!__atomic_compare_exchange_n(&iot_phase, &now, IOT_STARTING, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_ACQUIRE)) {
		iot_sys_restore_signals(signals);
		while ((now = __atomic_load_n(&iot_phase, __ATOMIC_ACQUIRE)) == IOT_STARTING) {
			if (tid == __atomic_load_n(&starter, __ATOMIC_RELAXED))
				return false;
			iot_syscall(SYS_sched_yield);
		}
		return now == IOT_ON;
	}
	__atomic_store_n(&starter, tid, __ATOMIC_RELAXED);
	iot_each.pid = (uint32_t)iot_sys_getpid();
	/* before the first struct, in whose page a child stores anyway */
	if (!iot_here)
		iot_here = iot_structs_start();
	if (iot_here)
		*iot_here = 1;
	now = IOT_OFF;
	if (!iot_auxv(AT_SECURE) && iot_config_read() && iot_here && iot_log_start()) {
		iot_bus_start();
		iot_maps_constants();
		now = IOT_ON;
	}
	if (now == IOT_ON && iot_config.stack_depth && iot_python_find)
		iot_python_find();
	if (now == IOT_OFF)
		iot_families = iot_whole = 0;
	__atomic_store_n(&starter, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&iot_phase, now, __ATOMIC_RELEASE);
	iot_sys_restore_signals(signals);
	if (now == IOT_ON && iot_config.faults)
		follow_faults();
	if (now == IOT_ON && iot_config.syscalls)
		dispatch();
	return now == IOT_ON;
}

/* From here on this process records nothing and counts what it does not. */
void iot_stop(uint64_t reason)
{
	__atomic_store_n(&iot_phase, IOT_OFF, __ATOMIC_RELEASE);
	iot_lost(0, reason);
	for (uint32_t i = 0; i < iot_thread_count(); i++)
		if (iot_thread_at(i))
			__atomic_store_n(&iot_thread_at(i)->state, IOT_DEAD, __ATOMIC_RELAXED);
}

/* There is no log, and nothing is known that one could refer to. */
void iot_thread_forget(void)
{
	iot_log_forget();
	iot_fds_forget();
	iot_opened_forget();
	iot_paths_forget();
	iot_tree_forget();
	if (iot_python_forget)
		iot_python_forget();
	iot_maps_forget();
	iot_each.introduced = false;
	if (iot_phase != IOT_OFF)
		iot_phase = IOT_UNSTARTED;
}

/* In a forked child, which may have been made while another thread was starting the log. */
IOT_EACH void iot_start_forked(void)
{
	iot_set(starter, 0);
}
