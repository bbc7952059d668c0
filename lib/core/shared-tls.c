/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared-tls.c - tasks that have their thread-local storage in common: the program made one
 * by clone(CLONE_VM) without CLONE_SETTLS.  iot_self is one variable to them.  It points
 * to something that is no recorder, but says so (IOT_MANY), and each is found by its tid.
 * Other threads don't pay for that.
 */
#include "shared-tls.h"

#include "arena.h"
#include "sys.h"
#include "thread.h"

#define MAX 1024u
#define TRY 8u			/* so many at a time are asked whether they are still there */

enum { FREE = 0, TAKEN = -1 };

static struct many {
	struct iot_thread stands;	/* state alone */
	uint32_t flags;			/* of the task to come */
	struct task {
		int tid;		/* FREE, or TAKEN before it is known */
		struct iot_thread *t;
	} tasks[MAX];
} *many;				/* wiped at a fork: state is IOT_NEW */

static struct task *find(int tid)
{
	for (struct task *i = many->tasks; i < many->tasks + MAX; i++)
		if (__atomic_load_n(&i->tid, __ATOMIC_ACQUIRE) == tid)
			return i;
	return NULL;
}

static void drop(struct task *i)
{
	iot_thread_drop(i->t);
	__atomic_store_n(&i->tid, FREE, __ATOMIC_RELEASE);
}

/* Those that ended without telling us, a few at a time. */
static void look_for_ended(void)
{
	static uint32_t latest;

	for (uint32_t n = 0; n < TRY; n++) {
		struct task *i = &many->tasks[__atomic_add_fetch(&latest, 1, __ATOMIC_RELAXED) % MAX];
		int tid = __atomic_load_n(&i->tid, __ATOMIC_ACQUIRE);

		if (tid <= FREE || iot_syscall(SYS_tkill, (long)tid, 0L) != -ESRCH)
			continue;
		if (__atomic_compare_exchange_n(&i->tid, &tid, TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			drop(i);
	}
}

/* t: the recorder that it has, or NULL for a new one. */
static struct iot_thread *add(int tid, struct iot_thread *t, uint32_t flags)
{
	look_for_ended();
	for (struct task *i = many->tasks; i < many->tasks + MAX; i++) {
		int was = FREE;

		if (!__atomic_compare_exchange_n(&i->tid, &was, TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		i->t = t ? t : iot_thread_new(0, flags);
		__atomic_store_n(&i->tid, i->t ? tid : FREE, __ATOMIC_RELEASE);
		return i->t;
	}
	return NULL;
}

/* The recorder of the task that we are: NULL if it can't have one. */
struct iot_thread *iot_task_self(void)
{
	int tid = iot_sys_gettid();
	struct task *i;

	if (tid < 0 || !many)
		return NULL;
	i = find(tid);
	return i ? i->t : add(tid, NULL, many->flags);
}

/* A new task, which may have the tid of one that ended. */
void iot_task_begins(uint32_t flags)
{
	int tid = iot_sys_gettid();
	struct task *i;

	if (tid < 0 || !many)
		return;
	i = find(tid);
	if (i)
		drop(i);
	add(tid, NULL, flags);
}

/* It will make no more calls. */
void iot_task_ends(void)
{
	struct task *i = many && iot_self == &many->stands ? find(iot_sys_gettid()) : NULL;

	if (i)
		drop(i);
}

void iot_tasks_forget(void)
{
	many = NULL;
	iot_each.tasks_share = false;
}

/* From now on tasks have this thread's thread-local storage in common, t's, which is its
   recorder; flags: of the task to come. */
void iot_tasks_begin(struct iot_thread *t, uint32_t flags)
{
	struct many *none = NULL, *m;

	if (!__atomic_load_n(&many, __ATOMIC_ACQUIRE)) {
		m = iot_map_wiped((sizeof(*m) + IOT_PAGE - 1) & -IOT_PAGE);
		if (!m)
			return;
		m->stands.state = IOT_MANY;
		/* of two that come at once one has its memory in vain */
		__atomic_compare_exchange_n(&many, &none, m, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	}
	many->flags = flags;
	if (t->state == IOT_MANY)
		return;
	if (add(iot_sys_gettid(), t, 0))
		iot_self = &many->stands;
}
