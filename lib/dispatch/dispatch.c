/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch.c - IOTRACE_SYSCALLS: the kernel delivers each system call of the
 * thread to us (see dispatch.h), who record it, unless the wrapper around it is
 * doing so, and make it.
 *
 * Our handler blocks no signal: the program's handlers interrupt what we make as
 * they would interrupt the program's own call, and the mask that the kernel goes
 * back to when we return is in the context.
 */
#include "dispatch.h"

#include "attach.h"
#include "host.h"
#include "raw.h"
#include "report.h"
#include "window.h"
#include "wrap.h"

#include <linux/audit.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "desc_syscall.h"

#define SET_DISPATCH 59		/* PR_SET_SYSCALL_USER_DISPATCH, */
#define DISPATCH_OFF 0L		/* as older headers do not know them */
#define DISPATCH_ON  1L
#define BY_DISPATCH  2		/* si_code SYS_USER_DISPATCH */

#define NUMBERS 512

/* Rows by number: looked for once. */
static const struct iot_desc *rows[NUMBERS];
/* The system calls that rows are, + 1, by the rows' ids. */
#define N_IDS (1u << IOT_CALL_BITS)
static uint16_t calls[N_IDS];

static bool no_return;		/* a filter has come that does not let on_sys return */

static long set_dispatch(bool on, long always)
{
	return iot_syscall(always | SYS_prctl, (long)SET_DISPATCH, on ? DISPATCH_ON : DISPATCH_OFF,
			   on ? __start_iot_kernel : NULL, on ? __stop_iot_kernel - __start_iot_kernel : 0L, NULL);
}

long iot_dispatch(bool on)
{
	return set_dispatch(on, 0);
}

void iot_dispatch_thread(void)
{
	if (!no_return)
		set_dispatch(true, 0);
}

/* From here on the thread makes its calls itself, this one first; unless a filter forbids
   that.  filter: because of one that the call installs, which is not in force yet. */
void iot_give_up(struct iot_request *r, bool filter)
{
	if (set_dispatch(false, filter ? IOT_ALWAYS : 0)) {
		iot_machine_return(r->context, -EPERM);
		return;
	}
	no_return |= filter;
	if (iot_self && iot_self->state != IOT_NEW)
		iot_mine()->dispatched = false;
	iot_machine_again(r->context, r->number);
}

static const struct iot_desc *row(long number)
{
	return (unsigned long)number < NUMBERS ? rows[number] : iot_raw_row(number);
}

static bool stands_for(uint32_t id, long number)
{
	return id == IOT_ID_syscall ? row(number) == &IOT_DESC_NAME(syscall) || number == SYS_io_uring_enter :
				      calls[id] == number + 1;
}

/* Whether the call that is in progress is this system call, which it has not made
   yet; from now on it has.  A handler that interrupted the recorder makes its calls
   by a recorder beneath that one. */
static bool is_known(struct iot_thread *t, long number)
{
	uint32_t *call;
	bool sealed;

	if (!t || t->state == IOT_NEW || t->state == IOT_DEAD)
		return false;
	while (t->state == IOT_BUSY && t->nested)
		t = t->nested;
	sealed = iot_window_unseal(t);
	t->dispatched = true;
	if (t->state != IOT_IDLE || !t->depth)
		return false;
	call = iot_noted(t, t->depth - 1);
	if (!call || *call & IOT_SLOT_MADE || !stands_for(*call & (N_IDS - 1), number))
		return false;
	*call |= IOT_SLOT_MADE;
	if (sealed)
		iot_window_seal(t);
	return true;
}

/* Makes a system call of the program's.  Cancellation may come here, as it may where the
   program makes it, and nowhere else in our handler. */
long iot_make(long number, const unsigned long a[6])
{
	bool may = iot_signal_cancels(true);
	long ret;

	iot_signal_cancel_now();
	ret = iot_relay(number, a);
	iot_signal_cancels(may);
	return ret;
}

/* A frame to walk the stack from.  Where the handler has a stack of its own, the
   program's lies in another direction: its stack pointer, plus 1 since it is no frame,
   will do, for the calls around this one are on that stack. */
static void *frame(struct iot_request *r)
{
	const struct iot_thread *t = iot_mine();
	uintptr_t here = (uintptr_t)&r->walk, there = iot_machine_sp(r->context);

	if (there - here < 65536 || !t || t->state == IOT_NEW || !t->depth)
		return &r->walk;
	return (void *)(there | 1);
}

