/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * altstacks.c - handlers and threads on stacks that are just large enough.  Says what
 * it sees; that has to be the same with IOTRACE_SYSCALLS.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "say.h"

#define SMALL 8192		/* what SIGSTKSZ was for twenty years */
#define DISARMS (1u << 31)	/* SS_AUTODISARM */

static char small[SMALL] __attribute__((aligned(64))), other[SMALL] __attribute__((aligned(64)));
static volatile int came;
static int pipe_fds[2];

static void tell(const char *when)
{
	stack_t now;

	sigaltstack(NULL, &now);
	say("%s: flags %x size %zu, %s", when, (unsigned int)now.ss_flags, now.ss_size,
	    now.ss_sp == small ? "the first" : now.ss_sp == other ? "the second" : now.ss_sp ? "another" : "none");
}

static void set(void *sp, size_t size, unsigned int flags)
{
	stack_t s = { .ss_sp = sp, .ss_size = size, .ss_flags = (int)flags };
	int ret = sigaltstack(&s, NULL);

	if (ret)
		say("refused: %s", strerror(errno));
}

static void handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags };

	sigaction(sig, &act, NULL);
}

static void writes(int sig)
{
	(void)sig;
	came++;
	for (int i = 0; i < 3; i++)
		if (syscall(SYS_write, pipe_fds[1], "x", 1) != 1 || write(pipe_fds[1], "", 0))
			_exit(98);
}

static void asks(int sig)
{
	writes(sig);
	tell("within");
	set(NULL, 0, SS_DISABLE);
}

static void drain(void)
{
	char buf[4096];

	if (read(pipe_fds[0], buf, sizeof(buf)) < 0)
		_exit(97);
}

static void raise_on(const char *what, void (*handler)(int))
{
	came = 0;
	handle(SIGUSR1, handler, SA_ONSTACK);
	for (int i = 0; i < 100; i++) {
		raise(SIGUSR1);
		drain();
	}
	say("%s: %d", what, came);
}

static void sizes(void)
{
	stack_t old;

	tell("at first");
	sigaltstack(&(stack_t){ .ss_sp = small, .ss_size = SMALL }, &old);
	say("it was flags %x size %zu", (unsigned int)old.ss_flags, old.ss_size);
	tell("set");
	raise_on("raised", writes);
	handle(SIGUSR1, asks, SA_ONSTACK);
	raise(SIGUSR1);
	drain();
	sigaltstack(&(stack_t){ .ss_sp = other, .ss_size = SMALL }, &old);
	say("it was %d, size %zu", old.ss_sp == small, old.ss_size);
	tell("another");
	raise_on("raised", writes);
	set(old.ss_sp, old.ss_size, (unsigned int)old.ss_flags);
	tell("the old one");
	set(small, 4 * 1024, 0);
	tell("less of it");
	set(small, SMALL, DISARMS);
	tell("disarms");
	raise_on("raised", writes);
	handle(SIGUSR1, asks, SA_ONSTACK);
	raise(SIGUSR1);
	drain();
	tell("armed again");
	set(NULL, 0, SS_DISABLE);
	tell("disabled");
	say("bad: %d %d", (int)syscall(SYS_sigaltstack, 8L, NULL), errno);
	say("too small: %d %d", sigaltstack(&(stack_t){ .ss_sp = small, .ss_size = 100 }, NULL), errno);
}

#define ALARMS 500

/* Once: where the handler takes longer than that, nothing else would come to run. */
static void soon(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 300 }, NULL);
}

static void alarms(int sig)
{
	writes(sig);
	if (came < ALARMS)
		soon();
}

/* While a system call is made, and while another one's is. */
static void interrupted(void)
{
	set(small, SMALL, 0);
	came = 0;
	handle(SIGALRM, alarms, SA_ONSTACK | SA_RESTART);
	handle(SIGUSR2, writes, 0);
	soon();
	while (came < ALARMS) {
		char c;

		if (read(pipe_fds[0], &c, 1) != 1)
			_exit(96);
		syscall(SYS_getppid);
	}
	say("interrupted");
}

