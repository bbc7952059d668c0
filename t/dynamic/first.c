/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * first.c - a thread is stopped where its first write() looks for what that means, until another
 * thread's first write() has found it, and goes on then.  Prints what became of both.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* lib/arch/.../arch-stub.h */
extern char iot_entry_stub[] __attribute__((visibility("hidden")));

static volatile long go, done;		/* the tracer sets and reads them */
static const char text[] = "x";

static void *other(void *to)
{
	while (!go)
		;
	done = write(*(int *)to, text, 1);
	return NULL;
}

static int tracee(int to)
{
	pthread_t second;
	long n;

	if (pthread_create(&second, NULL, other, &to) || ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		return 99;
	raise(SIGSTOP);
	n = write(to, text, 1);
	pthread_join(second, NULL);
	return (int)(n + done);
}

static long word_at(int pid, const volatile void *at)
{
	return ptrace(PTRACE_PEEKDATA, pid, at, NULL);
}

int main(void)
{
	struct user_regs_struct regs = { 0 };
	int ends[2], status;
	long code;
	int pid;

	if (pipe(ends))
		return 99;
	pid = fork();
	if (pid == 0)
		_exit(tracee(ends[1]));
	waitpid(pid, &status, 0);
	code = word_at(pid, iot_entry_stub);
	ptrace(PTRACE_POKETEXT, pid, iot_entry_stub, (code & ~0xffL) | 0xcc);
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	waitpid(pid, &status, 0);
	ptrace(PTRACE_POKETEXT, pid, iot_entry_stub, code);
	ptrace(PTRACE_GETREGS, pid, NULL, &regs);
	regs.rip--;
	ptrace(PTRACE_SETREGS, pid, NULL, &regs);
	printf("stopped: %d, in write: %d\n", WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP,
	       regs.rsi == (uintptr_t)text);
	ptrace(PTRACE_POKEDATA, pid, &go, 1);
	while (!word_at(pid, &done))
		usleep(1000);
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	waitpid(pid, &status, 0);
	printf("status %#x\n", status);
	return 0;
}
