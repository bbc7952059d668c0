/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.c - runs a program, and what it starts, with a wall clock that can be set:
 *
 *	clocks [-a SECONDS] [-f FRACTION -s SINCE] PROGRAM [ARGUMENT...]
 *
 * clock_settime sets it for all of them, and for nobody else.  -a: it begins so far
 * ahead.  -f: both it and the monotonic clock are fast by so much since the latter was
 * SINCE.
 *
 * No namespace has a wall clock of its own.  So the kernel's shared object, by which
 * processes read clocks unseen, is taken from the vector that the kernel gives them, and
 * the system calls that are left are changed by ptrace, of which seccomp tells.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static long long ahead;			/* ns */
static double fast, since;

/* tasks that are in one of the calls: what is to be done at its end */
static struct { pid_t tid; int clock; uint64_t to; } in_call[1024];
#define SET -2

static void die(const char *what)
{
	perror(what);
	exit(99);
}

static void filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_settime, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_gettimeofday, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(*code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		die("clocks: seccomp");
}

static void copy(pid_t tid, void *here, uint64_t there, size_t n, int write)
{
	struct iovec local = { here, n }, remote = { (void *)there, n };
	long done = write ? process_vm_writev(tid, &local, 1, &remote, 1, 0) :
			    process_vm_readv(tid, &local, 1, &remote, 1, 0);

	if (done != (long)n)
		die("clocks: a program's memory");
}

/* A program begins: there shall be no shared object of the kernel's. */
static void begins(pid_t tid)
{
	struct user_regs_struct regs;
	uint64_t at, word[2];

	if (ptrace(PTRACE_GETREGS, tid, 0, &regs))
		die("clocks: ptrace");
	copy(tid, word, regs.rsp, 8, 0);
	/* arguments, NULL, environment, NULL */
	at = regs.rsp + 8 + 8 * (word[0] + 1);
	do {
		copy(tid, word, at, 8, 0);
		at += 8;
	} while (word[0]);
	do {
		copy(tid, word, at, 16, 0);
		if (word[0] == AT_SYSINFO_EHDR) {
			word[0] = AT_IGNORE;
			copy(tid, word, at, 16, 1);
		}
		at += 16;
	} while (word[0] != AT_NULL);
}

static long long clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * SECOND + ts.tv_nsec;
}

static int is_wall(int clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

static void enters(pid_t tid)
{
	struct user_regs_struct regs;
	struct timespec ts;
	size_t i = 0;

	if (ptrace(PTRACE_GETREGS, tid, 0, &regs))
		return;
	while (in_call[i].tid && i < sizeof(in_call) / sizeof(*in_call) - 1)
		i++;
	in_call[i].tid = tid;
	in_call[i].to = regs.rsi;
	in_call[i].clock = (int)regs.rdi;
	if (regs.orig_rax == SYS_gettimeofday) {
		in_call[i].to = regs.rdi;
		in_call[i].clock = -1;
	} else if (regs.orig_rax == SYS_clock_settime) {
		in_call[i].clock = SET;
		copy(tid, &ts, regs.rsi, sizeof(ts), 0);
		ahead = ts.tv_sec * SECOND + ts.tv_nsec - clock_ns(CLOCK_REALTIME);
		regs.orig_rax = (unsigned long long)-1;
		ptrace(PTRACE_SETREGS, tid, 0, &regs);
	}
}

static void leaves(pid_t tid)
{
	struct user_regs_struct regs;
	struct timespec ts;
	long long ns = 0, unit;
	size_t i = 0;

	while (i < sizeof(in_call) / sizeof(*in_call) && in_call[i].tid != tid)
		i++;
	if (i == sizeof(in_call) / sizeof(*in_call) || ptrace(PTRACE_GETREGS, tid, 0, &regs))
		return;
	in_call[i].tid = 0;
	if (in_call[i].clock == SET) {
		regs.rax = 0;
		ptrace(PTRACE_SETREGS, tid, 0, &regs);
		return;
	}
	if (regs.rax || !in_call[i].to)
		return;
	if (is_wall(in_call[i].clock) || in_call[i].clock == -1)
		ns += ahead;
	if (is_wall(in_call[i].clock) || in_call[i].clock == CLOCK_MONOTONIC || in_call[i].clock == CLOCK_BOOTTIME)
		ns += (long long)(fast * ((double)clock_ns(CLOCK_MONOTONIC) - since * 1e9));
	unit = in_call[i].clock == -1 ? 1000 : 1;
	copy(tid, &ts, in_call[i].to, sizeof(ts), 0);
	ns += ts.tv_sec * SECOND + ts.tv_nsec * unit;
	ts = (struct timespec){ ns / SECOND, ns % SECOND / unit };
	copy(tid, &ts, in_call[i].to, sizeof(ts), 1);
}

static pid_t start(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		filter();
		execvp(*argv, argv);
		die(*argv);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid ||
	    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
			PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD) ||
	    ptrace(PTRACE_CONT, pid, 0, 0))
		die("clocks: ptrace");
	return pid;
}

int main(int argc, char **argv)
{
	int opt, status, result = 99;
	pid_t first, tid;

	while ((opt = getopt(argc, argv, "+a:f:s:")) != -1) {
		if (opt == 'a')
			ahead = (long long)(atof(optarg) * 1e9);
		else if (opt == 'f')
			fast = atof(optarg);
		else if (opt == 's')
			since = atof(optarg);
		else
			return 99;
	}
	first = start(argv + optind);
	while ((tid = waitpid(-1, &status, __WALL)) > 0) {
		int event = status >> 16, how = PTRACE_CONT, sig = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;

		if (!WIFSTOPPED(status)) {
			if (tid == first)
				result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			continue;
		}
		if (event == PTRACE_EVENT_SECCOMP) {
			enters(tid);
			how = PTRACE_SYSCALL;
		} else if (event == PTRACE_EVENT_EXEC) {
			begins(tid);
		} else if (sig == (SIGTRAP | 0x80)) {
			leaves(tid);
		}
		/* the first stop of a new task is not the program's affair either */
		if (event || sig == (SIGTRAP | 0x80) || sig == SIGSTOP)
			sig = 0;
		ptrace(how, tid, 0, (void *)(long)sig);
	}
	return result;
}
