/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.c - what a program can do with signals, SIGSYS and others, masks and
 * stacks.  Says what it sees; that has to be the same with IOTRACE_SYSCALLS.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "say.h"

extern char **environ;

static sigset_t only(int sig)
{
	sigset_t s;

	sigemptyset(&s);
	if (sig)
		sigaddset(&s, sig);
	return s;
}

static sigset_t all_but(int sig)
{
	sigset_t s;

	sigfillset(&s);
	if (sig)
		sigdelset(&s, sig);
	return s;
}

static void mask_now(const char *when)
{
	sigset_t s, p;

	sigprocmask(SIG_BLOCK, NULL, &s);
	sigpending(&p);
	say("%s: SYS blocked %d, USR1 blocked %d; pending %d %d", when, sigismember(&s, SIGSYS),
	    sigismember(&s, SIGUSR1), sigismember(&p, SIGSYS), sigismember(&p, SIGUSR1));
}

static void handle(int sig, void *handler, int flags, sigset_t mask)
{
	struct sigaction sa = { .sa_sigaction = (void (*)(int, siginfo_t *, void *))handler,
				.sa_flags = flags | SA_SIGINFO, .sa_mask = mask };

	if (sigaction(sig, &sa, NULL))
		say("sigaction %d: %m", sig);
}

static volatile int again;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)context;
	say("handler: %d code %d, own %d", sig, info->si_code, info->si_pid == getpid());
	/* one more, while this one runs */
	if (sig == SIGSYS) {
		mask_now("in it");
		if (again-- > 0)
			raise(sig);
	}
	say("handler ends");
}

/* --- SIGSYS of the program's own */
static void sent(void)
{
	struct sigaction old;
	sigset_t set = only(SIGSYS), usr1 = only(SIGUSR1);
	struct timespec soon = { 0, 1000000 };
	siginfo_t info;
	int sig;

	sigaction(SIGSYS, NULL, &old);
	say("at first: %d", old.sa_handler == SIG_DFL);
	handle(SIGSYS, on_signal, 0, only(0));
	again = 1;
	raise(SIGSYS);
	mask_now("after");
	sigaction(SIGSYS, NULL, &old);
	say("it is: %d %x", old.sa_sigaction == on_signal, old.sa_flags);
	handle(SIGSYS, on_signal, SA_NODEFER, usr1);
	again = 1;
	kill(getpid(), SIGSYS);
	mask_now("after");
	handle(SIGSYS, on_signal, SA_RESETHAND | SA_NODEFER, usr1);
	raise(SIGSYS);
	sigaction(SIGSYS, NULL, &old);
	say("then: %d", old.sa_handler == SIG_DFL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGSYS);
	mask_now("held");
	if (!sigwait(&set, &sig))
		say("sigwait: %d", sig);
	say("sigtimedwait: %d %s", sigtimedwait(&set, &info, &soon), strerror(errno));
	for (int i = 1; i < 4; i++)
		sigqueue(getpid(), SIGSYS, (union sigval){ .sival_int = i });
	sig = sigwaitinfo(&set, &info);
	say("several: %d, value %d", sig, info.si_value.sival_int);
	sig = sigtimedwait(&set, &info, &soon);
	say("one of them: %d", sig);
	handle(SIGSYS, on_signal, 0, only(0));
	raise(SIGSYS);
	mask_now("held");
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	mask_now("released");
	signal(SIGSYS, SIG_IGN);
	raise(SIGSYS);
	say("ignored");
}

