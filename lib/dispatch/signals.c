/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.c - SIGSYS is ours, and what the program does with it is played for it.
 *
 * The kernel kills a thread that makes a dispatched call while SIGSYS is blocked,
 * or has no handler.  So no mask that it gets has SIGSYS in it; whether the program
 * believes that it is blocked is noted for each thread, and a SIGSYS that comes then
 * is held until it is not.  The program's own handler is called by ours for those
 * that are not by dispatch: sent by somebody, or by a seccomp filter.
 *
 * The signal by which libc cancels threads unwinds the stack from where it comes, and
 * must not come while the recorder is at work: it waits until the call is made, which
 * it then interrupts as it would interrupt the program's, or until we return.
 *
 * Not played: SIGSYS by signalfd(2), one that is held for the thread and another for
 * the process, and one that is sent to a process of several threads, of which only
 * another has it unblocked.
 */
#include <linux/audit.h>
#include <string.h>
#include <sys/syscall.h>

#include "dispatch.h"
#include "hooks.h"
#include "shared-tls.h"
#include "thread.h"

/* as the kernel has it */
#define RESTORER   0x04000000
#define BY_SECCOMP 1		/* si_code SYS_SECCOMP */
#define SYS_BIT	   IOT_SIGNAL(SIGSYS)
#define CANCEL	   32			/* libc's; no program has it from libc */

static struct action before;		/* the kernel's, before ours */
struct action iot_signal_ours;
static struct action process;		/* what the program has set for SIGSYS */
static __thread struct {
	struct action act;
	int pid;
} child;				/* the same of a vfork child of this thread's */
static uint64_t handlers_block;		/* signals whose handlers have SIGSYS in their mask */
static __thread bool blocked;
static __thread siginfo_t held;
static __thread bool holds;

static long set_mask(int how, const uint64_t *set, uint64_t *old)
{
	return iot_syscall(IOT_ALWAYS | SYS_rt_sigprocmask, (long)how, set, old, sizeof(*set));
}

static long set_action(const struct action *act, struct action *old)
{
	return iot_syscall(IOT_ALWAYS | SYS_rt_sigaction, (long)SIGSYS, act, old, sizeof(act->mask));
}

static struct action cancel;		/* what the program, which is libc, has set for CANCEL */
static __thread char recording;		/* our handler is at work, and makes no call */
static __thread char cancelled;		/* CANCEL has come meanwhile */

static void on_cancel(int sig, siginfo_t *info, void *context)
{
	if (recording)
		cancelled = 1;
	else
		((void (*)(int, siginfo_t *, void *))cancel.handler)(sig, info, context);
}

static bool has_handler(const struct action *act)
{
	return act->handler != (void *)SIG_DFL && act->handler != (void *)SIG_IGN;
}

/* From here on CANCEL may come, or not; returns whether it might before. */
bool iot_signal_cancels(bool may)
{
	bool might = !recording;

	iot_barrier();
	recording = !may;
	iot_barrier();
	return might;
}

/* A handler jumps to where the stack pointer is sp, maybe out of ours. */
void iot_dispatch_jump(uintptr_t sp)
{
	recording = 0;
	iot_altstack_jump(sp);
}

/* It looks as if the thread that cancels this one had sent it now. */
static void send_cancel(void)
{
	cancelled = 0;
	iot_syscall(IOT_ALWAYS | SYS_tgkill, (long)iot_sys_getpid(), (long)iot_sys_gettid(), (long)CANCEL);
}

void iot_signal_cancel_now(void)
{
	if (iot_unlikely(cancelled))
		send_cancel();
}

/* It comes when our handler has returned. */
void iot_signal_cancel_later(void)
{
	const uint64_t set = IOT_SIGNAL(CANCEL);

	if (iot_likely(!cancelled))
		return;
	set_mask(SIG_BLOCK, &set, NULL);
	send_cancel();
}

void iot_signal_start(void *handler)
{
	const uint64_t set = SYS_BIT;
	uint64_t old = 0;

	/* the program's handlers that interrupt us may be interrupted by us */
	iot_signal_ours = (struct action){ .handler = handler, .restorer = (void *)iot_sigreturn,
				.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | RESTORER };
	set_action(&iot_signal_ours, &before);
	process = before;
	/* older libcs set it at once, others when a thread is cancelled: then action sees it */
	if (iot_syscall(IOT_ALWAYS | SYS_rt_sigaction, (long)CANCEL, (void *)NULL, &cancel, sizeof(cancel.mask)) == 0 &&
	    has_handler(&cancel)) {
		struct action act = cancel;

		act.handler = (void *)on_cancel;
		iot_syscall(IOT_ALWAYS | SYS_rt_sigaction, (long)CANCEL, &act, (void *)NULL, sizeof(act.mask));
	}
	set_mask(SIG_UNBLOCK, &set, &old);
	blocked = old & SYS_BIT;
}

/* It was for nothing. */
void iot_signal_stop(void)
{
	const uint64_t set = SYS_BIT;

	set_action(&before, NULL);
	if (blocked)
		set_mask(SIG_BLOCK, &set, NULL);
}

