/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * processes.c - children of all kinds, by raw system calls and by libc's; and what
 * a system call leaves of the registers.  Says what it sees; that has to be the
 * same with IOTRACE_SYSCALLS.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

#define CLONE_THREADS (0x00000100 | 0x00000200 | 0x00000400 | 0x00000800 | 0x00010000)	/* VM FS FILES SIGHAND THREAD */

extern char **environ;

static inline long raw(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long ret;

	__asm__ __volatile__("syscall" : "=a"(ret)
			     : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			     : "rcx", "r11", "memory");
	return ret;
}

static void line(const char *s)
{
	raw(SYS_write, 1, (long)s, (long)strlen(s), 0, 0, 0);
}

static void wait_for(const char *what, long pid)
{
	int status = -1;

	if (pid <= 0)
		say("%s: %ld", what, pid);
	if (waitpid((pid_t)pid, &status, __WALL) != pid)
		say("%s: waitpid: %m", what);
	say("%s: status %x", what, status);
}

/* --- a copy of the process */
static void forks(void)
{
	long pid = raw(SYS_fork, 0, 0, 0, 0, 0, 0);

	if (!pid) {
		line("raw fork's child\n");
		say("and by libc");
		raw(SYS_exit_group, 3, 0, 0, 0, 0, 0);
	}
	wait_for("raw fork", pid);
	pid = raw(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
	if (!pid) {
		line("raw clone's child\n");
		_exit(4);
	}
	wait_for("raw clone", pid);
	pid = syscall(SYS_clone3, &(struct clone_args){ .exit_signal = SIGCHLD }, sizeof(struct clone_args));
	if (!pid) {
		say("clone3's child");
		_exit(5);
	}
	wait_for("clone3", pid);
	pid = fork();
	if (!pid) {
		pid_t inner = fork();

		if (!inner) {
			line("grandchild\n");
			_exit(6);
		}
		wait_for("grandchild", inner);
		exit(7);
	}
	wait_for("fork", pid);
}

/* --- a child in our memory, on our stack */
static volatile int shared;

static void vforks(void)
{
	char *argv[] = { (char *)"/bin/echo", (char *)"executed", NULL };
	long pid = raw(SYS_vfork, 0, 0, 0, 0, 0, 0);

	if (!pid) {
		shared = 1;
		line("raw vfork's child\n");
		raw(SYS_exit, 8, 0, 0, 0, 0, 0);
	}
	wait_for("raw vfork", pid);
	say("shared %d", shared);
	pid = raw(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0, 0);
	if (!pid) {
		raw(SYS_execve, (long)"/no/such", (long)argv, (long)environ, 0, 0, 0);
		shared = 2;
		raw(SYS_execve, (long)"/bin/echo", (long)argv, (long)environ, 0, 0, 0);
		raw(SYS_exit, 99, 0, 0, 0, 0, 0);
	}
	wait_for("clone like vfork", pid);
	say("shared %d", shared);
	pid = raw(SYS_vfork, 0, 0, 0, 0, 0, 0);
	if (!pid) {
		/* its own child, at the same place of the stack */
		pid = raw(SYS_vfork, 0, 0, 0, 0, 0, 0);
		if (!pid) {
			line("raw vfork's grandchild\n");
			raw(SYS_exit, 9, 0, 0, 0, 0, 0);
		}
		shared = (int)(pid > 0);
		line("its parent\n");
		raw(SYS_exit, 10, 0, 0, 0, 0, 0);
	}
	wait_for("raw vfork", pid);
	say("shared %d", shared);
	pid = vfork();
	if (!pid) {
		line("vfork's child\n");
		execv("/bin/echo", argv);
		_exit(99);
	}
	wait_for("vfork", pid);
	say("posix_spawn, system: %d", system("echo shell"));
}

/* --- a child on a stack of its own */
static char stack[1 << 18] __attribute__((aligned(64)));

static int child_main(void *p)
{
	shared = 20;
	line("child_main\n");
	say("%s", (const char *)p);
	return 11;
}

static void clones(void)
{
	struct clone_args args = { .flags = CLONE_VM | CLONE_VFORK, .exit_signal = SIGCHLD,
				   .stack = (uintptr_t)stack, .stack_size = sizeof(stack) };
	long pid;

	wait_for("clone", clone(child_main, stack + sizeof(stack), SIGCHLD, (void *)"a copy"));
	say("shared %d", shared);
	wait_for("clone, VM and VFORK",
		 clone(child_main, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)"in our memory"));
	say("shared %d", shared);
	shared = 0;
	pid = raw(SYS_clone3, (long)&args, sizeof(args), 0, 0, 0, 0);
	if (!pid) {
		/* nothing is on this stack */
		__asm__ __volatile__("movl $21, shared(%rip)\n movl $60, %eax\n movl $12, %edi\n syscall");
	}
	wait_for("clone3, VM and VFORK", pid);
	say("shared %d", shared);
	say("no such flags: %ld", raw(SYS_clone, CLONE_SIGHAND, (long)(stack + sizeof(stack)), 0, 0, 0, 0));
	say("no such arguments: %ld", raw(SYS_clone3, 8, sizeof(args), 0, 0, 0, 0));
}

