/* SPDX-License-Identifier: BSD-3-Clause */
/* tracee.c - the stepped program under ptrace: by instructions, to breakpoints, to marks. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "step.h"

static pid_t pid, now;	/* the process; the thread that runs */
static pid_t waiting;	/* a thread that was made and did not run yet */
static bool exited;
static int mem = -1;
static uint8_t *text;	/* a copy of the program's code */
static uint64_t text_from, text_to;

void die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	if (pid)
		kill(pid, SIGKILL);
	exit(2);
}

size_t tracee_read(uint64_t from, void *to, size_t size)
{
	ssize_t n = pread(mem, to, size, (off_t)from);

	return n > 0 ? (size_t)n : 0;
}

static void find_text(void)
{
	char name[40], line[400], rights[8];
	unsigned long from, to;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	f = fopen(name, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3 && rights[2] == 'x' && !text) {
			text_from = from;
			text_to = to;
			text = malloc(to - from);
		}
	if (f)
		fclose(f);
	if (!text || tracee_read(text_from, text, text_to - text_from) != text_to - text_from)
		die("cannot read the program's code");
}

void tracee_start(char **argv)
{
	char name[40];
	cpu_set_t one;
	int status, cpu = sched_getcpu();

	/* Both on one processor: they never run at once, and one has one timebase. */
	CPU_ZERO(&one);
	CPU_SET(cpu < 0 ? 0 : cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	pid = now = fork();
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(77);
		execv(argv[0], argv);
		_exit(78);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("no process: %s", strerror(errno));
	if (!WIFSTOPPED(status)) {
		if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
			puts("ptrace is not permitted");
			exit(77);
		}
		die("%s: cannot be run", argv[0]);
	}
	ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE);
	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	mem = open(name, O_RDWR | O_CLOEXEC);
	find_text();
}

pid_t tracee_pid(void)
{
	return pid;
}

static uint64_t reg(size_t at)
{
	errno = 0;
	return (uint64_t)ptrace(PTRACE_PEEKUSER, now, at, NULL);
}

#define REG(name) reg(offsetof(struct user_regs_struct, name))

uint64_t tracee_pc(void)
{
	return REG(rip);
}

bool tracee_handler_returns(uint64_t handler)
{
	ucontext_t uc;
	uint64_t pc, sp = REG(rsp);

	if (tracee_pc() != handler)
		return false;
	/* what the kernel laid there: where the handler returns to, what it restores */
	if (tracee_read(sp + 8, &uc, sizeof(uc)) < offsetof(ucontext_t, uc_sigmask))
		die("cannot read a signal's frame");
	pc = (uint64_t)uc.uc_mcontext.gregs[REG_RIP];
	sp = (uint64_t)uc.uc_mcontext.gregs[REG_RSP];
	/* it may come by there itself */
	while (!tracee_to(pc, 0)) {
		if (REG(rsp) == sp)
			return true;
		tracee_step();
	}
	die("a handler did not return");
}

static const uint8_t *code(uint64_t pc)
{
	return pc >= text_from && pc + 1 < text_to ? text + (pc - text_from) : NULL;
}

long tracee_syscall(uint64_t arg[4])
{
	const uint8_t *c = code(tracee_pc());
	struct user_regs_struct r;

	if (!c || c[0] != 0x0f || c[1] != 0x05)
		return -1;
	ptrace(PTRACE_GETREGS, now, NULL, &r);
	arg[0] = r.rdi;
	arg[1] = r.rsi;
	arg[2] = r.rdx;
	arg[3] = r.r10;
	return (long)r.rax;
}

/*
 * Waits for the thread that runs, or for one that runs because that one waits for
 * it.  Returns the signal that it stopped at, or 0 if the process is gone.
 */