bool iot_signal_blocked(void)
{
	return blocked;
}

void iot_signal_inherit(bool is)
{
	blocked = is;
}

/* What the program has set for SIGSYS.  A vfork child, which has our memory, has that
   for itself: as its parent has it, to begin with. */
static struct action *program(void)
{
	const struct iot_thread *t = iot_mine();
	int pid;

	if (!t || t->state == IOT_NEW || !(t->flags & IOT_BLOCK_VFORK))
		return &process;
	pid = iot_sys_getpid();
	if (child.pid != pid) {
		child.act = process;
		child.pid = pid;
	}
	return &child.act;
}

/* In a child of which the kernel has taken the handlers away.  copy: it has memory of its own, and not yet our
   handler again. */
void iot_signal_cleared(bool copy)
{
	struct action *act = program();

	*act = (struct action){ .handler = act->handler == (void *)SIG_IGN ? act->handler : (void *)SIG_DFL };
	if (!copy)
		return;
	handlers_block = 0;
	cancel = (struct action){ 0 };
	set_action(&iot_signal_ours, NULL);
}

/* As if nobody had a handler for it. */
static void die(void)
{
	const struct action none = { 0 };

	set_action(&none, NULL);
	iot_syscall(IOT_ALWAYS | SYS_tgkill, (long)iot_sys_getpid(), (long)iot_sys_gettid(), (long)SIGSYS);
}

/* It is no longer blocked. */
static void release(void)
{
	if (!holds || blocked)
		return;
	holds = false;
	iot_syscall(IOT_ALWAYS | SYS_rt_tgsigqueueinfo, (long)iot_sys_getpid(), (long)iot_sys_gettid(),
		    (long)SIGSYS, &held);
}

/* The program's handler, as the kernel would call it. */
static void call_handler(siginfo_t *info, ucontext_t *context)
{
	struct action act = *program();
	uint64_t mask = act.mask & ~SYS_BIT;
	bool was = blocked;

	if (act.flags & SA_RESETHAND)
		program()->handler = (void *)SIG_DFL;
	set_mask(SIG_BLOCK, &mask, NULL);
	blocked |= !(act.flags & SA_NODEFER) || act.mask & SYS_BIT;
	iot_signal_cancels(true);
	((void (*)(int, siginfo_t *, void *))act.handler)(SIGSYS, info, context);
	iot_signal_cancels(false);
	/* we return to the mask that the context has */
	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	blocked = was || mask & SYS_BIT;
	mask &= ~SYS_BIT;
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	release();
}

/* One that is not by dispatch. */
void iot_signal_other(siginfo_t *info, void *context)
{
	const void *handler = program()->handler;
	bool forced = info->si_code == BY_SECCOMP;
	bool none = handler == (void *)SIG_DFL, ignored = handler == (void *)SIG_IGN;

	if (forced ? none || ignored || blocked : none && !blocked) {
		die();
	} else if (blocked) {
		/* the first of several, as the kernel keeps it */
		if (!holds)
			held = *info;
		holds = true;
	} else if (!ignored) {
		call_handler(info, context);
	}
}

/* A mask of the program's: copied, without SIGSYS, if it has that. */
struct mask {
	uint64_t set;
	bool given, had;		/* one; SIGSYS in it */
};

static bool take_mask(struct mask *m, unsigned long *p)
{
	if (!iot_take(&m->set, (const void *)*p, sizeof(m->set)))
		return false;
	m->given = true;
	m->had = m->set & SYS_BIT;
	m->set &= ~SYS_BIT;
	*p = (unsigned long)&m->set;
	return true;
}

static long action(struct iot_request *r)
{
	const int sig = (int)r->a[0];
	struct action act, *old = (struct action *)r->a[2], was;
	bool set = r->a[1] && iot_take(&act, (const void *)r->a[1], sizeof(act));
	uint64_t bit = sig > 0 && sig <= 64 ? IOT_SIGNAL(sig) : 0, had = handlers_block & bit;
	long ret;

	if (r->a[3] != sizeof(act.mask) || (r->a[1] && !set))
		return iot_make(r->number, r->a);	/* and fail */
	if (sig == SIGSYS) {
		was = *program();
		if (set)
			*program() = act;
		return !old || iot_give(old, &was, sizeof(was)) ? 0 : -EFAULT;
	}
	if (set) {
		if (act.mask & SYS_BIT)
			handlers_block |= bit;
		else
			handlers_block &= ~bit;
		act.mask &= ~SYS_BIT;
		r->a[1] = (unsigned long)&act;
	}
	was = cancel;
	if (sig == CANCEL && set) {
		cancel = act;
		if (has_handler(&act))
			act.handler = (void *)on_cancel;
	}
	ret = iot_make(r->number, r->a);
	if (ret < 0) {
		handlers_block = (handlers_block & ~bit) | had;
		cancel = sig == CANCEL ? was : cancel;
		return ret;
	}
	if (old && had)
		old->mask |= SYS_BIT;
	if (old && old->handler == (void *)on_cancel)
		old->handler = was.handler;
	return ret;
}