/* --- children of which the kernel takes the handlers away */
#ifndef CLONE_CLEAR_SIGHAND
#define CLONE_CLEAR_SIGHAND 0x100000000ULL
#endif

static void handle(int sig)
{
	(void)sig;
}

/* What the child has for SIGUSR1, SIGUSR2 and SIGSYS: exits with that. */
static int handlers(void)
{
	struct sigaction act;
	int has = 0;
	const int signals[] = { SIGUSR1, SIGUSR2, SIGSYS };

	for (int i = 0; i < 3; i++)
		if (sigaction(signals[i], NULL, &act) == 0)
			has = 4 * has + (act.sa_handler == SIG_DFL ? 1 : act.sa_handler == SIG_IGN ? 2 : 3);
	return has;
}

static void cleared(void)
{
	struct clone_args args = { .flags = CLONE_CLEAR_SIGHAND, .exit_signal = SIGCHLD };
	long pid;

	signal(SIGUSR1, handle);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGSYS, handle);
	pid = raw(SYS_clone3, (long)&args, sizeof(args), 0, 0, 0, 0);
	if (!pid) {
		line("a copy's child\n");
		_exit(handlers());
	}
	wait_for("a copy", pid);
	args.flags |= CLONE_VM | CLONE_VFORK;
	pid = raw(SYS_clone3, (long)&args, sizeof(args), 0, 0, 0, 0);
	if (!pid) {
		shared = 30;
		line("vfork's child\n");
		raw(SYS_exit, handlers(), 0, 0, 0, 0, 0);
	}
	wait_for("like vfork", pid);
	say("shared %d", shared);
	args.stack = (uintptr_t)stack;
	args.stack_size = sizeof(stack);
	pid = raw(SYS_clone3, (long)&args, sizeof(args), 0, 0, 0, 0);
	if (!pid) {
		/* nothing is on this stack */
		__asm__ __volatile__("movl $31, shared(%rip)\n movl $39, %eax\n syscall\n"
				     "movl $60, %eax\n movl $12, %edi\n syscall");
	}
	wait_for("like posix_spawn", pid);
	say("shared %d, here %d", shared, handlers());
}

/* --- threads */
static void *thread_main(void *p)
{
	int fd = (int)raw(SYS_openat, AT_FDCWD, (long)"/dev/null", O_WRONLY, 0, 0, 0);

	raw(SYS_write, fd, (long)p, 1, 0, 0, 0);
	close(fd);
	return p;
}

/* By clone alone: it shares our thread-local storage, or has none.  The kernel clears
   this and wakes us when the thread is off its stack. */
