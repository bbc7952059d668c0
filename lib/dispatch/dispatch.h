/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch.h - the parts of lib/dispatch: IOTRACE_SYSCALLS.
 *
 * Syscall User Dispatch (Linux 5.11) raises SIGSYS in place of each system call
 * whose instruction lies outside the section iot_kernel.  Our handler records the
 * call and makes it.  It runs on the thread's alternate stack if it has one: the
 * program may be on a stack that has no room for more.
 *
 * A call that depends on where it is made (its child gets this stack, it returns
 * to another frame, it asks on which stack we are) is not made by the handler: it
 * returns to a *leap*, an instruction in iot_kernel that makes the call with all
 * registers as the program had them, and behind that to a second instruction, out
 * of iot_kernel, which brings us back into the handler to see what came of it.
 *
 * A thread that is cancelled while we make its call is unwound through our frames, and
 * not by the compiler's leave: they have no cleanups (IOT_CLEANUP is the wrappers').
 */
#ifndef IOT_DISPATCH_H
#define IOT_DISPATCH_H

#include <signal.h>

#include "machine.h"
#include "call.h"
#include "sys.h"

#pragma GCC visibility push(hidden)

/* A system call that was delivered to us. */
struct iot_request {
	ucontext_t *context;
	long number;
	unsigned long a[6];
	struct iot_walk walk;		/* where a walk over the stack begins */
	bool internal;			/* made by libc */
	bool first;			/* the thread's, for all that the recorder knows */
	bool known;			/* the call around it is it, and recorded */
};

/* dispatch.c */
bool iot_request_enter(struct iot_request *r, struct iot_call *c, const struct iot_desc *desc);
void iot_request_leave(struct iot_request *r, struct iot_call *c, long ret, const uint64_t *arg);
long iot_record(struct iot_request *r);
long iot_dispatch(bool on);
void iot_give_up(struct iot_request *r, bool filter);
long iot_make(long number, const unsigned long a[6]);

/* process.c: the calls that begin and end processes, and others that are leaps.  True if it was one; where
   there is a result the context has it. */
bool iot_process_call(struct iot_request *r);
void iot_process_landed(ucontext_t *context, bool new_stack);

/* filter.c: as iot_process_call */
bool iot_filter_call(struct iot_request *r);

/* what the kernel wants to know of a handler */
struct action {
	void *handler;
	uint64_t flags;
	void *restorer;
	uint64_t mask;
};
extern struct action iot_signal_ours;	/* for SIGSYS: leap.c has it, too */

/* signals.c: SIGSYS as the program sees it.  iot_signal_call: as iot_process_call. */
bool iot_signal_call(struct iot_request *r);
void iot_signal_start(void *handler);
void iot_signal_stop(void);
void iot_signal_other(siginfo_t *info, void *context);
void iot_signal_exec(bool begins);
bool iot_signal_blocked(void);
bool iot_signal_cancels(bool may);
void iot_signal_cancel_now(void);
void iot_signal_cancel_later(void);
void iot_signal_inherit(bool blocked);
void iot_signal_cleared(bool copy);

/* memory.c: false: it is not there */
bool iot_take(void *to, const void *from, size_t size);
bool iot_give(void *to, const void *from, size_t size);

/* altstack.c: what sigaltstack is told, and what it tells */
bool iot_altstack_set(stack_t *set, const void *program, uintptr_t sp);
void iot_altstack_refused(void);
void iot_altstack_tell(stack_t *now);
long iot_altstack_query(const ucontext_t *context, uintptr_t sp, void *program);
/* one for a thread whose own stack is small */
struct iot_altstack *iot_altstack_new(uint64_t stack_size);
void iot_altstack_failed(struct iot_altstack *s);
void iot_altstack_take(struct iot_altstack *s, ucontext_t *context);
void iot_altstack_forked(void);
/* one for a thread before its vfork, and after it */
struct iot_altstack *iot_altstack_lend(ucontext_t *context, uint64_t size);
void iot_altstack_take_back(struct iot_altstack *s, ucontext_t *context);
/* a handler jumps; at the end of ours */
void iot_altstack_jump(uintptr_t sp);
void iot_altstack_arm(ucontext_t *context);

/* stranger.c: threads without libc's thread-local storage */
struct iot_stranger *iot_stranger_new(void);
void iot_stranger_failed(struct iot_stranger *s);
struct iot_stranger *iot_stranger_enter(struct iot_stranger *made);
void iot_stranger_leave(struct iot_stranger *s);
struct iot_stranger *iot_stranger_self(void);
void iot_stranger_forked(struct iot_stranger *s);
void iot_stranger_ends(void);
bool iot_stranger_call(struct iot_request *r);

#pragma GCC visibility pop

#endif