/* Whether the wrapper around it could not record it, and has counted it as lost. */
static bool is_counted(const struct iot_request *r)
{
	const struct iot_desc *lost = iot_lost_desc;

	iot_lost_desc = NULL;
	return lost && stands_for(lost->id, r->number);
}

bool iot_request_enter(struct iot_request *r, struct iot_call *c, const struct iot_desc *desc)
{
	if (r->known || !desc || iot_raw_is_memory(r->number, r->a) || is_counted(r))
		return false;
	/* not as an internal one: what a thin call waits for, is_known has found */
	if (!iot_enter(c, desc, 0, iot_raw_fd(desc, r->a), frame(r))) {
		iot_lost_desc = NULL;
		return false;
	}
	/* the recorder did not know the thread before */
	if (r->first)
		r->internal = iot_host_made(c->t, r->walk.pc);
	if (r->internal) {
		c->internal = IOT_INTERNAL;
		if (c->depth < IOT_MAX_SLOTS)
			iot_slots(c->t)[c->depth].call |= IOT_SLOT_INTERNAL;
	}
	c->t->dispatched = true;
	iot_note_made(c->t, c->depth);
	return true;
}

/* Its end, with the kernel's result. */
void iot_request_leave(struct iot_request *r, struct iot_call *c, long ret, const uint64_t *arg)
{
	long value = IOT_FAILED(ret) ? -1 : ret;

	iot_leave_status(c, iot_raw_result(c->desc, r->a, value), (int)(IOT_FAILED(ret) ? -ret : 0), arg,
			 IOT_ST_FINISHED);
	c->t = NULL;
}

long iot_record(struct iot_request *r)
{
	struct iot_call c;
	const struct iot_desc *desc = r->number == SYS_io_uring_enter ? iot_raw_row_of(r->number, r->a) : row(r->number);
	uint64_t arg[7];
	long ret;

	c.t = NULL;
	if (!iot_request_enter(r, &c, desc))
		return iot_make(r->number, r->a);
	iot_raw_args(desc, r->number, r->a, arg);
	iot_raw_before(c.t, desc, r->number, r->a);
	iot_raw_begun(&c, r->number, r->a);
	ret = iot_make(r->number, r->a);
	iot_raw_after(&c, r->number, r->a, IOT_FAILED(ret) ? -1 : ret);
	iot_request_leave(r, &c, ret, arg);
	return ret;
}

/* Around the log's descriptor, in two pieces. */
static long close_range_around(struct iot_request *r, unsigned int log)
{
	unsigned int last = (unsigned int)r->a[1];
	long ret = 0;

	if (log > (unsigned int)r->a[0]) {
		r->a[1] = log - 1;
		ret = iot_record(r);
	}
	r->a[0] = log + 1;
	r->a[1] = last;
	if (ret || log >= last)
		return ret;
	/* closefrom's record is one */
	return r->known ? iot_syscall(SYS_close_range, r->a[0], r->a[1], r->a[2]) : iot_record(r);
}

static long call(struct iot_request *r)
{
	int log = iot_log_fd();

	switch (r->number) {
	case SYS_close:
		if (iot_log_owns((int)r->a[0]))
			return -EBADF;
		break;
	case SYS_close_range:
		if (log >= 0 && !(r->a[2] & ~2UL) && (unsigned int)log >= (unsigned int)r->a[0] &&
		    (unsigned int)log <= (unsigned int)r->a[1])
			return close_range_around(r, (unsigned int)log);
		break;
	case SYS_dup2:
	case SYS_dup3:
		iot_log_dup2((int)r->a[1]);
		break;
	case SYS_prctl:
		/* there is one for each thread, and it is taken */
		if ((int)r->a[0] == SET_DISPATCH)
			return -EINVAL;
		break;
	}
	return iot_record(r);
}

/* A thread that takes away the stack that we are on is about to end. */
static bool unmaps_us(struct iot_request *r)
{
	struct iot_call c;
	uint64_t arg[7];

	/* what the kernel turns down takes nothing away */
	if (r->number != SYS_munmap || r->a[0] > (uintptr_t)r || (uintptr_t)r - r->a[0] >= r->a[1] ||
	    r->a[0] % IOT_PAGE || r->a[1] > IOT_ADDRESS_END - r->a[0])
		return false;
	if (iot_request_enter(r, &c, row(r->number))) {
		iot_raw_args(c.desc, r->number, r->a, arg);
		iot_noreturn(&c, arg);
	}
	iot_give_up(r, false);
	return true;
}

