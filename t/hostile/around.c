/* SPDX-License-Identifier: BSD-3-Clause */
/* around.c - situations in which an operation is made. */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <ftw.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

/* What a handler or callback has to do, and where it may jump to. */
struct task {
	const struct op *op;
	int depth;
	sigjmp_buf back;
	bool jump;
};

static __thread struct task *current;

/* Stacks of our own: one for signals at each depth, a clone's, a coroutine's.  Beneath each
   lies a page that faults: an operation that faults in the handler of its own fault overflows. */
#define STACK_SIZE (1 << 16)
#define GUARD_SIZE 4096
enum { CLONE_STACK = N_AROUND + 1, CO_STACK, N_STACKS };
static char (*stacks)[GUARD_SIZE + STACK_SIZE];

void stacks_init(void)
{
	stacks = mmap(NULL, N_STACKS * sizeof(*stacks), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stacks == MAP_FAILED)
		abort();
	for (int i = 0; i < N_STACKS; i++)
		if (mprotect(stacks[i], GUARD_SIZE, PROT_NONE))
			abort();
}

static char *stack_of(int which)
{
	return stacks[which] + GUARD_SIZE;
}

void wait_for(const struct op *op, const char *what, int pid)
{
	int status = 0, cancels;
	pid_t got;

	/* A thread that is cancelled already would end while the child still tells what it does. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
	always_hold(true);
	got = waitpid(pid, &status, 0);
	always_hold(false);
	pthread_setcancelstate(cancels, NULL);
	if (got != pid)
		say(op, "%s: not waited for, %s", what, error_name(errno));
	else if (WIFSIGNALED(status))
		say(op, "%s: killed by %d", what, WTERMSIG(status));
	else
		say(op, "%s: exited with %d", what, WEXITSTATUS(status));
}

/* --- processes */

static void in_fork(const struct op *op, int depth)
{
	pid_t pid = fork();

	if (pid == 0) {
		run_op(op, depth);
		if (op->seed & 1)
			exit(7);
		_exit(8);
	}
	if (pid > 0)
		wait_for(op, "fork", pid);
}

static void in_vfork(const struct op *op, int depth)
{
	pid_t pid = vfork();

	if (pid == 0) {
		run_op(op, depth);
		_exit(9);
	}
	if (pid > 0)
		wait_for(op, "vfork", pid);
}

static int task_entry(void *arg)
{
	struct task *t = arg;

	always_hold(false);
	run_op(t->op, t->depth);
	return 3;
}

static void in_clone(const struct op *op, int depth)
{
	struct task t = { .op = op, .depth = depth };
	int flags = CLONE_VM | SIGCHLD | (op->seed & 1 ? CLONE_FILES : 0) | (op->seed & 2 ? CLONE_VFORK : 0);
	int pid;

	/* errno is one variable for the two: our handler restores what the child has stored since */
	always_hold(true);
	pid = clone(task_entry, stack_of(CLONE_STACK) + STACK_SIZE, flags, &t);
	if (pid > 0)
		wait_for(op, "clone", pid);
	else
		say(op, "clone: %s", error_name(errno));
	always_hold(false);
}

/* --- threads */

static void *thread_entry(void *arg)
{
	struct task *t = arg;

	run_op(t->op, t->depth);
	return NULL;
}

/* Also for a thread that is cancelled already. */
static int wait_for_thread(pthread_t thread, void **result)
{
	int cancels, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
	error = pthread_join(thread, result);
	pthread_setcancelstate(cancels, NULL);
	return error;
}

static void in_thread(const struct op *op, int depth)
{
	struct task t = { .op = op, .depth = depth };
	pthread_attr_t attr;
	pthread_t thread;
	int error;

	pthread_attr_init(&attr);
	if (op->seed & 1)
		pthread_attr_setstacksize(&attr, 128 << 10);
	error = pthread_create(&thread, &attr, thread_entry, &t);
	pthread_attr_destroy(&attr);
	if (error)
		say(op, "thread: %s", error_name(error));
	else
		wait_for_thread(thread, NULL);
}

/* A thread that lives on: it makes one operation after another. */
static struct worker {
	sem_t go, done;
	bool alive, gone;
	struct task task;
} workers[6];

static void *worker_entry(void *arg)
{
	struct worker *w = arg;

	for (;;) {
		while (sem_wait(&w->go))
			;
		if (!w->task.op)
			return NULL;
		run_op(w->task.op, w->task.depth);
		sem_post(&w->done);
	}
}

/* Nothing keeps the process alive. */
void workers_end(void)
{
	for (int i = 0; i < 3; i++)
		if (workers[i].alive && !workers[i].task.op) {
			sem_post(&workers[i].go);
			/* handlers of exit begin another, with semaphores of its own */
			workers[i].gone = true;
		}
	crowd_end();
}

static pid_t workers_of;

static void in_worker(const struct op *op, int depth)
{
	struct worker *w = &workers[op->seed % 3];
	pthread_t thread;
	int cancels;

	w += w->gone ? 3 : 0;

	/* a child has none, and a worker does not wait for another */
	if (workers_of && workers_of != getpid()) {
		run_op(op, depth);
		return;
	}
	workers_of = getpid();
	if (w->task.op && w->task.op->index == op->index) {
		run_op(op, depth);
		return;
	}
	w->task.op = op;
	w->task.depth = depth;
	if (!w->alive) {
		sem_init(&w->go, 0, 0);
		sem_init(&w->done, 0, 0);
		if (pthread_create(&thread, NULL, worker_entry, w)) {
			say(op, "no worker");
			return;
		}
		pthread_detach(thread);
		w->alive = true;
	}
	sem_post(&w->go);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
	while (sem_wait(&w->done))
		;
	pthread_setcancelstate(cancels, NULL);
	w->task.op = NULL;
}

static void cleanup(void *arg)
{
	const struct task *t = arg;

	say(t->op, "cleanup");
}

static void *cancel_entry(void *arg)
{
	struct task *t = arg;

	pthread_cleanup_push(cleanup, t);
	pthread_cancel(pthread_self());
	run_op(t->op, t->depth);
	say(t->op, "survived");
	pthread_testcancel();
	pthread_cleanup_pop(0);
	return NULL;
}

/* A thread that is cancelled already: the operation is the end of it or not. */
static void in_cancelled(const struct op *op, int depth)
{
	struct task t = { .op = op, .depth = depth };
	pthread_t thread;
	void *result;

	if (!pthread_create(&thread, NULL, cancel_entry, &t) && !wait_for_thread(thread, &result))
		say(op, "cancelled: %s", result == PTHREAD_CANCELED ? "yes" : "no");
}

static void destroy(void *arg)
{
	struct task *t = arg;

	run_op(t->op, t->depth);
}

static void *destroy_entry(void *arg)
{
	struct task *t = arg;
	pthread_key_t *key = (pthread_key_t *)(t + 1);

	pthread_setspecific(*key, t);
	return NULL;
}

/* While a thread ends. */
static void in_destructor(const struct op *op, int depth)
{
	struct {
		struct task t;
		pthread_key_t key;
	} x = { .t = { .op = op, .depth = depth } };
	pthread_t thread;

	if (pthread_key_create(&x.key, destroy))
		return;
	if (!pthread_create(&thread, NULL, destroy_entry, &x))
		wait_for_thread(thread, NULL);
	pthread_key_delete(x.key);
}

/* --- signals */

static void handler(int sig)
{
	struct task *t = current;

	(void)sig;
	if (!t)
		return;
	run_op(t->op, t->depth);
	if (t->jump)
		siglongjmp(t->back, 1);
}

static void by_signal(const struct op *op, int depth, int flags, bool jump)
{
	struct task t = { .op = op, .depth = depth, .jump = jump }, *outer = current;
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags | SA_NODEFER }, before;
	int sig = op->seed & 16 ? SIGUSR1 : op->seed & 32 ? SIGRTMIN + 2 : SIGUSR2;
	sigset_t set, mask;

	sigaction(sig, &action, &before);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_UNBLOCK, &set, &mask);
	current = &t;
	if (!jump || !sigsetjmp(t.back, 1))
		raise(sig);
	current = outer;
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	sigaction(sig, &before, NULL);
}

