/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process.c - the calls that begin and end processes and threads.
 *
 * A child has its system calls dispatched before it makes one, by the instructions
 * of machine.h.  A thread that is one too many of those that do not have libc's
 * thread-local storage is left alone.
 */
#include <linux/sched.h>
#include <string.h>
#include <sys/syscall.h>

#include "arena.h"
#include "child-env.h"
#include "dispatch.h"
#include "fork.h"
#include "log.h"
#include "window.h"
#include "wrap.h"
#include "desc__Fork.h"
#include "desc__exit.h"
#include "desc_clone.h"
#include "desc_clone3.h"
#include "desc_execve.h"
#include "desc_execveat.h"
#include "desc_syscall.h"
#include "desc_vfork.h"

/* A call that is made by a leap.  Kept for each thread, where a vfork child has them in
   common with its parent: theirs are on top of its.  A thread has memory for them from its
   first one until it ends: thread-local storage is short where a program with LD_AUDIT
   preloads the recorder. */
struct leap {
	uintptr_t pc, sp;		/* of the program's instruction */
	struct iot_request request;
	struct iot_call call;		/* t: NULL if it is not recorded */
	uint64_t arg[7];
	uint64_t flags;			/* if it makes a child */
	struct iot_thread *before;
	struct iot_stranger *stranger;
	stack_t altstack;		/* what the kernel is told */
	struct iot_altstack *childs_altstack, *lent;
	bool child;
};
#define MAX_LEAPS 4
static struct iot_pool tables = { .size = MAX_LEAPS * sizeof(struct leap) };
static __thread struct leap *leaps;	/* MAX_LEAPS of them; NULL: there was none yet */
static __thread uint32_t n_leaps;

/* Returns NULL if there are too many, one within the other, or no memory for them. */
static struct leap *begin(struct iot_request *r, const void *to)
{
	struct leap *l;

	if (n_leaps == MAX_LEAPS || !iot_pool_own(&tables, &leaps))
		return NULL;
	l = &leaps[n_leaps++];
	*l = (struct leap){ .pc = r->walk.pc, .sp = iot_machine_sp(r->context), .request = *r };
	iot_machine_goto(r->context, (uintptr_t)to);
	iot_machine_return(r->context, r->number);
	return l;
}

/* It depends on where the stack pointer is.  Who only asks is told without memory for a leap as well. */
static void leap_altstack(struct iot_request *r)
{
	struct leap *l = begin(r, iot_leap_plain);

	if (!l)
		iot_machine_return(r->context, r->a[0] ? -ENOMEM
						       : iot_altstack_query(r->context, iot_machine_sp(r->context),
									    (void *)r->a[1]));
	else if (iot_altstack_set(&l->altstack, (const void *)r->a[0], l->sp))
		iot_machine_first(r->context, (unsigned long)&l->altstack);
}

/* In the child: it is dispatched already. */
static void child_runs(uint64_t flags)
{
	bool vforked = (flags & (CLONE_VM | CLONE_VFORK | CLONE_THREAD)) == (CLONE_VM | CLONE_VFORK);

	if (vforked)
		iot_child_runs();
	else if (!(flags & CLONE_VM))
		iot_fork_child(NULL);
	if (flags & CLONE_CLEAR_SIGHAND && (vforked || !(flags & CLONE_VM)))
		iot_signal_cleared(!vforked);
}

/* It has the results of its leap in its registers. */
void iot_process_landed(ucontext_t *context, bool new_stack)
{
	uintptr_t sp = iot_machine_sp(context);
	long ret = iot_machine_result(context);
	struct leap *l;

	if (new_stack) {
		struct iot_landing *at = (struct iot_landing *)sp - 1;

		iot_machine_goto(context, at->pc);
		iot_altstack_take(at->altstack, context);
		iot_signal_inherit(at->blocked);
		child_runs(at->flags);
		return;
	}
	/* a handler that came in between may have left one behind by longjmp */
	while (n_leaps && leaps[n_leaps - 1].sp != sp)
		n_leaps--;
	if (!n_leaps)
		__builtin_trap();
	l = &leaps[n_leaps - 1];
	iot_machine_goto(context, l->pc);
	if (l->child && ret == 0) {
		/* it has its parent's leap on this stack, which the parent will end */
		child_runs(l->flags);
		return;
	}
	n_leaps--;
	if (!l->child) {
		iot_machine_first(context, l->request.a[0]);
		if (!IOT_FAILED(ret))
			iot_altstack_tell((stack_t *)l->request.a[1]);
		else
			iot_altstack_refused();
		return;
	}
	if (IOT_FAILED(ret)) {
		iot_stranger_failed(l->stranger);
		iot_altstack_failed(l->childs_altstack);
	}
	iot_altstack_take_back(l->lent, context);
	if ((l->flags & (CLONE_VM | CLONE_VFORK | CLONE_THREAD)) == (CLONE_VM | CLONE_VFORK))
		iot_child_end(l->before);
	if (!(l->flags & CLONE_FILES))
		iot_fork_parent();
	if (l->call.t)
		iot_request_leave(&l->request, &l->call, ret, l->arg);
}