/* --- threads */
static void *work(void *arg)
{
	char c;

	tell("in a thread");
	for (int i = 0; i < 100; i++)
		if (write(pipe_fds[1], "y", 1) != 1 || read(pipe_fds[0], &c, 1) != 1)
			return NULL;
	raise(SIGUSR1);
	tell("still");
	set(NULL, 0, SS_DISABLE);
	raise(SIGUSR1);
	tell("disabled");
	if (fork() == 0) {
		raise(SIGUSR1);
		_exit(0);
	}
	set(other, SMALL, 0);
	tell("its own");
	handle(SIGUSR2, writes, SA_ONSTACK);
	raise(SIGUSR2);
	return arg;
}

static void threads(void)
{
	pthread_attr_t attr;
	void *ret;

	handle(SIGUSR1, writes, 0);
	pthread_attr_init(&attr);
	say("least: %d", pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN + 4096));
	for (int i = 0; i < 30; i++) {
		pthread_t thread;

		ret = NULL;
		if (pthread_create(&thread, &attr, work, pipe_fds) || pthread_join(thread, &ret))
			_exit(95);
		say("thread %d: %d", i, ret == pipe_fds);
	}
}

/* Two threads with one stack, whose handlers take turns while the other makes system calls.
   Stacks that overlap are one. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char roomy[65536] __attribute__((aligned(64)));

static void *takes_turns(void *arg)
{
	const stack_t *own = arg;

	set(own->ss_sp, own->ss_size, 0);
	for (int i = 0; i < 300; i++) {
		for (int j = 0; j < 5; j++)
			syscall(SYS_getppid);
		pthread_mutex_lock(&turn);
		raise(SIGUSR1);
		drain();
		pthread_mutex_unlock(&turn);
	}
	return arg;
}

static void share(char *first, char *second, size_t size)
{
	stack_t own[2] = { { .ss_sp = first, .ss_size = size }, { .ss_sp = second, .ss_size = size } };
	pthread_t thread[2];

	came = 0;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, takes_turns, &own[i]))
			_exit(95);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	say("shared, %zu: %d", size, came);
}

static void shared(void)
{
	handle(SIGUSR1, writes, SA_ONSTACK);
	share(small, small, SMALL);
	share(roomy, roomy, sizeof(roomy));
	share(roomy, roomy + 16384, sizeof(roomy) - 16384);
}

static void spawns(int sig)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"exit 7", NULL };
	int status = -1, r;
	pid_t pid = 0;

	(void)sig;
	r = posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ);
	say("posix_spawn: %d", r);
	say("wait: %d", waitpid(pid, &status, 0) == pid);
	say("status: %x", status);
}

/* A child that has the memory in common, while its parent is on the stack. */
static void children(void)
{
	static char large[8 * SMALL] __attribute__((aligned(64)));

	set(large, sizeof(large), 0);
	handle(SIGUSR1, spawns, SA_ONSTACK);
	raise(SIGUSR1);
	set(NULL, 0, SS_DISABLE);
	say("back: %d", system("exit 3"));
}

/* --- handlers that switch to another stack, to be gone on with later */
#ifdef __GLIBC__
static ucontext_t left_context, elsewhere_context;

static void elsewhere(void)
{
	for (;;) {
		for (int i = 0; i < 3; i++)
			say("elsewhere");
		swapcontext(&elsewhere_context, &left_context);
	}
}

static void leaves(int sig)
{
	volatile char mine[600];
	int bad = 0;

	memset((char *)mine, sig, sizeof(mine));
	say("before");
	swapcontext(&left_context, &elsewhere_context);
	for (size_t i = 0; i < sizeof(mine); i++)
		bad += mine[i] != (char)sig;
	say("after: %d bytes are others", bad);
}

static void left(void)
{
	static char large[8 * SMALL] __attribute__((aligned(64))), stack[8 * SMALL];

	getcontext(&elsewhere_context);
	elsewhere_context.uc_stack = (stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) };
	makecontext(&elsewhere_context, elsewhere, 0);
	handle(SIGUSR1, leaves, SA_ONSTACK);
	for (int i = 0; i < 6; i++) {
		set(i % 2 ? large : small, i % 2 ? sizeof(large) : sizeof(small), DISARMS);
		raise(SIGUSR1);
		tell("back");
	}
}

