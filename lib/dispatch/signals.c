/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.c - SIGSYS is the recorder's.  What the program does with SIGSYS is played for it.
 *
 * The kernel kills a thread that makes a dispatched call while SIGSYS is blocked, or has no
 * handler.  So the kernel gets no mask that has SIGSYS in it.  For each thread, the recorder
 * notes whether the program believes that SIGSYS is blocked.  A SIGSYS that comes then is held
 * until the program unblocks it.  A SIGSYS that is not by dispatch, but sent by somebody or by a
 * seccomp filter, is the program's: our handler calls the program's.
 *
 * The signal by which libc cancels threads unwinds the stack from where it comes, so it must not
 * come while the recorder is at work.  It waits until the program's call is made, and interrupts
 * that as it would without us, or else until our handler returns.
 *
 * Not played are: SIGSYS by signalfd(2); a second SIGSYS for the process while one is held for the
 * thread; a SIGSYS for a process of several threads, if the thread that gets it has it blocked
 * and another has not.
 */
#include <linux/audit.h>
#include <string.h>
#include <sys/syscall.h>

#include "dispatch.h"
#include "hooks.h"
#include "shared-tls.h"
#include "thread.h"

/* numbers of the kernel's, which no header of libc's has */
#define RESTORER   0x04000000
#define BY_SECCOMP 1		/* si_code SYS_SECCOMP */
#define SYS_BIT	   IOT_SIGNAL(SIGSYS)
#define CANCEL	   32			/* the signal by which libc cancels; libc gives it to no program */

static struct action before;		/* the kernel's, before ours */
struct action iot_signal_ours;
static struct action process;		/* what the program has set for SIGSYS */
static __thread struct {
	struct action act;
	int pid;
} child;				/* the same of a vfork child of this thread's */
static uint64_t handlers_block;		/* signals whose handlers block SIGSYS, as the program has set them */
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

/* Says whether CANCEL may come from here on.  Returns whether it might before. */
bool iot_signal_cancels(bool may)
{
	bool might = !recording;

	iot_barrier();
	recording = !may;
	iot_barrier();
	return might;
}

/* A handler of the program's jumps to where the stack pointer is sp, maybe out of our handler. */
void iot_dispatch_jump(uintptr_t sp)
{
	recording = 0;
	iot_altstack_jump(sp);
}

/* To the program, it looks as if the thread that cancels this one had sent the signal now. */
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

/* The signal comes when our handler has returned. */
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

	/* SA_NODEFER: a handler of the program's that interrupts ours makes calls, too */
	iot_signal_ours = (struct action){ .handler = handler, .restorer = (void *)iot_sigreturn,
				.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | RESTORER };
	set_action(&iot_signal_ours, &before);
	process = before;
	/* older libcs have set a handler by now; others do when a thread is cancelled, which action() sees */
	if (iot_syscall(IOT_ALWAYS | SYS_rt_sigaction, (long)CANCEL, (void *)NULL, &cancel, sizeof(cancel.mask)) == 0 &&
	    has_handler(&cancel)) {
		struct action act = cancel;

		act.handler = (void *)on_cancel;
		iot_syscall(IOT_ALWAYS | SYS_rt_sigaction, (long)CANCEL, &act, (void *)NULL, sizeof(act.mask));
	}
	set_mask(SIG_UNBLOCK, &set, &old);
	blocked = old & SYS_BIT;
}

/* Undoes iot_signal_start: calls can't be dispatched. */
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

/* What the program has set for SIGSYS.  A vfork child has its parent's memory, but handlers of its
   own: to begin with, those of its parent. */
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

/* In a child from which the kernel has taken the handlers away.  copy: the child has memory of its own, and
   needs our handler again. */
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

/* Ends the process as SIGSYS does where it has no handler. */
static void die(void)
{
	const struct action none = { 0 };

	set_action(&none, NULL);
	iot_syscall(IOT_ALWAYS | SYS_tgkill, (long)iot_sys_getpid(), (long)iot_sys_gettid(), (long)SIGSYS);
}

/* The program has unblocked SIGSYS: a signal that is held comes now. */
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
	/* the kernel sets the context's mask when we return */
	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	blocked = was || mask & SYS_BIT;
	mask &= ~SYS_BIT;
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	release();
}

/* A SIGSYS that is not by dispatch. */
void iot_signal_other(siginfo_t *info, void *context)
{
	const void *handler = program()->handler;
	bool forced = info->si_code == BY_SECCOMP;
	bool none = handler == (void *)SIG_DFL, ignored = handler == (void *)SIG_IGN;

	if (forced ? none || ignored || blocked : none && !blocked) {
		die();
	} else if (blocked) {
		/* of several, the kernel keeps the first */
		if (!holds)
			held = *info;
		holds = true;
	} else if (!ignored) {
		call_handler(info, context);
	}
}

/* A copy of the program's mask, without SIGSYS. */
struct mask {
	uint64_t set;
	bool given;			/* the program has given one */
	bool had;			/* SIGSYS was in it */
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

/* When our handler returns, the kernel sets the context's mask: so that is changed as well. */
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

/* A SIGSYS that is held is there already. */
static long timedwait(struct iot_request *r)
{
	uint64_t set;

	if (!holds || r->a[3] != sizeof(set) || !iot_take(&set, (const void *)r->a[0], sizeof(set)) ||
	    !(set & SYS_BIT))
		return iot_record(r);
	holds = false;
	return !r->a[1] || iot_give((void *)r->a[1], &held, sizeof(held)) ? SIGSYS : -EFAULT;
}

/* A call that has a mask of its own while it waits: argument arg, which points to the mask or, in_struct, to a
   struct of the mask's address and size. */
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

/* The program returns from a handler, which may have changed the mask in the frame by which it returns. */
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

/* Whether the process has no other thread, which would have the same handlers. */
static bool is_alone(void)
{
	struct stat st;

	return iot_sys_fstatat(AT_FDCWD, "/proc/self/task", &st, 0) == 0 && st.st_nlink == 3;
}

/*
 * The program that execve(2) begins is to have SIGSYS blocked or ignored if this one believes that it
 * is.  So the kernel is told, and from then on a dispatched call would kill: dispatch ends first, and
 * a handler that comes before the new program makes calls that are not seen.  Other threads that
 * make calls would be killed, too.  So SIGSYS is ignored only if there is no other thread.
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