/* A copy of this process, on a copy of this stack. */
static void copy(struct iot_request *r, const struct iot_desc *desc, const uint64_t *arg, uint64_t flags)
{
	struct iot_call c;
	struct iot_fork fork;
	struct iot_stranger *stranger = iot_stranger_self();
	long ret;

	c.t = NULL;
	iot_request_enter(r, &c, desc);
	iot_fork_prepare(&fork);
	ret = iot_make(r->number, r->a);
	iot_machine_return(r->context, ret);
	if (ret == 0) {
		/* the call was the parent's; this process has yet to make one */
		c.t = NULL;
		iot_stranger_forked(stranger);
		iot_altstack_forked();
		if (flags & CLONE_CLEAR_SIGHAND)
			iot_signal_cleared(true);
		iot_dispatch_thread();
		iot_fork_child(&fork);
		return;
	}
	iot_fork_parent();
	if (c.t)
		iot_request_leave(r, &c, ret, arg);
}

/* Whether a new thread will have thread-local storage of libc's. */
static bool has_libc_tls(uint64_t flags, uintptr_t tls)
{
	uintptr_t self = 0;

	if ((flags & (CLONE_VM | CLONE_VFORK)) != CLONE_VM)
		return true;
	/* it begins with its own address */
	return flags & CLONE_SETTLS && iot_take(&self, (const void *)tls, sizeof(self)) && self == tls;
}

/* Whether a child on a stack of its own has the alternate stack in common with its
   parent, which waits in a handler there: the child's signals would be put upon it. */
static bool shares_altstack(const struct iot_request *r, uint64_t flags)
{
	const stack_t *alt = &r->context->uc_stack;

	return (flags & (CLONE_VM | CLONE_VFORK)) == (CLONE_VM | CLONE_VFORK) &&
	       iot_machine_sp(r->context) - (uintptr_t)alt->ss_sp < alt->ss_size && iot_sys_allowed(SYS_sigaltstack);
}

/* size: of the stack, if it is known; 0 otherwise */
static void child(struct iot_request *r, const struct iot_desc *desc, const uint64_t arg[7], uint64_t flags,
		  uintptr_t stack, uint64_t size, uintptr_t tls)
{
	const bool cleared = flags & CLONE_CLEAR_SIGHAND;
	const void *to = cleared ? iot_leap_same_stack_cleared : iot_leap_same_stack;
	struct iot_stranger *stranger = NULL;
	struct leap *l;

	if (stack && !has_libc_tls(flags, tls)) {
		if (!(flags & CLONE_SETTLS))
			iot_tasks_share(flags);
		stranger = iot_stranger_new();
	}
	if (stack)
		to = (!stranger && !has_libc_tls(flags, tls)) || !iot_sys_allowed(SYS_prctl) ? iot_leap_left_alone :
		     cleared ? iot_leap_new_stack_cleared : iot_leap_new_stack;
	if (stack && to != iot_leap_left_alone && shares_altstack(r, flags))
		to = cleared ? iot_leap_left_alone : iot_leap_no_altstack;
	l = begin(r, to);
	if (!l) {
		iot_stranger_failed(stranger);
		iot_machine_return(r->context, -EAGAIN);
		return;
	}
	l->stranger = stranger;
	if (to == iot_leap_new_stack && !stranger && flags & CLONE_THREAD)
		l->childs_altstack = iot_altstack_new(size);
	if ((to == iot_leap_new_stack || to == iot_leap_new_stack_cleared) &&
	    (flags & (CLONE_VM | CLONE_VFORK)) == (CLONE_VM | CLONE_VFORK))
		l->lent = iot_altstack_lend(r->context, size);
	if (stack)
		((struct iot_landing *)stack)[-1] = (struct iot_landing){
			l->childs_altstack, l->stranger, iot_signal_blocked(), flags, r->walk.pc
		};
	iot_leap_saved[IOT_LEAP_PC] = r->walk.pc;
	l->child = true;
	l->flags = flags;
	l->before = iot_child_begin();
	memcpy(l->arg, arg, sizeof(l->arg));
	iot_request_enter(r, &l->call, desc);
}

