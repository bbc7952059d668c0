/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * helper.c - the process that stores page faults: begun by faults.c before the program runs, it
 * ends when the program and all its forked children have ended.
 *
 * It keeps nothing of the program's that somebody may wait for: no descriptors, which are
 * the ends of pipes, no working directory, no terminal's signals.
 */
#include "faults.h"

#include "conf.h"
#include "each-process.h"
#include "fds.h"
#include "fetch.h"
#include "fork.h"
#include "hooks.h"
#include "logfd.h"
#include "lost.h"
#include "maps.h"
#include "paths.h"
#include "start.h"
#include "state.h"
#include "sys.h"
#include "thread.h"
#include "vdso-clock.h"

#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define AT_LEAST 50			/* ms: so often it looks, if nothing wakes it */
/* A record is stored a moment after the time that it tells: what is younger waits, since another
   processor's may be older. */
#define SETTLED 1000000ULL		/* ns */

static struct iot_faults *share;

static void on_signal(int sig)
{
	(void)sig;
}

/* The kernel's struct sigaction. */
struct action {
	void (*handler)(int);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

static void detach(void)
{
	const struct action wake = { .handler = on_signal, .flags = 0x04000000 /* SA_RESTORER */, .restorer = iot_sigreturn };
	const uint64_t all = ~IOT_SIGNAL(SIGBUS), none = 0;
	const int keep = iot_log_fd();

	iot_syscall(SYS_rt_sigaction, (long)SIGURG, &wake, (void *)NULL, sizeof(none));
	iot_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, (void *)NULL, sizeof(all));
	iot_syscall(SYS_prctl, (long)PR_SET_NAME, "iotrace-faults", 0L, 0L, 0L);
	iot_syscall(SYS_chdir, "/");
	if (keep > 0)
		iot_syscall(SYS_close_range, 0L, (long)keep - 1, 0L);
	iot_syscall(SYS_close_range, (long)keep + 1, (long)INT32_MAX, 0L);
}

/* As in a forked child that goes on in the log, but with no number of its own: it stores in
   the name of others. */
static void become_helper(void)
{
	iot_each.pid = (uint32_t)iot_sys_getpid();
	iot_each.masked = 0;
	iot_set(iot_has_threads, false);
	iot_set(iot_has_helpers, false);
	iot_set(iot_self, NULL);
	iot_threads_renew();
	if (iot_here)
		*iot_here = 1;
	iot_log_forked();
	iot_fds_forked();
	iot_paths_forked();
	iot_maps_forked();
	iot_each.introduced = true;
}

static void do_fault(const struct iot_fault_event *e)
{
	const struct iot_area *a = iot_area_at(e->pid, e->at);

	if (!a || !a->file || a->file->skip)
		return;
	iot_pages_touch(a, e);
	iot_fault_store(share, e, a);
}

/* At files that are mapped, and were not looked at yet. */
static void look_at_all(void)
{
	struct iot_fault_file *f;

	for (uint32_t i = 0; (f = iot_fault_file(i)); i++)
		iot_pages_look(f);
}

static void do_event(const struct iot_fault_event *e)
{
	struct iot_fault_file *f;

	switch (e->what) {
	case IOT_FAULT:
		if (e->pid != iot_each.pid)
			do_fault(e);
		break;
	case IOT_FAULT_MAP:
		f = iot_areas_add(e);
		if (f)
			iot_pages_look(f);
		break;
	case IOT_FAULT_FORK:
		if (e->pid != e->ppid)
			iot_areas_fork(e->ppid, e->pid);
		break;
	case IOT_FAULT_EXIT:
		iot_fault_ended(e->tid);
		if (e->tid == e->pid)
			iot_areas_drop(e->pid);
		break;
	case IOT_FAULT_NOTHING:
		break;
	}
}

/* What was moved before that time. */
static void do_moves(uint64_t before)
{
	static uint32_t done;
	const uint32_t n = __atomic_load_n(&share->n_moves, __ATOMIC_RELAXED);

	/* more than there is room for: as it is now is the best guess */
	if (n - done > IOT_FAULT_MOVES) {
		iot_areas_again();
		look_at_all();
		done = n;
	}
	for (; done != n; done++) {
		const struct iot_fault_move *m = &share->move[done % IOT_FAULT_MOVES];

		if (__atomic_load_n(&m->number, __ATOMIC_ACQUIRE) != done + 1 || m->time >= before)
			return;
		iot_areas_move(m->pid, m->from, m->to, m->size);
	}
}

/* All that happened before that time. */
static void store_until(uint64_t before)
{
	static struct iot_fault_event e;

	iot_fault_clock();
	while (iot_rings_next(&e, before)) {
		do_moves(e.time);
		do_event(&e);
	}
}

/* The same, and what did not come is lost: the rings were full. */
static void store_all(void)
{
	static uint64_t lost;
	const uint64_t counted = iot_rings_count();
	uint64_t come;

	store_until(iot_clock_ns(CLOCK_MONOTONIC));
	come = iot_rings_seen() + lost;
	if (counted <= come)
		return;
	lost += counted - come;
	iot_lost((uint32_t)(counted - come), IOT_LOST_FAULTS);
}

static void wake(uint32_t *word)
{
	iot_syscall(SYS_futex, word, (long)FUTEX_WAKE, (long)INT32_MAX, (void *)NULL, (void *)NULL, 0L);
}

static void ready(enum iot_faults_ready is)
{
	__atomic_store_n(&share->ready, is, __ATOMIC_RELEASE);
	wake(&share->ready);
}

void iot_faults_help(struct iot_faults *with)
{
	bool on = true;

	share = with;
	share->pid = (uint32_t)iot_sys_getpid();
	become_helper();
	detach();
	iot_fault_clock();
	iot_areas_read(share->of);
	look_at_all();
	iot_before_read(share);
	share->error = iot_rings_open(share->of, iot_config.stack_depth, iot_fault_stack_size(), &share->in_ring);
	if (!share->error)
		iot_fault_store_pages(share, iot_pages_tell_before);
	ready(share->error ? IOT_FAULTS_OFF : IOT_FAULTS_ON);
	while (!share->error && on) {
		uint32_t asked, done = __atomic_load_n(&share->done, __ATOMIC_RELAXED);

		on = iot_rings_wait(AT_LEAST);
		asked = __atomic_load_n(&share->asked, __ATOMIC_ACQUIRE);
		/* who asks waits: nothing of its own is on its way */
		if (asked != done || !on) {
			store_all();
			if (!on || __atomic_exchange_n(&share->ends, 0, __ATOMIC_RELAXED))
				iot_fault_store_pages(share, iot_pages_tell);
		} else {
			store_until(iot_clock_ns(CLOCK_MONOTONIC) - SETTLED);
		}
		if (asked != done) {
			__atomic_store_n(&share->done, asked, __ATOMIC_RELEASE);
			wake(&share->done);
		}
	}
	iot_fault_all_ended();
	for (;;)
		iot_syscall(SYS_exit_group, 0L);
}