/* What the kernel sets now is gone when we return to the context's. */
static long procmask(struct iot_request *r)
{
	struct mask m = { 0 };
	uint64_t *old = (uint64_t *)r->a[2], mask;
	bool was = blocked;
	long ret;

	if (r->a[3] != sizeof(m.set) || (r->a[1] && !take_mask(&m, &r->a[1])))
		return iot_make(r->number, r->a);
	memcpy(&mask, &r->context->uc_sigmask, sizeof(mask));
	ret = iot_make(r->number, r->a);
	if (ret < 0)
		return ret;
	if (old && was)
		*old |= SYS_BIT;
	if (!m.given)
		return ret;
	switch ((int)r->a[0]) {
	case SIG_BLOCK:
		mask |= m.set;
		blocked |= m.had;
		break;
	case SIG_UNBLOCK:
		mask &= ~m.set;
		blocked &= !m.had;
		break;
	default:
		mask = m.set;
		blocked = m.had;
	}
	memcpy(&r->context->uc_sigmask, &mask, sizeof(mask));
	release();
	return ret;
}

static long pending(struct iot_request *r)
{
	long ret = iot_make(r->number, r->a);

	if (ret == 0 && holds && r->a[1] == sizeof(uint64_t))
		*(uint64_t *)r->a[0] |= SYS_BIT;
	return ret;
}

/* One that is held is there already. */
static long timedwait(struct iot_request *r)
{
	uint64_t set;

	if (!holds || r->a[3] != sizeof(set) || !iot_take(&set, (const void *)r->a[0], sizeof(set)) ||
	    !(set & SYS_BIT))
		return iot_record(r);
	holds = false;
	return !r->a[1] || iot_give((void *)r->a[1], &held, sizeof(held)) ? SIGSYS : -EFAULT;
}

/* A call that has a mask for as long as it waits, as an argument or in a struct
   with its size. */
static long waits(struct iot_request *r, int arg, bool in_struct)
{
	struct mask m = { 0 };
	bool was = blocked;
	struct {
		unsigned long mask, size;
	} pair;
	long ret;

	if (in_struct && iot_take(&pair, (const void *)r->a[arg], sizeof(pair))) {
		if (pair.mask && take_mask(&m, &pair.mask))
			r->a[arg] = (unsigned long)&pair;
	} else if (!in_struct && r->a[arg]) {
		take_mask(&m, &r->a[arg]);
	}
	if (m.given) {
		blocked = m.had;
		release();
	}
	ret = iot_record(r);
	blocked = was;
	return ret;
}

/* Back from a handler: the frame that it returns by may have been changed. */
static void handler_returns(struct iot_request *r)
{
	ucontext_t *to = iot_machine_sigframe(r->context);
	uint64_t mask;

	memcpy(&mask, &to->uc_sigmask, sizeof(mask));
	if (mask & SYS_BIT) {
		blocked = true;
		mask &= ~SYS_BIT;
		memcpy(&to->uc_sigmask, &mask, sizeof(mask));
	}
	iot_machine_goto(r->context, (uintptr_t)iot_leap_sigreturn);
	iot_machine_return(r->context, r->number);
}

/* No other thread has the handlers that this one has. */
static bool is_alone(void)
{
	struct stat st;

	return iot_sys_fstatat(AT_FDCWD, "/proc/self/task", &st, 0) == 0 && st.st_nlink == 3;
}

/*
 * The image that comes has SIGSYS blocked or ignored if the program believes that it
 * is.  From then on a call that is dispatched would kill: a handler that comes before
 * the image makes its calls unseen.  Other threads would be killed, so that nothing is
 * ignored behind an exec that ends them.
 */
void iot_signal_exec(bool begins)
{
	const uint64_t set = SYS_BIT;
	static __thread bool ignored;

	if (begins)
		ignored = program()->handler == (void *)SIG_IGN && is_alone();
	if (!blocked && !ignored)
		return;
	if (begins)
		iot_dispatch(false);
	if (blocked)
		set_mask(begins ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
	if (ignored)
		set_action(begins ? program() : &iot_signal_ours, NULL);
	if (!begins)
		iot_dispatch(true);
}

bool iot_signal_call(struct iot_request *r)
{
	long ret;

	switch (r->number) {
	case SYS_rt_sigreturn:
		handler_returns(r);
		return true;
	case SYS_rt_sigaction:
		ret = action(r);
		break;
	case SYS_rt_sigprocmask:
		ret = procmask(r);
		break;
	case SYS_rt_sigpending:
		ret = pending(r);
		break;
	case SYS_rt_sigtimedwait:
		ret = timedwait(r);
		break;
	case SYS_rt_sigsuspend:
		ret = waits(r, 0, false);
		break;
	case SYS_ppoll:
		ret = waits(r, 3, false);
		break;
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
		ret = waits(r, 4, false);
		break;
	case SYS_pselect6:
	case SYS_io_pgetevents:
		ret = waits(r, 5, true);
		break;
	default:
		return false;
	}
	iot_machine_return(r->context, ret);
	return true;
}
