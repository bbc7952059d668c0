/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pthread_create.c - threads: when they begin and end, where their stacks lie,
 * and which of them libc made for itself.
 */
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sys.h"
#include "wrap.h"
#include "desc_pthread_create.h"
#include "desc_thread_end.h"
#include "desc_thread_start.h"

#pragma GCC visibility push(hidden)
typedef int create_fn(void *, void *, void *, void *);
int iot_hand_pthread_create(create_fn *real, uint32_t internal, void *frame, void *thread,
			    void *attr, void *start, void *arg);
#pragma GCC visibility pop

#define DEFAULT_STACK (2u << 20)	/* no thread's is smaller unless its attributes say so */

struct start {
	void *(*fn)(void *);
	void *arg;
	uintptr_t stack_size;
	uint32_t flags;
	struct start *next;
};

static struct start *free_starts;

static void give_back(struct start *first, struct start *last)
{
	last->next = __atomic_load_n(&free_starts, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&free_starts, &last->next, first, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* Whoever takes one takes all and gives back the rest: no stale head is compared. */
static struct start *take(void)
{
	struct start *s = __atomic_exchange_n(&free_starts, NULL, __ATOMIC_ACQUIRE), *last;

	if (!s) {
		const uint32_t n = 4096 / sizeof(*s);

		s = iot_map(4096);
		if (!s)
			return NULL;
		for (uint32_t i = 0; i + 1 < n; i++)
			s[i].next = &s[i + 1];
	}
	if (s->next) {
		for (last = s->next; last->next; last = last->next)
			;
		give_back(s->next, last);
	}
	return s;
}

static void event(const struct iot_desc *desc, void *frame)
{
	struct iot_call c;

	if (iot_enter(&c, desc, 0, -1, frame))
		iot_leave(&c, 0, NULL);
}

static void ends(void *frame)
{
	event(&IOT_DESC_NAME(thread_end), *(void **)frame);
	iot_thread_gone();
}

static void *iot_thread_main(void *p)
{
	struct start s = *(struct start *)p;
	void *frame __attribute__((cleanup(ends))) = __builtin_frame_address(0);

	give_back(p, p);
	iot_stack_size = s.stack_size;
	iot_thread_flags = s.flags;
	event(&IOT_DESC_NAME(thread_start), frame);
	return s.fn(s.arg);
}

/* At most what the thread's stack has. */
static uintptr_t stack_size(const pthread_attr_t *attr)
{
	struct rlimit rl = { 0 };
	size_t size = 0;

	/* C11's thrd_create passes -1 */
	if (attr && attr != (void *)-1 && !pthread_attr_getstacksize(attr, &size) && size)
		return size;
	iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_STACK, (void *)NULL, &rl);
	return rl.rlim_cur < DEFAULT_STACK ? rl.rlim_cur : DEFAULT_STACK;
}

/* POSIX AIO's helpers are libc's own; what they create in their turn runs the
   program's notification functions. */
static uint32_t helper(const struct iot_thread *t, uint32_t internal, void *attr)
{
	if (!internal || attr == (void *)-1 || !t || t->flags & IOT_BLOCK_HELPER)
		return 0;
	return t->depth && t->aio_depth == t->depth ? IOT_BLOCK_HELPER : 0;
}

int iot_hand_pthread_create(create_fn *real, uint32_t internal, void *frame, void *thread,
			    void *attr, void *start, void *arg)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arr[] = { (uintptr_t)thread, (uintptr_t)attr, (uintptr_t)start, (uintptr_t)arg };
	uint32_t flags = helper(iot_self, internal, attr);
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(pthread_create), internal, -1, frame);
	struct start *s = recorded ? take() : NULL;
	int ret;

	if (s) {
		*s = (struct start){ .fn = (void *(*)(void *))start, .arg = arg, .flags = flags,
				     .stack_size = stack_size(attr) };
		ret = real(thread, attr, (void *)iot_thread_main, s);
		if (ret)
			give_back(s, s);
	} else {
		ret = real(thread, attr, start, arg);
	}
	if (recorded)
		iot_leave(&c, ret, arr);
	return ret;
}