static int child_ends(void *arg)
{
	_exit(write(pipe_fds[1], arg, 1) == 1 ? 4 : 5);
}

/* The thread's own stack, for all that it knows, when a child in its memory has ended. */
static void lent(void)
{
	static char stack[8 * SMALL] __attribute__((aligned(64)));
	int status;

	getcontext(&elsewhere_context);
	elsewhere_context.uc_stack = (stack_t){ .ss_sp = stack + 4 * SMALL, .ss_size = 4 * SMALL };
	makecontext(&elsewhere_context, elsewhere, 0);
	handle(SIGUSR1, leaves, SA_ONSTACK);
	for (int i = 0; i < 3; i++) {
		pid_t pid = clone(child_ends, stack + 4 * SMALL, CLONE_VM | CLONE_VFORK | SIGCHLD, (char *)"c"), ended;

		ended = waitpid(pid, &status, 0);
		say("a child: %d %x", ended == pid, status);
		raise(SIGUSR1);
		tell("back");
	}
}

static sigjmp_buf out;

static void jumps(int sig)
{
	writes(sig);
	siglongjmp(out, 1);
}

/* Memory below the stack pointer, as far as a signal's frame goes: marks, or counts what is
   no mark any more. */
static __attribute__((noinline)) int below(bool count)
{
	volatile char there[2048];
	int others = 0;

	for (size_t i = 0; i < sizeof(there); i++)
		if (!count)
			there[i] = 'm';
		else if (i < sizeof(there) / 2)
			others += there[i] != 'm';
	return others;
}

static void look_below(void)
{
	int others;

	/* the first after a jump brings our stack back */
	syscall(SYS_getppid);
	below(false);
	syscall(SYS_getppid);
	others = below(true);
	say("below: %d bytes are others", others);
}

static void *on_small_stack(void *arg)
{
	handle(SIGUSR1, leaves, 0);
	raise(SIGUSR1);
	tell("back");
	for (int i = 0; i < 5; i++) {
		handle(SIGUSR1, jumps, 0);
		if (!sigsetjmp(out, 1))
			raise(SIGUSR1);
		look_below();
		handle(SIGUSR1, asks, 0);
		raise(SIGUSR1);
		look_below();
	}
	tell("at last");
	return arg;
}

static void unseen(void)
{
	static char stack[4 * SMALL] __attribute__((aligned(64)));
	pthread_attr_t attr;
	pthread_t thread;

	getcontext(&elsewhere_context);
	elsewhere_context.uc_stack = (stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) };
	makecontext(&elsewhere_context, elsewhere, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN + 4096);
	if (pthread_create(&thread, &attr, on_small_stack, NULL) || pthread_join(thread, NULL))
		_exit(95);
}
#else
static void left(void) {}
static void lent(void) {}
static void unseen(void) {}
#endif

/* in a child that has no memory for anything, on its own stack and on an alternate one */
static void short_handler(int sig)
{
	(void)sig;
	tell("without memory, in the handler");
}

static void without_memory(void)
{
	const struct rlimit none = { 1 << 16, 1 << 16 };
	const pid_t pid = fork();
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };

	if (pid == 0) {
		setrlimit(RLIMIT_AS, &none);
		tell("without memory");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	if (fork() == 0) {
		struct sigaction act = { .sa_handler = short_handler, .sa_flags = SA_ONSTACK };

		sigaltstack(&stack, NULL);
		if (fork() == 0) {
			sigaction(SIGUSR1, &act, NULL);
			setrlimit(RLIMIT_AS, &none);
			raise(SIGUSR1);
			tell("without memory, with a stack");
			_exit(0);
		}
		wait(NULL);
		_exit(0);
	}
	wait(NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*part)(void);
	} parts[] = {
		{ "sizes", sizes }, { "interrupted", interrupted }, { "threads", threads }, { "shared", shared },
		{ "children", children }, { "left", left }, { "lent", lent }, { "unseen", unseen },
		{ "without-memory", without_memory },
	};

	if (pipe2(pipe_fds, 0))
		return 99;
	for (size_t i = 0; argc > 1 && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(argv[1], parts[i].name))
			parts[i].part();
	return 0;
}
