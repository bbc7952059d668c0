/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * altstack.c - small alternate stacks.  The kernel puts the frame of our SIGSYS upon
 * that of the program's handler, and a handler that interrupts ours upon both: three
 * times 3.5 KB where the processor has AVX-512.  A stack of the customary 8 KiB has
 * room for one.  In place of a small stack the kernel is given a larger one of ours, and the
 * program is told of its own.  A thread has the same of ours for the same of the program's.  Two
 * threads may have one stack of the program's, if their handlers never run at once; but our
 * SIGSYS comes there with every system call: they have one of ours each.
 *
 * What differs: its handlers' variables do not lie in the memory that it provided.
 * Programs that look at that, as Go's runtime does, have stacks that are large enough
 * and are left alone, unless two threads have one.
 *
 * A thread whose own stack is small, and which has no alternate stack, gets one that it
 * does not know of, and so does a thread while it waits for its vfork child.  Such a
 * stack disarms itself: a handler of the program's that interrupts ours is there too, and
 * may be left by swapcontext, to go on later.  What comes meanwhile goes elsewhere.
 */
#include <string.h>
#include <sys/syscall.h>

#include "arena.h"
#include "auxv.h"
#include "dispatch.h"

#define N_STACKS  1024u		/* a power of 2 */
#define PROBES	  16u
#define LARGE	  (24u << 10)	/* has room for us */
#define SIZE	  (160u << 10)	/* of ours */
enum { FREE = 0, NEW = -1 };	/* no thread's; one's that does not run yet */
#define MINIMUM	  51		/* AT_MINSIGSTKSZ: one frame, as older headers do not know it */
#define FRAME	  2048u		/* what the kernel takes, unless it is strict */
#define DISARMS	  (1U << 31)	/* SS_AUTODISARM */

/* These tables take 72 KiB, which few programs need: each is had when it is. */
static struct stack {
	uintptr_t theirs, ours;		/* 0: free; not mapped yet */
	size_t size;
	uint64_t thread;		/* its tid; FREE: nobody's yet */
} *stacks;

/* Which large stack a thread has, and no other thread is to have. */
#define N_LARGE 1024u
static struct large {
	uint64_t thread;		/* its tid, or FREE */
	uintptr_t base;
	size_t size;			/* 0: none */
} *large;
static __thread struct large *my_large;

#define N_OWN	  1024u
#define SMALL	  (64u << 10)	/* a thread's stack */

static struct iot_altstack {
	uint64_t thread;		/* its tid; FREE, or NEW until it runs */
	uintptr_t base;
} *own;
static __thread struct iot_altstack *mine;
static __thread bool left;		/* a handler has jumped from mine: it is free again */

