/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pthread_create.c - threads: when they begin and end, where their stacks lie,
 * and which of them libc made for itself.
 */
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "arena.h"
#include "attach.h"
#include "sys.h"
#include "uring.h"
#include "wrap.h"
#include "desc_pthread_create.h"
#include "desc_thread_end.h"
#include "desc_thread_start.h"

#pragma GCC visibility push(hidden)
typedef int create_fn(void *, void *, void *, void *);
int iot_hand_pthread_create(create_fn *real, uint32_t internal, void *frame, void *thread,
			    void *attr, void *start, void *arg);
#ifdef IOT_DYNAMIC
/* fortran/redirect.c, if the program has it: threads of gfortran's runtime */
bool iot_f_creates(void *fn) __attribute__((weak));
void iot_f_runs(const char *unit) __attribute__((weak));
#endif
#pragma GCC visibility pop

/* No thread's is smaller unless its attributes say so. */
#ifdef IOT_MUSL
#define DEFAULT_STACK (128u << 10)
#else
#define DEFAULT_STACK (2u << 20)
#endif

struct start {
	void *(*fn)(void *);
	void *arg;
	uintptr_t stack_size;
	uint32_t flags;
	bool of_unit;			/* of Fortran: arg */
};

static struct iot_pool starts = { .size = sizeof(struct start) };

static void event(const struct iot_desc *desc, void *frame)
{
	struct iot_call c;

	if (iot_enter(&c, desc, 0, -1, frame))
		iot_leave(&c, 0, NULL);
}

static void ends(void *frame)
{
	event(&IOT_DESC_NAME(thread_end), *(void **)frame);
	if (iot_uring_thread_ends)
		iot_uring_thread_ends();
	iot_thread_gone();
}

#ifdef IOT_MUSL
/* Cancellation and pthread_exit call handlers and leave the stack as it is. */
static void *run(const struct start *s, void *frame)
{
	void *ret;

	pthread_cleanup_push(ends, &frame);
	ret = s->fn(s->arg);
	pthread_cleanup_pop(1);
	return ret;
}
#else
/* They unwind it. */
static void *run(const struct start *s, void *outer)
{
	void *frame __attribute__((cleanup(ends))) = outer;

	return s->fn(s->arg);
}
#endif

static void *iot_thread_main(void *p)
{
	struct start s = *(struct start *)p;
	void *frame = __builtin_frame_address(0);

	iot_pool_put(&starts, p);
	iot_stack_size = s.stack_size;
	iot_thread_flags = s.flags;
	event(&IOT_DESC_NAME(thread_start), frame);
#ifdef IOT_DYNAMIC
	if (s.of_unit)
		iot_f_runs(s.arg);
#endif
	return run(&s, frame);
}

/* At most what the thread's stack has. */
static uintptr_t stack_size(const pthread_attr_t *attr)
{
	struct rlimit rl = { 0 };
	/* C11's thrd_create passes -1 */
	size_t size = attr && attr != (void *)-1 ? iot_attr_stack_size(attr) : 0;

	if (size)
		return size;
	iot_syscall(SYS_prlimit64, 0L, (long)RLIMIT_STACK, (void *)NULL, &rl);
	return rl.rlim_cur < DEFAULT_STACK ? rl.rlim_cur : DEFAULT_STACK;
}

/* POSIX AIO's helpers are libc's own.  What they create in their turn is another helper, or runs
   the program's notification functions. */
static uint32_t helper(const struct iot_call *c, void *attr, void *start)
{
	static void *helpers;

	if (!c->internal || attr == (void *)-1)
		return 0;
	if (c->t->flags & IOT_BLOCK_HELPER)
		return start == __atomic_load_n(&helpers, __ATOMIC_RELAXED) ? IOT_BLOCK_HELPER : 0;
	if (!c->depth || c->t->aio_depth != c->depth)
		return 0;
	__atomic_store_n(&helpers, start, __ATOMIC_RELAXED);
	return IOT_BLOCK_HELPER;
}

int iot_hand_pthread_create(create_fn *real, uint32_t internal, void *frame, void *thread,
			    void *attr, void *start, void *arg)
{
	struct iot_call c IOT_CLEANUP;
	const uint64_t arr[] = { (uintptr_t)thread, (uintptr_t)attr, (uintptr_t)start, (uintptr_t)arg };
	bool recorded = iot_enter(&c, &IOT_DESC_NAME(pthread_create), internal, -1, frame);
	/* on record or not, the thread's end is to be noticed */
	struct start *s = recorded || iot_mine() ? iot_pool_get(&starts) : NULL;
	int ret;

	iot_has_threads |= !internal;
	iot_has_helpers |= internal;
	if (s) {
		*s = (struct start){ .fn = (void *(*)(void *))start, .arg = arg,
				     .stack_size = stack_size(attr) };
		if (recorded)
			s->flags = helper(&c, attr, start) | (c.own ? IOT_BLOCK_MPI : 0);
#ifdef IOT_DYNAMIC
		s->of_unit = iot_f_creates && iot_f_creates(start);
#endif
		ret = real(thread, attr, (void *)iot_thread_main, s);
		if (ret)
			iot_pool_put(&starts, s);
	} else {
		ret = real(thread, attr, start, arg);
	}
	if (recorded)
		iot_leave(&c, ret, arr);
	return ret;
}