static volatile int raw_thread_runs;

static __attribute__((noinline, used)) void raw_thread_main(void)
{
	long fd = raw(SYS_openat, AT_FDCWD, (long)"/dev/null", O_WRONLY, 0, 0, 0);

	for (int i = 0; i < 100; i++)
		if (raw(SYS_write, fd, (long)"x", 1, 0, 0, 0) != 1)
			raw(SYS_exit_group, 97, 0, 0, 0, 0, 0);
	raw(SYS_close, fd, 0, 0, 0, 0, 0);
	raw(SYS_exit, 0, 0, 0, 0, 0, 0);
}

static long raw_thread(void)
{
	void **top = (void **)(stack + sizeof(stack)) - 8;
	register long r10 __asm__("r10") = (long)&raw_thread_runs, r8 __asm__("r8") = 0;
	long ret;

	top[0] = (void *)raw_thread_main;
	__asm__ __volatile__("syscall\n	testq %%rax, %%rax\n	jnz 1f\n"
			     "	xorl %%ebp, %%ebp\n	popq %%rax\n	call *%%rax\n1:"
			     : "=a"(ret)
			     : "a"(SYS_clone), "D"(CLONE_THREADS | CLONE_CHILD_CLEARTID), "S"(top), "d"(0L), "r"(r10), "r"(r8)
			     : "rcx", "r11", "memory");
	return ret;
}

static void threads(void)
{
	pthread_t t[8];
	void *ret;
	int good = 0;

	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 8; i++)
			pthread_create(&t[i], NULL, thread_main, t + i);
		for (int i = 0; i < 8; i++)
			good += !pthread_join(t[i], &ret) && ret == t + i;
	}
	say("threads: %d", good);
	for (int i = 0; i < 3; i++) {
		raw_thread_runs = 1;
		if (raw_thread() <= 0)
			say("no raw thread");
		while (raw_thread_runs)
			raw(SYS_futex, (long)&raw_thread_runs, 0 /* FUTEX_WAIT */, 1, 0, 0, 0);
	}
	say("raw threads");
}

/* --- what is left of the registers, and below the stack pointer */
struct registers {
	unsigned long general[13], below[16], flags;
	unsigned char vector[16][32], control[4];
};

__asm__(".text\n.type call_with,@function\ncall_with:\n"
	/* rdi: struct registers, rsi: number */
	"	pushq %rbx\n	pushq %rbp\n	pushq %r12\n	pushq %r13\n	pushq %r14\n	pushq %r15\n"
	"	pushq %rdi\n	movq %rsi, %rax\n	movq %rdi, %rcx\n"
	"	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	"	movups 240+32*\\n(%rcx), %xmm\\n\n	movq 104+8*\\n(%rcx), %r11\n	movq %r11, -128+8*\\n(%rsp)\n"
	"	.endr\n"
	"	ldmxcsr 752(%rcx)\n"
	"	movq (%rcx), %rbx\n	movq 8(%rcx), %rdx\n	movq 16(%rcx), %rsi\n	movq 24(%rcx), %rdi\n"
	"	movq 32(%rcx), %rbp\n	movq 40(%rcx), %r8\n	movq 48(%rcx), %r9\n	movq 56(%rcx), %r10\n"
	"	movq 64(%rcx), %r12\n	movq 72(%rcx), %r13\n	movq 80(%rcx), %r14\n	movq 88(%rcx), %r15\n"
	"	cmpl $0, %eax\n	stc\n"
	"	syscall\n"
	"	movq %rax, %r11\n	movq (%rsp), %rcx\n	movq %rax, 96(%rcx)\n"
	"	setc %al\n	movzbl %al, %eax\n	movq %rax, 232(%rcx)\n"
	"	movq %rbx, (%rcx)\n	movq %rdx, 8(%rcx)\n	movq %rsi, 16(%rcx)\n	movq %rdi, 24(%rcx)\n"
	"	movq %rbp, 32(%rcx)\n	movq %r8, 40(%rcx)\n	movq %r9, 48(%rcx)\n	movq %r10, 56(%rcx)\n"
	"	movq %r12, 64(%rcx)\n	movq %r13, 72(%rcx)\n	movq %r14, 80(%rcx)\n	movq %r15, 88(%rcx)\n"
	"	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	"	movups %xmm\\n, 240+32*\\n(%rcx)\n	movq -128+8*\\n(%rsp), %rdx\n	movq %rdx, 104+8*\\n(%rcx)\n"
	"	.endr\n"
	"	stmxcsr 752(%rcx)\n"
	"	popq %rdi\n	popq %r15\n	popq %r14\n	popq %r13\n	popq %r12\n	popq %rbp\n	popq %rbx\n"
	"	ret\n.size call_with, .-call_with\n");