static void in_handler(const struct op *op, int depth)
{
	by_signal(op, depth, op->seed & 1 ? SA_RESTART : 0, false);
}

static void in_handler_jump(const struct op *op, int depth)
{
	by_signal(op, depth, op->seed & 1 ? SA_RESTART : 0, true);
}

/* What is left by swapcontext() on an alternate stack the next signal overwrites, as SIGSYS
   under --syscalls, unless the stack is none for as long as the handler is not through. */
static int leaves_stack(const struct op *op, int depth)
{
	for (; depth < op->n_around; depth++)
		if (!strcmp(arounds[op->around[depth]].name, "coroutine"))
			return (int)(1U << 31); /* SS_AUTODISARM */
	return 0;
}

static void on_stack(const struct op *op, int depth, bool jump, size_t size)
{
	stack_t stack = { .ss_sp = stack_of(depth), .ss_size = size, .ss_flags = leaves_stack(op, depth) }, before;

	/* on it already: it can't be changed */
	if (sigaltstack(&stack, &before)) {
		run_op(op, depth);
		return;
	}
	by_signal(op, depth, SA_ONSTACK, jump);
	sigaltstack(&before, NULL);
}

static void in_altstack(const struct op *op, int depth)
{
	on_stack(op, depth, op->seed & 1 && with(JUMPS), STACK_SIZE);
}