/* --- masks that have SIGSYS in them */
static void masks(void)
{
	sigset_t full = all_but(0), none = only(0), open = all_but(SIGUSR1), usr1 = only(SIGUSR1), old;
	struct sigaction sa;
	struct epoll_event event;
	struct timespec now = { 0, 0 };
	struct pollfd pfd = { .fd = -1 };
	int epoll = epoll_create1(0);

	handle(SIGUSR1, on_signal, 0, full);
	sigaction(SIGUSR1, NULL, &sa);
	say("its mask has SYS: %d", sigismember(&sa.sa_mask, SIGSYS));
	raise(SIGUSR1);
	mask_now("after");
	sigprocmask(SIG_SETMASK, &full, &old);
	mask_now("all");
	raise(SIGUSR1);
	sigprocmask(SIG_SETMASK, &open, NULL);
	mask_now("open");
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	raise(SIGUSR1);
	say("sigsuspend: %d %s", sigsuspend(&open), strerror(errno));
	raise(SIGUSR1);
	say("ppoll: %d %s", ppoll(&pfd, 1, NULL, &open), strerror(errno));
	raise(SIGUSR1);
	say("pselect: %d %s", pselect(0, NULL, NULL, NULL, NULL, &open), strerror(errno));
	raise(SIGUSR1);
	say("epoll_pwait: %d %s", epoll_pwait(epoll, &event, 1, -1, &open), strerror(errno));
	say("ppoll at once: %d", ppoll(&pfd, 1, &now, &full));
	mask_now("still");
	sigprocmask(SIG_SETMASK, &none, NULL);
	mask_now("none");
	say("no such way: %d %s", sigprocmask(77, &full, NULL), strerror(errno));
	say("no such size: %ld %s", syscall(SYS_rt_sigprocmask, SIG_BLOCK, &full, NULL, 3), strerror(errno));
	say("no such mask: %ld %s", syscall(SYS_rt_sigprocmask, SIG_BLOCK, 1, NULL, 8), strerror(errno));
	mask_now("unchanged");
}

/* --- children have the masks that they are to have */
static void child_masks(const char *self)
{
	char *argv[] = { (char *)self, (char *)"show-mask", NULL };
	posix_spawnattr_t attr;
	sigset_t full = all_but(0), none = only(0), set = only(SIGSYS);
	pid_t pid;
	int status;

	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &full);
	posix_spawnattr_setsigdefault(&attr, &full);
	handle(SIGSYS, on_signal, 0, none);
	if (!posix_spawn(&pid, self, NULL, &attr, argv, environ))
		waitpid(pid, &status, 0);
	say("spawn a missing one: %d", posix_spawn(&pid, "/no/such", NULL, &attr, argv, environ));
	sigprocmask(SIG_BLOCK, &set, NULL);
	pid = fork();
	if (!pid) {
		execve(self, argv, environ);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(SIGSYS);
	pid = fork();
	if (!pid) {
		signal(SIGSYS, SIG_DFL);
		raise(SIGSYS);
		_exit(99);
	}
	waitpid(pid, &status, 0);
	say("died: %d", WTERMSIG(status));
}

/* --- what is executed finds SIGSYS ignored, or not */
static void show_ignored(void)
{
	struct sigaction sa;

	sigaction(SIGSYS, NULL, &sa);
	say("the image: ignored %d, default %d", sa.sa_handler == SIG_IGN, sa.sa_handler == SIG_DFL);
}

static void *idle(void *p)
{
	pause();
	return p;
}

static void ends(const char *what, pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	say("%s: %x", what, status);
}

static void ignores(const char *self)
{
	char *argv[] = { (char *)self, (char *)"show-ignored", NULL };
	posix_spawnattr_t attr;
	sigset_t set = only(SIGSYS);
	pthread_t thread;
	pid_t pid;

	signal(SIGSYS, SIG_IGN);
	pid = fork();
	if (!pid) {
		execve("/no/such", argv, environ);
		say("still here");
		raise(SIGSYS);
		sigprocmask(SIG_BLOCK, &set, NULL);
		execve("/no/such", argv, environ);
		mask_now("and here");
		execve(self, argv, environ);
		_exit(99);
	}
	ends("fork", pid);
	pid = vfork();
	if (!pid) {
		signal(SIGSYS, SIG_DFL);
		execve(self, argv, environ);
		_exit(99);
	}
	ends("vfork, default", pid);
	/* its parent's threads are none of the child's */
	pthread_create(&thread, NULL, idle, NULL);
	pid = vfork();
	if (!pid) {
		execve(self, argv, environ);
		_exit(99);
	}
	ends("vfork", pid);
	posix_spawnattr_init(&attr);
	if (!posix_spawn(&pid, self, NULL, &attr, argv, environ))
		ends("spawn", pid);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigdefault(&attr, &set);
	if (!posix_spawn(&pid, self, NULL, &attr, argv, environ))
		ends("spawn, default", pid);
	show_ignored();
	signal(SIGSYS, SIG_DFL);
	pid = vfork();
	if (!pid) {
		signal(SIGSYS, SIG_IGN);
		/* musl's raise() would send it to the parent */
		kill(getpid(), SIGSYS);
		execve(self, argv, environ);
		_exit(99);
	}
	ends("vfork, ignored", pid);
	show_ignored();
}