/* The row of a clone that copies the process: glibc's fork is one, musl's is not. */
static const struct iot_desc *copy_row(void)
{
	return IOT_DESC_NAME(_Fork).sys == SYS_clone + 1 ? &IOT_DESC_NAME(_Fork) : &IOT_DESC_NAME(clone);
}

static void clone_call(struct iot_request *r, uint64_t flags, uintptr_t stack, uint64_t size, uintptr_t tls,
		       const struct iot_desc *desc, const uint64_t arg[7])
{
	iot_thread_begins(flags);
	if (!stack && flags & CLONE_VM && (iot_stranger_self() || !iot_sys_allowed(SYS_prctl))) {
		/* what a leap would need is not there: thread-local storage, or the call */
		*r = (struct iot_request){ .context = r->context, .number = SYS_clone, .a = { flags & ~CLONE_VM },
					   .walk = r->walk };
		copy(r, copy_row(), arg, 0);
	} else if (!stack && !(flags & CLONE_VM)) {
		copy(r, desc, arg, flags);
	} else {
		child(r, desc, arg, flags, stack, size, tls);
	}
}

static void clone3_call(struct iot_request *r)
{
	const uint64_t arg[7] = { r->a[0], r->a[1] };
	struct clone_args args = { 0 };
	size_t size = r->a[1] < sizeof(args) ? r->a[1] : sizeof(args);

	if (iot_take(&args, (const void *)r->a[0], size))
		clone_call(r, args.flags, args.stack ? args.stack + args.stack_size : 0, args.stack_size, args.tls,
			   &IOT_DESC_NAME(clone3), arg);
	else
		iot_machine_return(r->context, iot_record(r));
}

/* The image that comes has the signal mask that the program believes it has. */
static void execute(struct iot_request *r, const struct iot_desc *desc, int env)
{
	struct iot_call c;
	uint64_t arg[6];
	long ret;

	for (int i = 0; i < 6; i++)
		arg[i] = r->a[i];
	r->a[env] = (unsigned long)IOT_CHILD_ENV(r->a[env]);
	c.t = NULL;
	if (iot_request_enter(r, &c, desc))
		iot_noreturn(&c, arg);
	else
		iot_window_seal(iot_mine());
	iot_signal_exec(true);
	ret = iot_make(r->number, r->a);
	if (ret == -E2BIG && r->a[env] != arg[env]) {
		/* with ours in it */
		r->a[env] = arg[env];
		ret = iot_make(r->number, r->a);
	}
	iot_signal_exec(false);
	iot_machine_return(r->context, ret);
	if (c.t)
		iot_request_leave(r, &c, ret, arg);
}

static void leave_process(struct iot_request *r)
{
	struct iot_call c;
	const uint64_t arg[] = { r->a[0] };

	c.t = NULL;
	if (iot_request_enter(r, &c, &IOT_DESC_NAME(_exit)))
		iot_noreturn(&c, arg);
	iot_log_ended(iot_mine());
	iot_make(r->number, r->a);
}

bool iot_process_call(struct iot_request *r)
{
	const uint64_t arg[7] = { 0, r->a[1], r->a[0] };	/* as clone(3) has them */
	const uint64_t number[7] = { (uint64_t)r->number };

	switch (r->number) {
	case SYS_fork:
		clone_call(r, SIGCHLD, 0, 0, 0, &IOT_DESC_NAME(syscall), number);
		return true;
	case SYS_vfork:
		clone_call(r, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, &IOT_DESC_NAME(vfork), arg);
		return true;
	case SYS_clone:
		clone_call(r, r->a[0], r->a[1], 0, r->a[4],
			   r->a[1] || r->a[0] & CLONE_VM ? &IOT_DESC_NAME(clone) : copy_row(), arg);
		return true;
	case SYS_clone3:
		clone3_call(r);
		return true;
	case SYS_execve:
		execute(r, &IOT_DESC_NAME(execve), 2);
		return true;
	case SYS_execveat:
		execute(r, &IOT_DESC_NAME(execveat), 3);
		return true;
	case SYS_sigaltstack:
		leap_altstack(r);
		return true;
	case SYS_exit_group:
		leave_process(r);
		return true;
	case SYS_exit:
		/* if one is in progress it is a vfork child's parent who has them, and a stranger
		   has those of the thread that made it */
		if (!n_leaps && !iot_stranger_self())
			iot_pool_disown(&tables, &leaps);
		iot_stranger_ends();
		iot_make(r->number, r->a);
		return true;
	}
	return false;
}