static void in_small_altstack(const struct op *op, int depth)
{
	/* Where there is AVX-512 a timer's handler on top of it takes another 3.5 KB, and the dynamic
	   linker 3.5 KB more at a function's first call: with 12 KB the untraced program died. */
	on_stack(op, depth, false, features & TIMERS ? 20 << 10 : op->seed & 1 ? 12 << 10 : 8 << 10);
}

/* A fault, and the handler that jumps out of it. */
static void in_fault(const struct op *op, int depth)
{
	struct task t = { .op = op, .depth = depth, .jump = true }, *outer = current;
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_NODEFER }, before;

	sigaction(SIGSEGV, &action, &before);
	current = &t;
	if (!sigsetjmp(t.back, 1))
		*(volatile char *)8 = 1;
	current = outer;
	sigaction(SIGSEGV, &before, NULL);
}

static void in_blocked(const struct op *op, int depth)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	run_op(op, depth);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- calls that call back */

static int visit(const char *path, const struct stat *st, int type)
{
	struct task *t = current;

	(void)path, (void)st, (void)type;
	if (!t)
		return 1;
	run_op(t->op, t->depth);
	if (t->jump)
		siglongjmp(t->back, 1);
	return 1;
}

static void in_ftw(const struct op *op, int depth)
{
	struct task t = { .op = op, .depth = depth, .jump = op->seed & 1 && with(JUMPS) }, *outer = current;

	current = &t;
	if (!sigsetjmp(t.back, 0))
		say(op, "ftw = %d", ftw(".", visit, 3));
	current = outer;
}

static ssize_t cookie_io(void *cookie, char *buf, size_t size)
{
	struct task *t = cookie;

	(void)buf, (void)size;
	run_op(t->op, t->depth);
	if (t->jump)
		siglongjmp(t->back, 1);
	return 0;
}

static void in_cookie(const struct op *op, int depth)
{
	struct task t = { .op = op, .depth = depth, .jump = op->seed & 1 && with(JUMPS) };
	FILE *f = fopencookie(&t, "r", (cookie_io_functions_t){ .read = cookie_io });

	if (!f)
		return;
	/* what is jumped out of would stay locked */
	__fsetlocking(f, FSETLOCKING_BYCALLER);
	if (!sigsetjmp(t.back, 0))
		say(op, "fgetc = %d", fgetc(f));
	/* a stream that was left in the middle is nobody's any more */
	if (!t.jump)
		fclose(f);
}