/* Whether it is the thread's from now on, as it was or since its thread has ended. */
static bool claim(struct stack *s, uint64_t tid)
{
	uint64_t was = __atomic_load_n(&s->thread, __ATOMIC_RELAXED);

	return was == tid ||
	       ((was == (uint64_t)FREE || iot_sys_thread_ended(iot_each.pid, (uint32_t)was)) &&
		__atomic_compare_exchange_n(&s->thread, &was, tid, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
}

/* The calling thread's for it, or NULL. */
static struct stack *find(uintptr_t theirs)
{
	struct stack *all = iot_map_once(&stacks, N_STACKS * sizeof(*stacks));
	uint32_t at = (uint32_t)(theirs * 0x9e3779b97f4a7c15ULL >> 32);
	uint64_t tid = (uint64_t)iot_sys_gettid();

	for (uint32_t i = 0; all && i < PROBES; i++) {
		struct stack *s = &all[(at + i) % N_STACKS];
		uintptr_t was = 0;

		if (__atomic_load_n(&s->theirs, __ATOMIC_RELAXED) != theirs &&
		    !__atomic_compare_exchange_n(&s->theirs, &was, theirs, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
		    was != theirs)
			continue;
		if (claim(s, tid))
			return s;
	}
	return NULL;
}

/* Ours for it, or NULL. */
static struct stack *get(uintptr_t theirs, size_t size)
{
	struct stack *s = find(theirs);
	uintptr_t none = 0, ours;

	if (!s)
		return NULL;
	__atomic_store_n(&s->size, size, __ATOMIC_RELAXED);
	if (__atomic_load_n(&s->ours, __ATOMIC_ACQUIRE))
		return s;
	ours = (uintptr_t)iot_map(SIZE);
	if (!ours)
		return NULL;
	if (!__atomic_compare_exchange_n(&s->ours, &none, ours, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		iot_unmap((void *)ours, SIZE);
	return s;
}

/* A place for the calling thread's, or NULL. */
static struct large *place(void)
{
	struct large *all = iot_map_once(&large, N_LARGE * sizeof(*large));
	uint64_t tid = (uint64_t)iot_sys_gettid();

	for (uint32_t i = 0; all && !my_large && i < PROBES; i++) {
		struct large *l = &all[(tid + i) % N_LARGE];
		uint64_t was = __atomic_load_n(&l->thread, __ATOMIC_RELAXED);

		if ((was == (uint64_t)FREE || iot_sys_thread_ended(iot_each.pid, (uint32_t)was)) &&
		    __atomic_compare_exchange_n(&l->thread, &was, tid, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			my_large = l;
	}
	return my_large;
}

/* The calling thread has this one from now on; size 0: none that is large. */
static void has_large(uintptr_t base, size_t size)
{
	struct large *l = size ? place() : my_large;

	if (!l)
		return;
	__atomic_store_n(&l->size, 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(&l->base, base, __ATOMIC_SEQ_CST);
	__atomic_store_n(&l->size, size, __ATOMIC_SEQ_CST);
}

/* Whether a part of the calling thread's is another thread's, too.  Of two that ask at once
   one sees the other at least, since each has said before what it has. */
static bool is_shared(void)
{
	const struct large *all = __atomic_load_n(&large, __ATOMIC_ACQUIRE);

	for (const struct large *l = all; my_large && l < all + N_LARGE; l++) {
		size_t size = __atomic_load_n(&l->size, __ATOMIC_SEQ_CST);
		uintptr_t base = __atomic_load_n(&l->base, __ATOMIC_SEQ_CST);

		if (l != my_large && size && base + size - 1 - my_large->base < my_large->size + size - 1 &&
		    !iot_sys_thread_ended(iot_each.pid, (uint32_t)__atomic_load_n(&l->thread, __ATOMIC_RELAXED)))
			return true;
	}
	return false;
}

/* A strict kernel refuses what has no room for the largest frame that the processor can
   need (with AMX); others take it.  It is asked. */
static bool is_refused(const stack_t *set)
{
	stack_t was;
	long ret = iot_syscall(SYS_sigaltstack, set, &was);

	/* our return would not do this for a thread that had none */
	if (!ret)
		iot_syscall(SYS_sigaltstack, &was, (void *)NULL);
	return ret == -ENOMEM;
}

static bool is_on(const struct iot_altstack *s, uintptr_t sp)
{
	return s && sp - s->base < SIZE;
}

static stack_t hidden(const struct iot_altstack *s)
{
	return (stack_t){ .ss_sp = (void *)s->base, .ss_size = SIZE, .ss_flags = (int)DISARMS };
}

/* What the kernel is to be told in place of *set by who is at sp.  Returns false if that is
   what the program says. */
bool iot_altstack_set(stack_t *set, const void *program, uintptr_t sp)
{
	struct stack *s;

	if (!iot_take(set, program, sizeof(*set)))
		return false;
	has_large((uintptr_t)set->ss_sp, set->ss_flags & SS_DISABLE || set->ss_size < LARGE ? 0 : set->ss_size);
	if (mine && set->ss_flags == SS_DISABLE) {
		/* where the program is itself nothing may come; our return sets it again */
		if (is_on(mine, sp))
			return false;
		*set = hidden(mine);
		return true;
	}
	if (set->ss_flags & SS_DISABLE || set->ss_size < FRAME || !set->ss_sp)
		return false;
	if (set->ss_size >= LARGE && !is_shared())
		return false;
	if (set->ss_size < iot_auxv(MINIMUM) && is_refused(set))
		return false;
	s = get((uintptr_t)set->ss_sp, set->ss_size);
	if (!s)
		return false;
	set->ss_sp = (void *)s->ours;
	set->ss_size = SIZE;
	return true;
}

/* It was refused: the thread has the stack that it had. */
void iot_altstack_refused(void)
{
	stack_t now = { .ss_flags = SS_DISABLE };

	iot_syscall(SYS_sigaltstack, (void *)NULL, &now);
	has_large((uintptr_t)now.ss_sp, now.ss_flags & SS_DISABLE || now.ss_size < LARGE ? 0 : now.ss_size);
}

/* The kernel has said what the thread's stack is. */
void iot_altstack_tell(stack_t *now)
{
	const struct stack *all = __atomic_load_n(&stacks, __ATOMIC_ACQUIRE);

	if (!now || now->ss_flags & SS_DISABLE)
		return;
	if (mine && (uintptr_t)now->ss_sp == mine->base) {
		*now = (stack_t){ .ss_flags = SS_DISABLE };
		return;
	}
	for (const struct stack *s = all; all && s < all + N_STACKS; s++)
		if (s->ours && s->ours == (uintptr_t)now->ss_sp) {
			now->ss_sp = (void *)s->theirs;
			now->ss_size = s->size;
			return;
		}
}

/* What the kernel would tell a thread whose stack pointer is sp, of the stack that its signal's frame has.  program:
   where; NULL: it does not ask.  Returns 0 or -errno. */
long iot_altstack_query(const ucontext_t *context, uintptr_t sp, void *program)
{
	const stack_t *is = &context->uc_stack;
	const bool disarms = (unsigned int)is->ss_flags & DISARMS;
	stack_t now;

	memset(&now, 0, sizeof(now));
	now.ss_sp = is->ss_sp;
	now.ss_size = is->ss_size;
	now.ss_flags = disarms ? (int)DISARMS : 0;
	if (!is->ss_size)
		now.ss_flags |= SS_DISABLE;
	else if (!disarms && sp - (uintptr_t)is->ss_sp - 1 < is->ss_size)
		now.ss_flags |= SS_ONSTACK;
	iot_altstack_tell(&now);
	return !program || iot_give(program, &now, sizeof(now)) ? 0 : -EFAULT;
}

static bool take_over(struct iot_altstack *s, int pid)
{
	uint64_t was = __atomic_load_n(&s->thread, __ATOMIC_RELAXED);

	return was != (uint64_t)NEW &&
	       (was == FREE || iot_sys_thread_ended((uint32_t)pid, (uint32_t)was)) &&
	       __atomic_compare_exchange_n(&s->thread, &was, (uint64_t)NEW, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Before the clone.  NULL: it needs none, or there is none to be had. */
struct iot_altstack *iot_altstack_new(uint64_t stack_size)
{
	static uint32_t latest;
	uint32_t from = __atomic_add_fetch(&latest, 1, __ATOMIC_RELAXED);
	struct iot_altstack *all;
	int pid;

	if (!stack_size || stack_size > SMALL)
		return NULL;
	all = iot_map_once(&own, N_OWN * sizeof(*own));
	pid = iot_sys_getpid();
	for (uint32_t i = 0; all && i < PROBES; i++) {
		struct iot_altstack *s = &all[(from + i) % N_OWN];

		if (!take_over(s, pid))
			continue;
		if (!s->base)
			s->base = (uintptr_t)iot_map(SIZE);
		if (s->base)
			return s;
		s->thread = FREE;
		break;
	}
	return NULL;
}

/* The thread was not made after all. */
void iot_altstack_failed(struct iot_altstack *s)
{
	if (s)
		__atomic_store_n(&s->thread, (uint64_t)FREE, __ATOMIC_RELEASE);
}

/* In a signal frame of the thread's, which the kernel goes back to. */
void iot_altstack_take(struct iot_altstack *s, ucontext_t *context)
{
	if (!s)
		return;
	mine = s;
	__atomic_store_n(&s->thread, (uint64_t)iot_sys_gettid(), __ATOMIC_RELEASE);
	context->uc_stack = hidden(s);
}

/* A handler jumps to where the stack pointer is sp. */
void iot_altstack_jump(uintptr_t sp)
{
	left |= is_on(mine, (uintptr_t)__builtin_frame_address(0)) && !is_on(mine, sp);
}

/* The kernel goes back to the context: maybe from a handler that came before the jump. */
void iot_altstack_arm(ucontext_t *context)
{
	if (iot_likely(!left) || is_on(mine, iot_machine_sp(context)))
		return;
	left = false;
	if (mine && !context->uc_stack.ss_size)
		context->uc_stack = hidden(mine);
}

/*
 * A child in our memory for which we wait has our alternate stack, and may have a small one
 * of its own: musl's posix_spawn gives it 5 KiB.  So that its signal frames don't lie
 * there, the thread has one until the child is gone, if it has none.  size: of the child's
 * stack, 0 if it is not known.  Returns NULL if nothing is lent.
 */
struct iot_altstack *iot_altstack_lend(ucontext_t *context, uint64_t size)
{
	struct iot_altstack *s = NULL;

	/* the frame's flags don't say it: a thread that never set a stack may have none of them */
	if (!mine && size < LARGE && !context->uc_stack.ss_size)
		s = iot_altstack_new(1);
	iot_altstack_take(s, context);
	return s;
}

/* In the frame by which the thread goes back to where it had none. */
void iot_altstack_take_back(struct iot_altstack *s, ucontext_t *context)
{
	if (!s)
		return;
	if ((uintptr_t)context->uc_stack.ss_sp == s->base)
		context->uc_stack = (stack_t){ .ss_flags = SS_DISABLE };
	mine = NULL;
	iot_altstack_failed(s);
}

/* In a copy of the process: the thread has another tid, and all others are gone. */
void iot_altstack_forked(void)
{
	if (mine)
		mine->thread = (uint64_t)iot_sys_gettid();
	if (my_large)
		my_large->thread = (uint64_t)iot_sys_gettid();
}