/* --- alternate stacks */
static char other_stack[65536];

static void on_stack(int sig, siginfo_t *info, void *context)
{
	stack_t now, set = { .ss_flags = SS_DISABLE };
	char here;

	(void)info;
	(void)context;
	sigaltstack(NULL, &now);
	say("%d on the other stack: %d, flags %d", sig,
	    &here >= other_stack && &here < other_stack + sizeof(other_stack), now.ss_flags);
	say("to change it there: %d %s", sigaltstack(&set, NULL), strerror(errno));
}

static void stacks(void)
{
	stack_t set = { .ss_sp = other_stack, .ss_size = sizeof(other_stack) }, now;

	sigaltstack(NULL, &now);
	say("none: flags %d size %zu", now.ss_flags, now.ss_size);
	say("too small: %d %s", sigaltstack(&(stack_t){ .ss_sp = other_stack, .ss_size = 100 }, NULL),
	    strerror(errno));
	say("set: %d", sigaltstack(&set, &now));
	sigaltstack(NULL, &now);
	say("one: flags %d size %zu %d", now.ss_flags, now.ss_size, now.ss_sp == other_stack);
	handle(SIGUSR1, on_stack, SA_ONSTACK, only(0));
	raise(SIGUSR1);
	handle(SIGUSR1, on_stack, SA_ONSTACK, all_but(0));
	raise(SIGUSR1);
	sigaltstack(NULL, &now);
	say("still: flags %d size %zu %d", now.ss_flags, now.ss_size, now.ss_sp == other_stack);
	say("disabled: %d", sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL));
	sigaltstack(NULL, &now);
	say("none: flags %d size %zu", now.ss_flags, now.ss_size);
}

/* --- calls that are interrupted */
static sigjmp_buf out;
static volatile int jump;
static volatile sig_atomic_t alarms;

/* On a busy machine it may come before the call that it is to interrupt: so it comes
   again, and says so once. */
static void soon(void)
{
	alarms = 0;
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 20000 }, { 0, 20000 } }, NULL);
}

static void later(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
}

static void on_alarm(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	(void)context;
	if (!alarms++ && write(1, "alarm\n", 6) != 6)
		_exit(98);
	if (jump) {
		later();
		siglongjmp(out, 1);
	}
}

static void *waker(void *p)
{
	int *fds = p;

	while (!alarms)
		usleep(1000);
	usleep(20000);
	if (write(fds[1], "x", 1) != 1)
		_exit(98);
	return NULL;
}

static void interrupted(void)
{
	sigset_t alarm = only(SIGALRM), none = only(0);
	pthread_t thread;
	int fds[2];
	char c;

	if (pipe(fds))
		_exit(97);
	handle(SIGALRM, on_alarm, 0, none);
	soon();
	say("read: %zd %s", read(fds[0], &c, 1), strerror(errno));
	soon();
	say("raw read: %ld %s", syscall(SYS_read, fds[0], &c, 1), strerror(errno));
	later();
	handle(SIGALRM, on_alarm, SA_RESTART, none);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	alarms = 0;
	pthread_create(&thread, NULL, waker, fds);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	soon();
	say("restarted: %zd", read(fds[0], &c, 1));
	later();
	pthread_join(thread, NULL);
	soon();
	say("usleep: %d %s", usleep(900000), strerror(errno));
	later();
	jump = 1;
	for (int i = 0; i < 3; i++) {
		if (!sigsetjmp(out, 1)) {
			soon();
			say("read: %zd", read(fds[0], &c, 1));
		}
		say("out of it");
	}
	jump = 0;
}

/* --- as fast as they come, over everything else */
static volatile int ticks;
static volatile bool storming;

/* Once: where the handler takes longer than that, nothing else would come to run. */
static void tick(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 200 }, NULL);
}