static int filter_entry(const struct dirent *e)
{
	struct task *t = current;

	(void)e;
	if (t && t->op) {
		const struct op *op = t->op;

		t->op = NULL;
		run_op(op, t->depth);
	}
	return 0;
}

static void in_scandir(const struct op *op, int depth)
{
	struct task t = { .op = op, .depth = depth }, *outer = current;
	struct dirent **list = NULL;

	current = &t;
	say(op, "scandir = %d", scandir(".", &list, filter_entry, alphasort));
	current = outer;
	free(list);
}

/* --- later, and on other stacks */

static struct task at_exit[8];
static int n_at_exit;
static bool late;

static sigset_t mask_at_end;

/* Before the first thread ends by itself.  Handlers of exit are called by the last one then, which
   may be one that libc has for AIO, where all signals are blocked: a fault is the end of it. */
void exits_late(void)
{
	pthread_sigmask(SIG_BLOCK, NULL, &mask_at_end);
	late = true;
}

static void exit_entry(void)
{
	if (late)
		pthread_sigmask(SIG_SETMASK, &mask_at_end, NULL);
	if (n_at_exit > 0) {
		struct task *t = &at_exit[--n_at_exit];

		run_op(t->op, t->depth);
	}
}

static void in_exit(const struct op *op, int depth)
{
	if (n_at_exit == 8) {
		run_op(op, depth);
		return;
	}
	at_exit[n_at_exit++] = (struct task){ .op = op, .depth = depth };
	atexit(exit_entry);
}

static ucontext_t main_context, co_context;
static struct task co_task;

static void co_entry(void)
{
	run_op(co_task.op, co_task.depth);
}

static void in_coroutine(const struct op *op, int depth)
{
	if (co_task.op) {
		run_op(op, depth);
		return;
	}
	co_task = (struct task){ .op = op, .depth = depth };
	getcontext(&co_context);
	co_context.uc_stack.ss_sp = stack_of(CO_STACK);
	co_context.uc_stack.ss_size = STACK_SIZE;
	co_context.uc_link = &main_context;
	makecontext(&co_context, co_entry, 0);
	swapcontext(&main_context, &co_context);
	co_task.op = NULL;
}

const struct around arounds[] = {
	{ "fork", FORK, false, in_fork },
	{ "vfork", VFORK, true, in_vfork },
	{ "clone", SHAREVM, true, in_clone },
	{ "limits", FORK | LIMITS, false, in_limits },
	{ "closed", FORK | DESCRIPTORS, false, in_closed },
	{ "nobody", FORK | PRIVILEGES, false, in_nobody },
	{ "filter", FORK | SECCOMP, false, in_filter },
	{ "thread", THREADS, false, in_thread },
	{ "worker", THREADS, false, in_worker },
	{ "cancelled", THREADS | CANCEL, true, in_cancelled },
	{ "destructor", THREADS, false, in_destructor },
	{ "handler", SIGNALS, false, in_handler },
	{ "handler-jump", SIGNALS | JUMPS, false, in_handler_jump },
	{ "altstack", SIGNALS, false, in_altstack },
	{ "small-altstack", SIGNALS | SMALLSTACK, true, in_small_altstack },
	{ "fault", SIGNALS | JUMPS, false, in_fault },
	{ "blocked", SIGNALS, false, in_blocked },
	{ "ftw", 0, false, in_ftw },
	{ "cookie", STDIO, false, in_cookie },
	{ "scandir", 0, false, in_scandir },
	{ "atexit", 0, false, in_exit },
	{ "coroutine", COROUTINES, false, in_coroutine },
};
const int n_arounds = sizeof(arounds) / sizeof(arounds[0]);
