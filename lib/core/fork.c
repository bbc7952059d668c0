/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork.c - what the recorder does around a fork: before it, in the parent, and in the child,
 * which goes on in its parent's log, in windows of its own; and the children that run in
 * their parent's memory (vfork, posix_spawn).
 */
#include "fork.h"

#include "fetch.h"
#include "hooks.h"
#include "log-share.h"
#include "logfd.h"
#include "maps.h"
#include "paths.h"
#include "places.h"
#include "shared-tls.h"
#include "start.h"
#include "sys.h"
#include "thread-memory.h"
#include "thread.h"
#include "window-pool.h"
#include "window.h"

#include <linux/sched.h>
#include <string.h>
#include <sys/mman.h>

/* Before a fork: what the child will need and can't find in wiped memory. */
void iot_fork_prepare(struct iot_fork *f)
{
	struct iot_thread *t = iot_mine();

	const uint32_t depth = t && t->win ? iot_depth_of(t, t->depth) : t ? t->depth : 0;

	iot_set(iot_fork_depth, depth);
	if (iot_uring_forks)
		iot_uring_forks(t);
	if (iot_regions_again)
		iot_regions_again(NULL);
	if (t) {
		f->number = t->number;
		f->unshared = t->flags & IOT_BLOCK_OWN;
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
	f->ticks = f->n ? iot_ticks() : 0;
	if (f->n) {
		iot_window_finish(f->left[0].t);
		iot_windows_prepare();
	}
}

/* After it, in the parent. */
void iot_fork_parent(void)
{
	iot_set(iot_fork_depth, 0);
	iot_fds_shared();
	if (iot_uring_forked)
		iot_uring_forked(false);
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

/* No struct is anybody's. */
void iot_threads_renew(void)
{
	if (iot_tasks_forget && iot_each.tasks_share)
		iot_tasks_forget();
	iot_each.n_structs = 0;
	iot_each.ended = (struct iot_queue){ 0 };
	iot_each.generation++;
	iot_start_forked();
}

/* What other threads of the parent were changing stays as it is; what they held is
   free. */
static void go_on(void)
{
	iot_log_forked();
	iot_fds_forked();
	if (iot_uring_forked)
		iot_uring_forked(true);
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
	bool goes_on = iot_phase == IOT_ON;
	struct iot_thread *mine = goes_on && f && f->n && !f->middle ? f->left[0].t : NULL;
	uint64_t wiped = 0;

	if (iot_phase == IOT_OFF && !iot_families && !iot_dispatching)
		return;
	/* Not wiped: this has been done.  The pid alone would not tell: it may be the same
	   in a namespace of the child's own.  It will be stored to: if it is only read,
	   the page is had in two steps. */
	if (iot_here && !__atomic_compare_exchange_n(iot_here, &wiped, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
	    iot_each.pid == pid)
		return;
	iot_windows_forked();
	if (f && f->middle)
		give_dummies(f);
	iot_each.masked = 0;
	iot_each.parent = iot_each.process;
	iot_each.pid = pid;
	iot_each.forked = f ? f->ticks : 0;
	iot_set(iot_has_threads, false);
	iot_set(iot_has_helpers, false);
	iot_set(iot_self, mine);
	/* its other threads are gone; what is known is what this one shared with them */
	if (f && f->n)
		iot_set(iot_unshared, f->unshared);
	iot_threads_renew();
	if (iot_phase == IOT_STARTING)
		iot_thread_forget();
	if (goes_on && !iot_share_fork()) {
		if (f && !f->middle)
			give_dummies(f);
		iot_thread_forget();
		iot_self = mine = NULL;
		goes_on = false;
	}
	if (iot_here)
		*iot_here = 1;
	if (goes_on)
		go_on();
	if (goes_on && iot_faults_forked)
		iot_faults_forked();
	if (mine) {
		mine->in_use = IOT_STRUCT_TAKEN;
		mine->number = f->number;
		mine->stack_low = f->stack_low;
		mine->stack_top = f->stack_top;
		iot_thread_begin(mine, 0, iot_thread_flags, (int)pid, (int)pid, true);
		iot_thread_take(mine);
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
		iot_self = iot_thread_new(0, IOT_BLOCK_VFORK);
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

void iot_thread_begins(uint64_t flags)
{
	struct iot_thread *t = iot_mine();

	if ((flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM)
		iot_has_threads = true;
	/* a process in memory of its own that has our descriptors, or our working directory:
	   nobody tells us what it does to them, nor it what we do */
	if (!(flags & CLONE_VM) && flags & (CLONE_FS | CLONE_FILES)) {
		iot_unshared = IOT_BLOCK_OWN;
		if (t)
			t->flags |= IOT_BLOCK_OWN;
	}
	if (!(flags & CLONE_VM) && iot_uring_forks)
		iot_uring_forks(t);
}