extern void call_with(struct registers *r, long number);

static void registers(void)
{
	static const long numbers[] = { SYS_getpid, SYS_write, SYS_lseek, SYS_sigaltstack, SYS_rt_sigprocmask,
					SYS_fork, SYS_close };
	struct registers before, after;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		for (size_t k = 0; k < sizeof(before); k++)
			((unsigned char *)&before)[k] = (unsigned char)(k * 7 + i);
		memcpy(before.control, &(unsigned int){ 0x1f80 | 0x6000 }, 4);
		before.general[3] = (unsigned long)-1;	/* rdi: no descriptor, no way, no address */
		before.general[2] = numbers[i] == SYS_sigaltstack ? 0 : 1;
		before.general[7] = 8;
		memcpy(&after, &before, sizeof(before));
		call_with(&after, numbers[i]);
		if (after.general[12] == 0 && numbers[i] == SYS_fork) {
			line(memcmp(after.vector, before.vector, sizeof(after.vector)) ||
			     memcmp(after.general, before.general, 12 * 8) ? "child: changed\n" : "child: kept\n");
			raw(SYS_exit, 0, 0, 0, 0, 0, 0);
		}
		if (numbers[i] == SYS_fork)
			wait(NULL);
		say("%ld: general %d, vector %d, control %d, below %d, carry %lu, %ld", numbers[i],
		    memcmp(after.general, before.general, 12 * 8), memcmp(after.vector, before.vector, sizeof(after.vector)),
		    memcmp(after.control, before.control, 4), memcmp(after.below, before.below, sizeof(after.below)),
		    after.flags, (long)after.general[12] > 0 ? 1 : (long)after.general[12]);
	}
}

/* --- a thread that unmaps the stack that it is on */
static void *unmapper(void *p)
{
	char *own = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)p;
	__asm__ __volatile__("movq %0, %%rdi\n	leaq 65528(%%rdi), %%rsp\n	movl $65536, %%esi\n"
			     "	movl $11, %%eax\n	syscall\n"
			     "	xorl %%edi, %%edi\n	movl $60, %%eax\n	syscall" : : "r"(own) : "rdi", "rsi");
	return NULL;
}

static void unmaps(void)
{
	pthread_t t;

	pthread_create(&t, NULL, unmapper, NULL);
	pthread_join(t, NULL);
	say("unmapped");
}

/* --- children that want their parent to trace them, as a debugger's do */
static void traced(void)
{
	pid_t pid = vfork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
		_exit(3);
	}
	wait_for("vfork", pid);
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(4);
	}
	wait_for("stopped", pid);
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	wait_for("fork", pid);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {
		{ "forks", forks },   { "vforks", vforks },	  { "clones", clones }, { "cleared", cleared },
		{ "threads", threads }, { "registers", registers }, { "unmaps", unmaps },
		{ "traced", traced },
	};

	for (size_t i = 0; argc == 2 && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(argv[1], parts[i].name))
			parts[i].run();
	return 0;
}
