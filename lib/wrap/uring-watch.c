/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uring-watch.c - IOTRACE_WATCH_RINGS: a task of our own looks into the io_urings of the process
 * all the time.
 *
 * Where a thread of the kernel's takes requests (IORING_SETUP_SQPOLL) a program may make no call
 * for a long time, and all that it asks for passes unseen.  Of other rings the completions have a
 * time at which they were there, and not that at which the program came for them.
 *
 * What it records is in a stream of the thread that made the first ring, beside that of its calls.
 */
#include "uring.h"

#include "conf.h"
#include "hooks.h"
#include "own-task.h"
#include "report.h"
#include "sys.h"
#include "thread-memory.h"
#include "uring-ring.h"

#include <sys/prctl.h>
#include <time.h>

/* It rests as long as a small queue of requests is good for at two million a second, and longer
   after a while without news. */
#define FOR_A_REQUEST	500u		/* ns */
#define LEAST		10000u
#define MOST		100000u
#define A_WHILE		256u		/* looks */
#define LONGER		4u		/* times */
#define LIVES		64u		/* looks between two at whether the program lives */

enum { NOBODY, BEGINS, WATCHES, ENDS };
static uint32_t state;
static struct iot_own_task task;
static uint32_t in_name_of;		/* that thread */
static bool again;			/* it ended, since the program was about to */

struct look {
	struct iot_call c;
	uint32_t least;			/* entries of the smallest queue */
	uint32_t sum;			/* of places in queues: it changes with each request and completion */
};

static void look(struct iot_ring *r, void *with)
{
	struct look *l = with;

	if (r->flags & IOT_SETUP_SQPOLL)
		iot_uring_claim(&l->c, r, 0, NULL, NULL);
	iot_uring_collect(&l->c, r);
	l->sum += __atomic_load_n(&r->claimed, __ATOMIC_RELAXED) + __atomic_load_n(&r->seen, __ATOMIC_RELAXED);
	if (r->sq_entries < l->least)
		l->least = r->sq_entries;
}

static void rest(const struct look *l, uint32_t quiet)
{
	uint64_t ns = (uint64_t)l->least * FOR_A_REQUEST;

	ns = ns < LEAST ? LEAST : ns > MOST ? MOST : ns;
	iot_syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = (long)(quiet > A_WHILE ? ns * LONGER : ns) }, (void *)NULL);
}

static void watch(struct iot_thread *t)
{
	struct look l = { .c = { .t = t, .fd = -1 } };
	uint32_t was, quiet = 0;
	bool ends = false;

	for (uint32_t i = 1; !ends; i++) {
		/* what was there before it is told to end, or was left alone, is seen */
		ends = __atomic_load_n(&state, __ATOMIC_ACQUIRE) == ENDS || (i % LIVES == 0 && iot_own_task_is_alone(&task));
		was = l.sum;
		l.sum = 0;
		l.least = ~0u;
		iot_rings_each(look, &l);
		quiet = l.sum == was ? quiet + 1 : 0;
		if (!ends)
			rest(&l, quiet);
	}
}

static void run(void *arg)
{
	struct iot_thread *t = iot_struct_take();

	(void)arg;
	iot_syscall(SYS_prctl, (long)PR_SET_NAME, "iotrace-rings", 0L, 0L, 0L);
	iot_syscall(SYS_prctl, (long)PR_SET_TIMERSLACK, 1L, 0L, 0L, 0L);
	/* so that it keeps no file system busy */
	iot_syscall(SYS_chdir, "/");
	if (t)
		iot_thread_begin(t, 1, 0, (int)iot_each.pid, (int)in_name_of, false);
	if (t && t->state == IOT_IDLE) {
		t->stack_depth = 0;
		iot_self = t;
		watch(t);
	}
	if (t)
		iot_thread_drop(t);
	iot_own_task_ends();
}

void iot_uring_watch(const struct iot_thread *by)
{
	uint32_t is = NOBODY;
	long error;

	if (!iot_config.watch_rings ||
	    !__atomic_compare_exchange_n(&state, &is, BEGINS, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	in_name_of = by->tid;
	/* from now on nothing is done in the way of a process that is alone */
	iot_has_helpers = true;
	error = iot_own_task_begin(&task, run);
	if (error)
		iot_report_once("IOTRACE_WATCH_RINGS: no task that looks into io_urings can be begun",
				error == -ENOSYS ? " (the kernel has no kcmp, or forbids it)" : "",
				"; requests are seen where the program makes calls");
	__atomic_store_n(&state, error ? ENDS : WATCHES, __ATOMIC_RELEASE);
}

void iot_uring_unwatch(void)
{
	uint32_t is = WATCHES;

	if (!__atomic_compare_exchange_n(&state, &is, ENDS, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	iot_own_task_wait(&task);
	again = true;
	__atomic_store_n(&state, NOBODY, __ATOMIC_RELEASE);
}

void iot_uring_watch_again(const struct iot_thread *t)
{
	if (__atomic_exchange_n(&again, false, __ATOMIC_ACQ_REL))
		iot_uring_watch(t);
}

void iot_uring_unwatched(void)
{
	state = NOBODY;
	again = false;
}
