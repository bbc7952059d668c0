/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.c - which recorder a call belongs to: the thread's own, one for a
 * signal handler that interrupted the recorder, a vfork child's, or none.
 */
#include <elf.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "abandon.h"
#include "conf.h"
#include "job-core.h"
#include "places.h"
#include "report.h"
#include "share.h"
#include "structs.h"
#include "sys.h"

enum { UNSTARTED, STARTING, ON, OFF };
static int phase;
static int starter;			/* tid of the thread that is starting the log */
static uint64_t *here;			/* in wiped memory: 1, unless a fork was not noticed yet */
static __thread uint32_t fork_depth;	/* calls in progress in a thread that forks */

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
	int now, tid;
	uint64_t signals;

	now = __atomic_load_n(&phase, __ATOMIC_ACQUIRE);
	if (iot_likely(now == ON || now == OFF))
		return now == ON;
	now = UNSTARTED;
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
	iot_each.pid = (uint32_t)iot_sys_getpid();
	/* before the first struct, in whose page a child stores anyway */
	if (!here)
		here = iot_structs_start();
	if (here)
		*here = 1;
	now = OFF;
	if (!iot_auxv(AT_SECURE) && iot_config_read() && here && iot_log_start())
		now = ON;
	if (now == ON && iot_config.stack_depth && iot_python_find)
		iot_python_find();
	if (now == OFF)
		iot_families = iot_whole = 0;
	__atomic_store_n(&starter, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&phase, now, __ATOMIC_RELEASE);
	iot_sys_restore_signals(signals);
	if (now == ON && iot_config.syscalls)
		dispatch();
	return now == ON;
}

/* The log learns who it is that records there now. */
static void introduce(struct iot_thread *t)
{
	uint64_t *p;

	if (__atomic_exchange_n(&iot_each.introduced, true, __ATOMIC_RELAXED))
		return;
	if (!iot_each.process) {
		iot_maps_define_first(t);
		return;
	}
	p = iot_define(t, IOT_DEF_PROCESS, 4);
	*p++ = iot_each.process;
	*p++ = iot_each.pid;
	*p++ = iot_each.parent;
	*p++ = t->base;
	iot_define_done(t, p);
}

/* Makes t, which is taken, the recorder of this thread: that of a process and with an id
   of its own. */
static void begin(struct iot_thread *t, uint32_t level, uint32_t flags, int pid, int tid)
{
	uint64_t signals = iot_sys_block_signals();

	if (pid < 0 || tid < 0) {
		t->state = IOT_DEAD;
		goto out;
	}
	t->level = level;
	t->flags = flags | iot_unshared;
	t->dispatched = t->left = t->returns = false;
	t->depth = t->outer = t->floor = t->vacant = 0;
	t->thin = 0;
	t->nested = NULL;
	iot_memos_forget(t);
	t->pid = (uint32_t)pid;
	t->tid = (uint32_t)tid;
	t->stream = __atomic_fetch_add(&iot_share->n_streams, 1, __ATOMIC_RELAXED);
	t->stack_depth = iot_config.stack_depth;
	iot_stack_bounds(t);
	t->state = IOT_BUSY;
	if (!iot_window_open(t)) {
		t->state = IOT_DEAD;
		goto out;
	}
	introduce(t);
	iot_usage_define(t);
	iot_barrier();
	t->state = IOT_IDLE;
out:
	iot_sys_restore_signals(signals);
}

static struct iot_thread *thread_new(uint32_t level, uint32_t flags)
{
	uint64_t signals = iot_sys_block_signals();
	struct iot_thread *t = iot_struct_take();

	if (t)
		begin(t, level, flags, iot_sys_getpid(), iot_sys_gettid());
	iot_sys_restore_signals(signals);
	return t;
}

/* From here on this process records nothing and counts what it does not. */
void iot_stop(uint64_t reason)
{
	__atomic_store_n(&phase, OFF, __ATOMIC_RELEASE);
	iot_lost(0, reason);
	for (uint32_t i = 0; i < iot_thread_count(); i++)
		if (iot_thread_at(i))
			__atomic_store_n(&iot_thread_at(i)->state, IOT_DEAD, __ATOMIC_RELAXED);
}

