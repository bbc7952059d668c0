/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.c - which recorder a call belongs to: the thread's own, one for a
 * signal handler that interrupted the recorder, a vfork child's, or none.
 */
#include <elf.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "job-core.h"
#include "sys.h"

__thread struct iot_thread *iot_self;
uint32_t iot_families;
uint32_t iot_pauses;
uint32_t iot_generation;
bool iot_dispatching;
__thread uint32_t iot_thread_flags;

enum { UNSTARTED, STARTING, ON, OFF };
static int phase;
bool iot_log_given;
static int starter;			/* tid of the thread that is starting the log */
static int log_pid;			/* the process whose log it is */
static uint32_t n_streams;
struct iot_thread *iot_threads;
static __thread uint32_t fork_depth;	/* calls in progress in a thread that forks */

/* of a struct; ASKED: whoever wants it is asking whether its thread has ended */
enum { FREE, TAKEN, ENDED, ASKED };

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

/* Reads the settings and creates the log, once.  Whoever comes while another
   thread does so waits; a handler on that very thread does not. */
static bool start(void)
{
	int now = UNSTARTED, tid;
	uint64_t signals;

	if (iot_likely(__atomic_load_n(&phase, __ATOMIC_ACQUIRE) == ON))
		return true;
	if (phase == OFF)
		return false;
	tid = iot_sys_gettid();
	signals = iot_sys_block_signals();
	if (!__atomic_compare_exchange_n(&phase, &now, STARTING, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_ACQUIRE)) {
		iot_sys_restore_signals(signals);
		while ((now = __atomic_load_n(&phase, __ATOMIC_ACQUIRE)) == STARTING) {
			if (tid == __atomic_load_n(&starter, __ATOMIC_RELAXED))
				return false;
			iot_syscall(SYS_sched_yield);
		}
		return now == ON;
	}
	__atomic_store_n(&starter, tid, __ATOMIC_RELAXED);
	log_pid = iot_sys_getpid();
	now = OFF;
	if (!iot_auxv(AT_SECURE) && iot_config_read() && iot_log_start())
		now = ON;
	if (now == OFF)
		iot_families = 0;
	__atomic_store_n(&starter, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&phase, now, __ATOMIC_RELEASE);
	iot_sys_restore_signals(signals);
	if (now == ON && iot_config.syscalls)
		dispatch();
	return now == ON;
}

static bool has_ended(const struct iot_thread *t)
{
	return iot_syscall(SYS_tgkill, (long)log_pid, (long)t->tid, 0L) == -ESRCH;
}

bool iot_thread_free(const struct iot_thread *t)
{
	return t->in_use == FREE || (t->in_use == ENDED && has_ended(t));
}