static int stopped(int how)
{
	int status;
	pid_t who;

	for (;;) {
		who = waitpid(-1, &status, __WALL);
		if (who < 0)
			die("waitpid: %s", strerror(errno));
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (who == pid) {
				if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
					die("the program was killed by signal %d", WTERMSIG(status));
				if (WIFEXITED(status) && WEXITSTATUS(status))
					die("the program returned %d", WEXITSTATUS(status));
				exited = true;
				return 0;
			}
			continue; /* a thread: the one that waits for it goes on */
		}
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_CLONE << 8)) {
			ptrace(how, who, NULL, NULL);
			continue;
		}
		if (WSTOPSIG(status) == SIGSTOP && who != pid) {
			waiting = who; /* a new thread: when the other one waits */
			continue;
		}
		now = who;
		return WSTOPSIG(status);
	}
}

static int resume(int how, int sig)
{
	uint64_t arg[4];

	/* A thread that waits for another one. */
	if (waiting && how == PTRACE_SINGLESTEP && tracee_syscall(arg) == SYS_futex) {
		ptrace(how, waiting, NULL, NULL);
		waiting = 0;
	}
	do {
		if (ptrace(how, now, NULL, (void *)(long)sig) < 0)
			die("ptrace: %s", strerror(errno));
		sig = stopped(how);
		/* one that was blocked when it was sent comes now */
	} while (sig == SIGUSR1 || sig == SIGUSR2);
	return sig;
}

/* The mark that was just passed, or 0.  Other instructions may end with that byte, too. */
static int marked(void)
{
	const uint8_t *c = code(tracee_pc() - 1);
	uint64_t m = c && *c == 0xcc ? REG(rax) : 0;

	return m >= MARK_BEGIN && m <= MARK_LEFT ? (int)m : 0;
}

static enum mark to_mark(int sig)
{
	for (;;) {
		int got = resume(PTRACE_CONT, sig), m;

		sig = 0;
		if (exited)
			die("the program ended early");
		if (waiting) {
			ptrace(PTRACE_CONT, waiting, NULL, NULL);
			waiting = 0;
		}
		if (got != SIGTRAP)
			die("the program got signal %d at %#lx", got, (unsigned long)tracee_pc());
		m = marked();
		if (m)
			return (enum mark)m;
	}
}

enum mark tracee_to_mark(void)
{
	return to_mark(0);
}

enum mark tracee_signal_to_mark(int sig)
{
	return to_mark(sig);
}

static int step(int sig)
{
	int got = resume(PTRACE_SINGLESTEP, sig);

	if (exited)
		return 0;
	if (got != SIGTRAP)
		die("the program got signal %d at %#lx", got, (unsigned long)tracee_pc());
	return marked();
}

int tracee_step(void)
{
	return step(0);
}

void tracee_signal_step(int sig)
{
	step(sig);
}

int tracee_to(uint64_t pc, uint32_t n)
{
	const uint8_t int3 = 0xcc;
	uint8_t was;
	struct user_regs_struct r;
	int got, m;

	for (;; n--) {
		if (tracee_read(pc, &was, 1) != 1 || pwrite(mem, &int3, 1, (off_t)pc) != 1)
			die("cannot set a breakpoint");
		got = resume(PTRACE_CONT, 0);
		if (got != SIGTRAP)
			die("the program got signal %d at %#lx", got, (unsigned long)tracee_pc());
		if (pwrite(mem, &was, 1, (off_t)pc) != 1)
			die("cannot remove a breakpoint");
		m = marked();
		if (m)
			return m;
		ptrace(PTRACE_GETREGS, now, NULL, &r);
		if (r.rip != pc + 1)
			die("stopped at %#llx", r.rip);
		r.rip = pc;
		ptrace(PTRACE_SETREGS, now, NULL, &r);
		if (!n)
			return 0;
		m = step(0);
		if (m)
			return m;
	}
}

void tracee_kill(void)
{
	kill(pid, SIGKILL);
	while (waitpid(-1, NULL, __WALL) > 0)
		;
	exited = true;
}
