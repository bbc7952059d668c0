/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stranger.c - threads that the program has made by clone alone, without libc's
 * thread-local storage: with another thread's, or something else in its place.
 * Ours lies there too.  So they have a block of it from us, which takes the place
 * of the program's while our handler runs, and are known by their tid.
 *
 * What runs before iot_stranger_enter must not touch thread-local storage.
 */
#include <string.h>
#include <sys/syscall.h>

#include "attach.h"
#include "dispatch.h"
#include "own-task.h"
#include "shared-tls.h"
#include "thread.h"

#define MAX 256

static struct iot_stranger {
	uint64_t thread;	/* its tid; FREE, or NEW until it runs */
	struct iot_tls_block tls;
	uintptr_t own;		/* what the program has there */
} strangers[MAX];
enum { FREE = 0, NEW = -1 };
static uint32_t n_strangers;

static struct iot_stranger *find(uint64_t thread)
{
	for (struct iot_stranger *s = strangers; s < strangers + MAX; s++)
		if (__atomic_load_n(&s->thread, __ATOMIC_ACQUIRE) == thread)
			return s;
	return NULL;
}

/* Before the clone.  NULL: there is no room for another one. */
struct iot_stranger *iot_stranger_new(void)
{
	for (struct iot_stranger *s = strangers; s < strangers + MAX; s++) {
		uint64_t was = FREE;

		if (!__atomic_compare_exchange_n(&s->thread, &was, (uint64_t)NEW, false, __ATOMIC_ACQUIRE,
						 __ATOMIC_RELAXED))
			continue;
		if (iot_tls_block(&s->tls)) {
			__atomic_add_fetch(&n_strangers, 1, __ATOMIC_RELEASE);
			return s;
		}
		s->thread = FREE;
		break;
	}
	return NULL;
}

static void drop(struct iot_stranger *s)
{
	__atomic_sub_fetch(&n_strangers, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&s->thread, (uint64_t)FREE, __ATOMIC_RELEASE);
}

/* It was not made after all. */
void iot_stranger_failed(struct iot_stranger *s)
{
	if (s)
		drop(s);
}

/* At the beginning of our handler; made: this thread, when it comes here first. */
struct iot_stranger *iot_stranger_enter(struct iot_stranger *made)
{
	struct iot_stranger *s = made;
	struct iot_thread *t;
	uintptr_t tp;

	if (made)
		__atomic_store_n(&made->thread, (uint64_t)iot_sys_gettid(), __ATOMIC_RELEASE);
	else
		s = iot_stranger_self();
	if (!s)
		return NULL;
	tp = iot_machine_tp();
	if (tp == s->tls.tp)
		return NULL;	/* a handler that has interrupted ours */
	s->own = tp;
	iot_machine_set_tp(s->tls.tp);
	/* what its wrappers find by its parent's */
	t = iot_task_self();
	if (t)
		iot_self = t;
	return s;
}

/* At its end. */
void iot_stranger_leave(struct iot_stranger *s)
{
	iot_machine_set_tp(s->own);
}

/* This thread, if it is one. */
struct iot_stranger *iot_stranger_self(void)
{
	return __atomic_load_n(&n_strangers, __ATOMIC_ACQUIRE) ? find((uint64_t)iot_sys_gettid()) : NULL;
}

/* In a copy of the process: all others are gone. */
void iot_stranger_forked(struct iot_stranger *s)
{
	for (struct iot_stranger *i = strangers; i < strangers + MAX; i++)
		if (i->thread != FREE && i != s)
			drop(i);
	if (s)
		s->thread = (uint64_t)iot_sys_gettid();
}

/* Its last call: exit. */
void iot_stranger_ends(void)
{
	struct iot_stranger *s = iot_stranger_self();

	if (!s)
		return;
	iot_thread_gone();
	iot_task_ends();
	iot_machine_set_tp(s->own);
	drop(s);
}

/* A call about the thread pointer is about what the program has. */
bool iot_stranger_call(struct iot_request *r)
{
	struct iot_stranger *s = iot_stranger_self();

	if (!s || !iot_machine_tp_call(r->number, r->a, &s->own))
		return false;
	iot_machine_return(r->context, 0);
	return true;
}