/* Nobody else asks meanwhile: he could take it, and end, before we know. */
static bool take_over(struct iot_thread *t)
{
	uint32_t was = t->in_use;

	if ((was != FREE && was != ENDED) ||
	    !__atomic_compare_exchange_n(&t->in_use, &was, ASKED, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	if (was == ENDED && !has_ended(t)) {
		__atomic_store_n(&t->in_use, ENDED, __ATOMIC_RELEASE);
		return false;
	}
	t->in_use = TAKEN;
	return true;
}

/* A struct to use: that of a thread that is no more, or a new one.  (t/model/take.pml) */
static struct iot_thread *take(void)
{
	struct iot_thread *t;
	char *page;

	for (t = __atomic_load_n(&iot_threads, __ATOMIC_ACQUIRE); t; t = t->next)
		if (take_over(t)) {
			if (t->win)
				iot_window_flush(t);
			return t;
		}
	page = iot_map_wiped(IOT_THREAD_SIZE);
	if (!page)
		return NULL;
	t = (struct iot_thread *)(page + IOT_THREAD_COLOUR);
	t->in_use = TAKEN;
	t->next = __atomic_load_n(&iot_threads, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&iot_threads, &t->next, t, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return t;
}

static struct iot_thread *thread_new(uint32_t level, uint32_t flags)
{
	uint64_t signals = iot_sys_block_signals();
	struct iot_thread *t = take();
	int tid;

	if (!t)
		goto out;
	tid = iot_sys_gettid();
	if (tid < 0 || iot_sys_getpid() < 0) {
		t->state = IOT_DEAD;
		goto out;
	}
	t->level = level;
	t->flags = flags;
	t->dispatched = false;
	t->depth = t->outer = 0;
	t->thin = 0;
	t->nested = NULL;
	t->last_key = 0;
	t->last_stack = 0;
	t->tid = (uint32_t)tid;
	t->stream = __atomic_fetch_add(&n_streams, 1, __ATOMIC_RELAXED);
	t->stack_depth = iot_config.stack_depth;
	iot_stack_bounds(t);
	t->state = IOT_BUSY;
	if (!iot_window_open(t)) {
		t->state = IOT_DEAD;
		goto out;
	}
	if (t->stream == 0)
		iot_maps_define_first(t);
	iot_barrier();
	t->state = IOT_IDLE;
out:
	iot_sys_restore_signals(signals);
	return t;
}

/* From here on this process records nothing and counts what it does not. */
void iot_stop(uint64_t reason)
{
	phase = OFF;
	iot_lost(0, reason);
	for (struct iot_thread *t = iot_threads; t; t = t->next)
		__atomic_store_n(&t->state, IOT_DEAD, __ATOMIC_RELAXED);
}

/* Whose window the address lies in. */
struct iot_thread *iot_thread_with(uintptr_t at)
{
	struct iot_thread *t = __atomic_load_n(&iot_threads, __ATOMIC_ACQUIRE);

	while (t && at - (uintptr_t)t->win >= iot_window_size())
		t = t->next;
	return t;
}

static struct iot_thread *usable(struct iot_thread *t)
{
	if (t && t->state != IOT_DEAD)
		return t;
	iot_lost(1, 0);
	return NULL;
}

/* A handler interrupted the recorder on t: it gets a recorder of its own. */
static struct iot_thread *nested(struct iot_thread *t)
{
	uint32_t outer;

	while (t->state == IOT_BUSY) {
		if (!t->nested) {
			if (t->level + 1 >= IOT_MAX_LEVELS)
				return usable(NULL);
			t->nested = thread_new(t->level + 1, t->flags);
		}
		outer = iot_depth_of(t, t->depth);
		t = t->nested;
		if (!t)
			break;
		/* what it interrupted is around what it does */
		if (t->state == IOT_IDLE && t->depth == t->outer) {
			t->depth = t->outer = outer;
			t->thin = 0;
		}
	}
	return usable(t);
}

/*
 * The recorder of the calling thread when the quick look (iot_self, idle) did
 * not do: NULL if its calls are not recorded.
 */
struct iot_thread *iot_attach_slow(struct iot_thread *t)
{
	if (iot_unlikely(!iot_host_ready()))
		return NULL;
	if (t && t->state == IOT_NEW) {
		/* Zeroed memory: a forked child, maybe by a raw system call. */
		iot_fork_child(NULL);
		t = NULL;
	}
	if (t && t->state == IOT_MUTE)
		return NULL;
	if (t)
		return t->state == IOT_BUSY ? nested(t) : usable(t);
	if (!start()) {
		iot_lost(1, 0);
		return NULL;
	}
	t = thread_new(0, iot_thread_flags);
	if (!t)
		return usable(NULL);
	/* one that libc began for itself ends without telling us */
	if (!iot_stack_size && (int)t->tid != log_pid)
		t->in_use = ENDED;
	t->depth = t->outer = fork_depth;
	t->thin = 0;
	if (fork_depth && iot_regions_again && t->state == IOT_IDLE) {
		iot_busy(t);
		iot_regions_again(t);
		iot_idle(t);
	}
	fork_depth = 0;
	iot_barrier();
	iot_self = t;
	return usable(t);
}

/* Before the program makes its first call, if that may be a system call of its own. */
void iot_begin(void)
{
	/* while its memory is as the kernel left it */
	if (iot_host_ready())
		iot_auxv(AT_SECURE);
	if (!iot_self && iot_host_ready() && iot_getenv("IOTRACE_SYSCALLS"))
		iot_attach_slow(NULL);
}

/* Before a fork: what the child will need and can't find in wiped memory. */
void iot_fork_prepare(struct iot_fork *f)
{
	struct iot_thread *t = iot_self;

	fork_depth = t ? t->depth : 0;
	if (iot_regions_again)
		iot_regions_again(NULL);
	for (f->n = 0; t && t->win && f->n < IOT_MAX_LEVELS; t = t->nested)
		f->left[f->n++] = (struct iot_left){ t, t->win, t->data, t->cap };
}

/* After it, in the parent. */
void iot_fork_parent(void)
{
	fork_depth = 0;
	iot_fds_shared();
}

/*
 * A handler that forks may have interrupted the recorder, and in the child too
 * returns to it.  What it was storing is the parent's affair: memory that nobody
 * looks at takes the place of the parent's windows.
 */
static void give_dummies(const struct iot_fork *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct iot_left *was = &f->left[i];

		/* not wiped: the child is in our memory */
		if (was->t->win ||
		    IOT_FAILED(iot_sys_mmap(was->win, iot_window_size(), PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)))
			continue;
		was->t->data = was->data;
		was->t->cap = was->cap;
		was->t->win = was->win;
	}
}

/* There is no log, and nothing is known that one could refer to. */
void iot_thread_forget(void)
{
	iot_log_forget();
	iot_self = NULL;
	iot_threads = NULL;
	n_streams = 0;
	iot_generation++;
	iot_fds_forget();
	iot_paths_forget();
	iot_stacks_forget();
	iot_maps_forget();
	starter = 0;
	if (phase != OFF)
		phase = UNSTARTED;
}

/* In the child: nothing of the parent's log is ours.  The child's own is created
   when it makes its first call.  f: NULL if nobody saw the fork coming. */
void iot_fork_child(const struct iot_fork *f)
{
	if (f)
		give_dummies(f);
	/* not wiped: this has been done.  The pid alone would not tell: it may be the
	   same in a namespace of the child's own. */
	if (iot_threads && iot_threads->state != IOT_NEW && log_pid == iot_sys_getpid())
		return;
	iot_masked = 0;
	iot_thread_forget();
	if (iot_dispatching)
		iot_dispatch_thread();
}

/*
 * A child that runs in our memory while we wait (vfork, posix_spawn) records
 * with a recorder of its own.  Called in the parent before; returns what
 * iot_child_end needs.
 */
struct iot_thread *iot_child_begin(void)
{
	return iot_self;
}

/* In the child, on whatever stack it has. */
void iot_child_runs(void)
{
	if (iot_self && iot_self->state != IOT_NEW)
		iot_self = thread_new(0, IOT_BLOCK_VFORK);
	if (iot_dispatching)
		iot_dispatch_thread();
}

/* In the parent, once the child is gone from its memory. */
void iot_child_end(struct iot_thread *t)
{
	struct iot_thread *child = iot_self, *nested;

	if (child == t || !t)
		return;
	iot_self = t;
	for (; child; child = nested) {
		nested = child->nested;
		__atomic_store_n(&child->in_use, FREE, __ATOMIC_RELEASE);
	}
}

/* The thread's start routine is through; destructors may still do I/O. */
void iot_thread_gone(void)
{
	struct iot_thread *t = iot_self;

	for (; t && t->state != IOT_NEW; t = t->nested) {
		/* regions without an end */
		if (t->state == IOT_IDLE && t->depth > t->outer)
			iot_abandon(t, t->outer);
		/* as it is already for one that libc began; then others may be asking */
		if (t->in_use == TAKEN)
			t->in_use = ENDED;
	}
}

/* It makes no more calls, but for destructors of its data. */
bool iot_thread_over(const struct iot_thread *t)
{
	return t->in_use != TAKEN;
}