static void on_tick(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	(void)context;
	ticks++;
	if (syscall(SYS_getppid) < 0 || lseek(0, 0, SEEK_CUR) > 0)
		_exit(98);
	if (storming)
		tick();
}

static void *spin(void *p)
{
	(void)p;
	for (int i = 0; i < 3000; i++) {
		int fd = open("/dev/null", O_WRONLY);
		sigset_t set = all_but(SIGALRM), old;

		sigprocmask(SIG_SETMASK, &set, &old);
		if (fd < 0 || write(fd, "x", 1) != 1 || close(fd))
			_exit(98);
		sigprocmask(SIG_SETMASK, &old, NULL);
	}
	return NULL;
}

static void storm(void)
{
	pthread_t thread[3];

	handle(SIGALRM, on_tick, SA_RESTART, all_but(0));
	storming = true;
	tick();
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, spin, NULL);
	spin(NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	storming = false;
	later();
	say("storm: %d", ticks > 10);
}

/* --- contexts: musl has none */
#ifdef __GLIBC__
static ucontext_t main_context, other_context;
static char context_stack[65536];

static void other(void)
{
	for (int i = 0; i < 2; i++) {
		say("other context %d", i);
		swapcontext(&other_context, &main_context);
	}
	say("other context ends");
}

static void contexts(void)
{
	getcontext(&other_context);
	other_context.uc_stack = (stack_t){ .ss_sp = context_stack, .ss_size = sizeof(context_stack) };
	other_context.uc_link = &main_context;
	makecontext(&other_context, other, 0);
	for (int i = 0; i < 3; i++) {
		swapcontext(&main_context, &other_context);
		say("main context %d", i);
	}
}

/* --- cancellation: with musl the two do not go together; and calls that all threads make */
static int cancel_fds[2];

static void cleaned(void *p)
{
	say("cleaned up: %s", (const char *)p);
}

static void *blocked(void *how)
{
	char c;

	pthread_cleanup_push(cleaned, how);
	/* on a busy machine it may be cancelled here */
	if (*(const char *)how == 'a')
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	say("read: %zd", *(const char *)how == 'r' ? syscall(SYS_read, cancel_fds[0], &c, 1) :
						      read(cancel_fds[0], &c, 1));
	pthread_cleanup_pop(0);
	return NULL;
}

static void cancels(void)
{
	static const char *const how[] = { "deferred", "asynchronous" };
	pthread_t thread;
	void *ret;

	if (pipe(cancel_fds))
		_exit(97);
	for (int i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, blocked, (void *)how[i]);
		usleep(50000);
		pthread_cancel(thread);
		pthread_join(thread, &ret);
		say("%s: cancelled %d", how[i], ret == PTHREAD_CANCELED);
	}
	pthread_create(&thread, NULL, blocked, (void *)"setgid");
	usleep(50000);
	say("setgid: %d", setgid(getgid()));
	if (write(cancel_fds[1], "x", 1) != 1)
		_exit(98);
	pthread_join(thread, NULL);
}

#endif

/* --- SIGSYS by a seccomp filter */
static void on_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	say("trapped: %d code %d, getppid %d", sig, info->si_code, info->si_syscall == SYS_getppid);
	c->uc_mcontext.gregs[REG_RAX] = 4242;
}

static void traps(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { .len = 4, .filter = code };

	handle(SIGSYS, on_trap, 0, only(0));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		say("no filters here: %m");
	say("getppid: %d, again %ld", getppid(), syscall(SYS_getppid));
	signal(SIGSYS, SIG_IGN);
	say("last words");
	say("getppid: %d", getppid());
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {
		{ "sent", sent },	    { "masks", masks },	      { "stacks", stacks },
		{ "interrupted", interrupted }, { "storm", storm },	      { "traps", traps },
#ifdef __GLIBC__
		{ "contexts", contexts },   { "cancels", cancels },
#endif
	};
	const char *what = argc == 2 ? argv[1] : "";

	if (!strcmp(what, "children"))
		child_masks(argv[0]);
	else if (!strcmp(what, "show-mask"))
		mask_now("the child");
	else if (!strcmp(what, "ignores"))
		ignores(argv[0]);
	else if (!strcmp(what, "show-ignored"))
		show_ignored();
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(what, parts[i].name))
			parts[i].run();
	return 0;
}