/* From its next call on each would stop the process for a tracer, which may still be
   in the vfork that it came from. */
static bool asks_for_tracer(struct iot_request *r)
{
	if (r->number != SYS_ptrace || r->a[0] != PTRACE_TRACEME)
		return false;
	iot_give_up(r, false);
	return true;
}

static void dispatch(ucontext_t *context)
{
	struct iot_request r = { .context = context };
	struct iot_thread *mine = iot_mine();

	iot_machine_call(context, &r.number, r.a);
	r.walk = (struct iot_walk){ iot_machine_frame(context), (const void *)iot_sigreturn,
				    iot_machine_sp(context), iot_machine_pc(context) };
	r.known = is_known(mine, r.number);
	r.first = !mine || mine->state == IOT_NEW;
	if (row(r.number) && !r.known && !r.first)
		r.internal = iot_host_made(mine, r.walk.pc);
	if (unmaps_us(&r) || asks_for_tracer(&r) || iot_process_call(&r) || iot_stranger_call(&r))
		return;
	if ((r.number == SYS_prctl || r.number == SYS_seccomp) && iot_filter_call(&r))
		return;
	if (!iot_signal_call(&r))
		iot_machine_return(context, call(&r));
}

/* Apart from on_sys, lest something of it be done before the stranger's storage is there. */
static __attribute__((noinline)) void deliver(siginfo_t *info, ucontext_t *context)
{
	if (info->si_code != BY_DISPATCH)
		iot_signal_other(info, context);
	else if (iot_machine_pc(context) == (uintptr_t)iot_landed)
		iot_process_landed(context, false);
	else if (iot_machine_pc(context) == (uintptr_t)iot_landed_new_stack)
		iot_process_landed(context, true);
	else if (info->si_arch != IOT_AUDIT_ARCH)
		iot_give_up(&(struct iot_request){ .context = context,
						   .number = iot_machine_result(context) }, false);
	else
		dispatch(context);
}

static void on_sys(int sig, siginfo_t *info, void *p)
{
	ucontext_t *context = p;
	struct iot_stranger *made = NULL, *stranger;
	bool may_cancel;

	(void)sig;
	if (info->si_code == BY_DISPATCH && iot_machine_pc(context) == (uintptr_t)iot_landed_new_stack)
		made = ((struct iot_landing *)iot_machine_sp(context))[-1].stranger;
	stranger = iot_stranger_enter(made);
	may_cancel = iot_signal_cancels(false);
	deliver(info, context);
	iot_altstack_arm(context);
	iot_signal_cancels(may_cancel);
	if (may_cancel)
		iot_signal_cancel_later();
	if (iot_unlikely(stranger != NULL))
		iot_stranger_leave(stranger);
}

static void learn_rows(void)
{
	extern __attribute__((visibility("hidden"))) const struct iot_desc __start_iot_calls[], __stop_iot_calls[];

	for (const struct iot_desc *d = __start_iot_calls; d < __stop_iot_calls; d++)
		calls[d->id] = d->sys;
	for (long i = 0; i < NUMBERS; i++)
		rows[i] = iot_raw_row(i);
}

#ifdef IOT_MUSL
/* musl cancels a thread that waits by looking at which instruction it does: that is
   ours, and the thread would wait on. */
static bool may_wait_for_ever(void)
{
	extern int pthread_cancel(pthread_t) __attribute__((weak));

	return pthread_cancel != NULL;
}
#else
static bool may_wait_for_ever(void)
{
	return false;
}
#endif

/* Begins with this thread, the first. */
void iot_dispatch_start(void)
{
	if (may_wait_for_ever()) {
		iot_report("IOTRACE_SYSCALLS: not with musl where threads are cancelled", "", "; the setting is ignored");
		return;
	}
	/* it makes the program's calls in its own code: each would be delivered to it */
	if (iot_is_valgrind()) {
		iot_report("IOTRACE_SYSCALLS: not beneath valgrind", "", "; the setting is ignored");
		return;
	}
	learn_rows();
	iot_signal_start((void *)on_sys);
	if (set_dispatch(true, 0) == 0) {
		iot_dispatching = true;
		return;
	}
	iot_signal_stop();
	iot_report("IOTRACE_SYSCALLS: the kernel does not deliver system calls (Linux 5.11 does)", "",
		   "; calls that libc makes within itself are not recorded");
}

#ifndef IOT_DYNAMIC
IOT_RUN_FIRST(iot_begin);
#endif