static struct iot_thread *usable(struct iot_thread *t)
{
	if (t)
		iot_window_unseal(t);
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
			/* nobody will say when that thread has ended */
			if (t->nested && t->in_use == IOT_STRUCT_ENDED)
				iot_struct_offer(t->nested, IOT_STRUCT_ENDED);
		}
		outer = iot_depth_of(t, t->depth);
		t = t->nested;
		if (!t)
			break;
		iot_window_unseal(t);
		/* what it interrupted is around what it does */
		if (t->state == IOT_IDLE && t->depth == t->outer) {
			t->depth = t->outer = outer;
			t->thin = 0;
		}
	}
	return usable(t);
}

/* t is the calling thread's from now on. */
static void attach(struct iot_thread *t)
{
	/* one that libc began for itself ends without telling us */
	if (!iot_stack_size && t->tid != iot_each.pid)
		iot_struct_offer(t, IOT_STRUCT_ENDED);
	t->depth = t->outer = fork_depth;
	t->thin = 0;
	if (fork_depth && iot_regions_again && t->state == IOT_IDLE) {
		iot_busy(t);
		iot_regions_again(t);
		iot_idle(t);
	}
	iot_set(fork_depth, 0);
	iot_barrier();
	iot_set(iot_self, t);
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
	if (t && t->state == IOT_MANY) {
		t = iot_task_self();
		if (!t)
			return usable(NULL);
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
	attach(t);
	return usable(t);
}

/* Before the program makes its first call, if that may be a system call of its own. */
void iot_begin(void)
{
	/* while its memory is as the kernel left it */
	if (iot_host_ready())
		iot_auxv(AT_SECURE);
	if (!iot_self && iot_host_ready() && iot_config_asks(IOT_SET_SYSCALLS))
		iot_attach_slow(NULL);
}

/* Before a fork: what the child will need and can't find in wiped memory. */
void iot_fork_prepare(struct iot_fork *f)
{
	struct iot_thread *t = iot_mine();

	const uint32_t depth = t && t->win ? iot_depth_of(t, t->depth) : t ? t->depth : 0;

	iot_set(fork_depth, depth);
	if (iot_regions_again)
		iot_regions_again(NULL);
	if (t) {
		f->number = t->number;
		f->stack_low = t->stack_low;
		f->stack_top = t->stack_top;
	}
	f->middle = false;
	for (f->n = 0; t && t->win && f->n < IOT_MAX_LEVELS; t = t->nested) {
		f->middle |= t->state == IOT_BUSY || iot_begun(t);
		f->left[f->n++] = (struct iot_left){ t, t->win, t->data, t->cap, t->size };
	}
	/* nobody is within the recorder, and it goes on with the first */
	if (f->n && f->left[0].t->state != IOT_IDLE)
		f->middle = true;
	if (f->n)
		iot_share_prepare();
}

/* After it, in the parent. */
void iot_fork_parent(void)
{
	iot_set(fork_depth, 0);
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
		    IOT_FAILED(iot_sys_mmap(was->win, was->size, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)))
			continue;
		iot_window_spoil(was->win);
		was->t->in_use = IOT_LEFT_BEHIND;
		was->t->data = was->data;
		was->t->cap = was->cap;
		was->t->size = was->size;
		was->t->win = was->win;
	}
}

/* There is no log, and nothing is known that one could refer to. */
void iot_thread_forget(void)
{
	iot_log_forget();
	iot_fds_forget();
	iot_paths_forget();
	iot_tree_forget();
	if (iot_python_forget)
		iot_python_forget();
	iot_maps_forget();
	iot_each.introduced = false;
	if (phase != OFF)
		phase = UNSTARTED;
}

/* No struct is anybody's. */
void iot_threads_renew(void)
{
	if (iot_tasks_forget)
		iot_tasks_forget();
	iot_each.n_structs = 0;
	iot_each.ended = (struct iot_queue){ 0 };
	iot_each.generation++;
	iot_set(starter, 0);
}

