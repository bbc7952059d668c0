/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * attach.c - which recorder a call belongs to: the thread's own, one for a
 * signal handler that interrupted the recorder, a vfork child's, or none.
 */
#include "attach.h"

#include "auxv.h"
#include "conf.h"
#include "fork.h"
#include "hooks.h"
#include "host.h"
#include "lost.h"
#include "places.h"
#include "shared-tls.h"
#include "start.h"
#include "thread-memory.h"
#include "thread.h"
#include "window.h"

#include <elf.h>

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
			t->nested = iot_thread_new(t->level + 1, t->flags);
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
	if (!iot_start()) {
		iot_lost(1, 0);
		return NULL;
	}
	t = iot_thread_new(0, iot_thread_flags);
	if (!t)
		return usable(NULL);
	iot_thread_take(t);
	return usable(t);
}

/* Before the program makes its first call, if that may be a system call of its own. */
void iot_begin(void)
{
	/* while its memory is as the kernel left it */
	if (iot_host_ready())
		iot_auxv(AT_SECURE);
	if (!iot_self && iot_host_ready() &&
	    (iot_config_asks(IOT_SET_SYSCALLS, true) || (iot_faults_start && iot_config_asks(IOT_SET_FAULTS, true))))
		iot_attach_slow(NULL);
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
	if (iot_regions_gone)
		iot_regions_gone();
	if (iot_f_thread_gone)
		iot_f_thread_gone();
}
