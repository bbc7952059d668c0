/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.c - a thread's recorder begins, with a window and a stream of its own, and ends.
 * Which one a call belongs to is attach.c's.
 */
#include "thread.h"

#include "conf.h"
#include "hooks.h"
#include "log-share.h"
#include "maps.h"
#include "sys.h"
#include "thread-memory.h"
#include "window.h"

__thread uint32_t iot_fork_depth;

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
	*p++ = iot_each.forked ? iot_each.forked : t->base;
	iot_define_done(t, p);
}

/* Makes t, which is taken, the recorder of this thread: that of a process and with an id
   of its own.  No handler comes.  fresh: the thread has just begun. */
static void begin(struct iot_thread *t, uint32_t level, uint32_t flags, int pid, int tid, bool fresh)
{
	if (pid < 0 || tid < 0) {
		t->state = IOT_DEAD;
		return;
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
		return;
	}
	introduce(t);
	iot_usage_begins(t, fresh);
	iot_barrier();
	t->state = IOT_IDLE;
}

/* The same, where one may. */
void iot_thread_begin(struct iot_thread *t, uint32_t level, uint32_t flags, int pid, int tid, bool fresh)
{
	uint64_t signals = iot_sys_block_signals();

	begin(t, level, flags, pid, tid, fresh);
	iot_sys_restore_signals(signals);
}

struct iot_thread *iot_thread_new(uint32_t level, uint32_t flags)
{
	uint64_t signals = iot_sys_block_signals();
	struct iot_thread *t = iot_struct_take();

	/* one that pthread_create began is of this process, and has done nothing yet */
	if (t)
		begin(t, level, flags, iot_stack_size ? (int)iot_each.pid : iot_sys_getpid(), iot_sys_gettid(),
		      iot_stack_size);
	iot_sys_restore_signals(signals);
	return t;
}

/* t is the calling thread's from now on. */
void iot_thread_take(struct iot_thread *t)
{
	/* one that libc began for itself ends without telling us */
	if (!iot_stack_size && t->tid != iot_each.pid)
		iot_struct_offer(t, IOT_STRUCT_ENDED);
	t->depth = t->outer = iot_fork_depth;
	t->thin = 0;
	if (iot_fork_depth && iot_regions_again && t->state == IOT_IDLE) {
		iot_busy(t);
		iot_regions_again(t);
		iot_idle(t);
	}
	iot_set(iot_fork_depth, 0);
	iot_barrier();
	iot_set(iot_self, t);
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

/* It makes no more calls, but for destructors of its data. */
bool iot_thread_over(const struct iot_thread *t)
{
	return t->in_use != IOT_STRUCT_TAKEN;
}