/* What other threads of the parent were changing stays as it is; what they held is
   free. */
static void go_on(void)
{
	iot_log_forked();
	iot_fds_forked();
	iot_paths_forked();
	iot_maps_forked();
	iot_each.introduced = false;
}

/*
 * In the child.  It goes on in its parent's log, and knows what that knows: but it has
 * streams of its own, in windows of its own.  Where it can't it begins a log when it
 * makes its first call.  f: NULL if nobody saw the fork coming.
 */
void iot_fork_child(const struct iot_fork *f)
{
	uint32_t pid = (uint32_t)iot_sys_getpid();
	bool goes_on = phase == ON;
	struct iot_thread *mine = goes_on && f && f->n && !f->middle ? f->left[0].t : NULL;
	uint64_t wiped = 0;

	if (phase == OFF && !iot_families && !iot_dispatching)
		return;
	/* Not wiped: this has been done.  The pid alone would not tell: it may be the same
	   in a namespace of the child's own.  It will be stored to: if it is only read,
	   the page is had in two steps. */
	if (here && !__atomic_compare_exchange_n(here, &wiped, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
	    iot_each.pid == pid)
		return;
	if (f && f->middle)
		give_dummies(f);
	iot_each.masked = 0;
	iot_each.parent = iot_each.process;
	iot_each.pid = pid;
	iot_set(iot_self, mine);
	iot_threads_renew();
	if (phase == STARTING)
		iot_thread_forget();
	if (goes_on && !iot_share_fork()) {
		if (f && !f->middle)
			give_dummies(f);
		iot_thread_forget();
		iot_self = mine = NULL;
		goes_on = false;
	}
	if (here)
		*here = 1;
	if (goes_on)
		go_on();
	if (mine) {
		mine->in_use = IOT_STRUCT_TAKEN;
		mine->number = f->number;
		mine->stack_low = f->stack_low;
		mine->stack_top = f->stack_top;
		begin(mine, 0, iot_thread_flags, (int)pid, (int)pid);
		attach(mine);
	}
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
	if (iot_self && iot_self->state == IOT_MANY)
		iot_task_begins(IOT_BLOCK_VFORK);
	else if (iot_self && iot_self->state != IOT_NEW)
		iot_self = thread_new(0, IOT_BLOCK_VFORK);
	if (iot_dispatching)
		iot_dispatch_thread();
}

/* In the parent, once the child is gone from its memory. */
void iot_child_end(struct iot_thread *t)
{
	struct iot_thread *child = iot_self;

	if (child == t || !t)
		return;
	iot_self = t;
	iot_thread_drop(child);
}

/* Of a task that is gone, or will make no more calls: anyone may take it. */
void iot_thread_drop(struct iot_thread *t)
{
	for (struct iot_thread *nested; t; t = nested) {
		nested = t->nested;
		iot_window_seal(t);
		iot_struct_offer(t, IOT_STRUCT_FREE);
	}
}

struct iot_thread *iot_thread_new(uint32_t level, uint32_t flags)
{
	return thread_new(level, flags);
}

/* The thread's start routine is through; destructors may still do I/O. */
void iot_thread_gone(void)
{
	struct iot_thread *t = iot_mine();

	for (; t && t->state != IOT_NEW; t = t->nested) {
		iot_window_unseal(t);
		/* regions without an end */
		if (t->state == IOT_IDLE && t->depth > t->outer)
			iot_abandon(t, t->outer);
		if (t->state == IOT_IDLE && t->in_use == IOT_STRUCT_TAKEN) {
			iot_busy(t);
			iot_usage_define(t);
			iot_idle(t);
			iot_window_seal(t);
		}
		/* as it is already for one that libc began; then others may be asking */
		if (t->in_use == IOT_STRUCT_TAKEN)
			iot_struct_offer(t, IOT_STRUCT_ENDED);
	}
}

/* It makes no more calls, but for destructors of its data. */
bool iot_thread_over(const struct iot_thread *t)
{
	return t->in_use != IOT_STRUCT_TAKEN;
}
