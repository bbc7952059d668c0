/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seccomp.c - a program that forbids itself all system calls but those that it
 * makes: seccomp HOW NUMBER.  NUMBER calls before that, twice as many after.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define THREADS 3

static int fd, n, go, ready;
static long more;

static void say(const char *s)
{
	write(1, s, strlen(s));
}

static int strict;

static void calls(int many);

/* Syscall User Dispatch: whether the kernel delivers the thread's system calls to the handler, if it was asked to. */
#define NO_CALL 500
static volatile char selector;
static volatile int dispatches, others;

static void emulate(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	selector = 0;
	others += info->si_syscall != SYS_pwrite64 && info->si_syscall != NO_CALL;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = 4;
}

static void dispatch(void)
{
	struct sigaction sa = { .sa_sigaction = emulate, .sa_flags = SA_SIGINFO };

	/* one that fails changes nothing */
	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 1, -1L, &selector) == 0)
		say("no error\n");
	calls(n);
	if (sigaction(SIGSYS, &sa, NULL) || prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector)) {
		say("no dispatch\n");
		_exit(77);
	}
	dispatches = selector = 1;
	if (syscall(NO_CALL) != 4)
		say("the handler's value is lost\n");
}

static void calls(int many)
{
	for (int i = 0; i < many; i++) {
		selector = dispatches;
		if (strict ? write(fd, "abcd", 4) != 4 : pwrite(fd, "abcd", 4, 4L * (i % 1000)) != 4)
			say("pwrite failed\n");
	}
}

static struct sock_filter code[200];
static struct sock_fprog prog = { .filter = code };

static void add(unsigned short op, uint32_t k, uint8_t jt, uint8_t jf)
{
	code[prog.len++] = (struct sock_filter){ op, jt, jf, k };
}

static void begin(void)
{
	add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
	add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
	add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
}

static void rule(uint32_t nr, uint32_t action)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1);
	add(BPF_RET | BPF_K, action, 0, 0);
}

static void allow(const short *nr, int many)
{
	while (many--)
		rule((uint32_t)nr[many], SECCOMP_RET_ALLOW);
}

#define ALLOW(...) allow((short[]){ __VA_ARGS__ }, sizeof((short[]){ __VA_ARGS__ }) / sizeof(short))

/* The filter for HOW. */
static void make(const char *how)
{
	begin();
	if (!strcmp(how, "all-but")) {
		rule(SYS_socket, SECCOMP_RET_KILL_PROCESS);
		rule(SYS_ptrace, SECCOMP_RET_ERRNO | EPERM);
		add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
		return;
	}
	if (!strcmp(how, "space")) {
		rule(SYS_fallocate, SECCOMP_RET_ERRNO | EPERM);
		add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
		return;
	}
	if (!strcmp(how, "tree")) {
		/* as compilers of filters do it: comparisons, and arithmetic */
		add(BPF_ST, 3, 0, 0);
		add(BPF_ALU | BPF_AND | BPF_K, 0x3ff, 0, 0);
		add(BPF_MISC | BPF_TAX, 0, 0, 0);
		add(BPF_LD | BPF_MEM, 3, 0, 0);
		add(BPF_JMP | BPF_JEQ | BPF_X, 0, 1, 0);
		add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
		add(BPF_JMP | BPF_JGE | BPF_K, SYS_getpid, 0, 2);
		add(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 1);
		add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
		add(BPF_LD | BPF_IMM, SECCOMP_RET_ALLOW, 0, 0);
		add(BPF_RET | BPF_A, 0, 0, 0);
		return;
	}
	ALLOW(SYS_write, SYS_exit_group, SYS_exit, SYS_rt_sigreturn);
	if (!strcmp(how, "argument")) {
		/* all but pwrites on other files than the program's */
		add(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwritev, 1, 0);
		add(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwrite64, 0, 3);
		add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args), 0, 0);
		add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)fd, 1, 0);
		add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
		add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
		return;
	}
	ALLOW(SYS_pwrite64, SYS_pwritev);
	if (!strcmp(how, "fork"))
		ALLOW(SYS_clone, SYS_wait4, SYS_set_robust_list, SYS_gettid);
	if (!strcmp(how, "thread"))
		ALLOW(SYS_mmap, SYS_munmap, SYS_mprotect, SYS_clone3, SYS_clone, SYS_rseq, SYS_set_robust_list,
		      SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_futex, SYS_madvise, SYS_gettid, SYS_prlimit64, SYS_getrandom, SYS_brk);
	if (!strcmp(how, "tsync"))
		ALLOW(SYS_sched_yield, SYS_futex, SYS_madvise, SYS_rt_sigprocmask, SYS_munmap);
	add(BPF_RET | BPF_K, !strcmp(how, "errno") ? SECCOMP_RET_ERRNO | ENOSYS : SECCOMP_RET_KILL_PROCESS, 0, 0);
}

static void install(const char *how)
{
	int ret;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (!strcmp(how, "refused")) {
		/* none of these is a filter; two are asked for to see if there are any */
		ret = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT;
		ret += syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) < 0 && errno == EFAULT;
		ret += prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 4096) < 0 && errno == EFAULT;
		ret += prctl(PR_SET_SECCOMP, 77, &prog) < 0 && errno == EINVAL;
		prog.len = 1;
		code[0] = (struct sock_filter){ BPF_JMP | BPF_JA, 0, 0, 7 };
		ret += prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) < 0 && errno == EINVAL;
		say(ret == 5 ? "refused\n" : "not refused\n");
		return;
	}
	if (!strcmp(how, "strict")) {
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
			say("no strict mode\n");
		return;
	}
	if (!strcmp(how, "tsc")) {
		if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV))
			say("no PR_SET_TSC\n");
		return;
	}
	make(how);
	if (!strcmp(how, "tsync"))
		ret = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &prog);
	else if (!strcmp(how, "syscall"))
		ret = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
	else
		ret = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
	if (ret)
		say("no filter\n");
}

static void *thread(void *arg)
{
	__atomic_add_fetch(&ready, 1, __ATOMIC_RELEASE);
	calls(n);
	while (arg && !__atomic_load_n(&go, __ATOMIC_ACQUIRE)) {
		calls(1);
		__atomic_add_fetch(&more, 1, __ATOMIC_RELAXED);
	}
	calls(n);
	return NULL;
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	pthread_t t[THREADS];
	int status;

	fd = open("calls", O_RDWR | O_CREAT, 0666);
	if (argc < 3 || fd < 0)
		return 99;
	n = atoi(argv[2]);
	/* which allows no pwrite */
	strict = !strcmp(how, "strict");
	if (!strcmp(how, "child")) {
		/* the filter is the first thing that a child does */
		calls(3 * n);
		if (fork() == 0) {
			install("all-but");
			calls(n);
			_exit(3);
		}
		wait(&status);
		return WEXITSTATUS(status);
	}
	if (!strcmp(how, "space")) {
		/* a child that can't have more space in the log, and its parent, which can */
		calls(n);
		if (fork() == 0) {
			install(how);
			calls(3 * n);
			_exit(3);
		}
		wait(&status);
		calls(2 * n);
		return WEXITSTATUS(status);
	}
	if (!strcmp(how, "vfork")) {
		/* the filter is the child's alone, and it ends with it */
		calls(n);
		if (vfork() == 0) {
			install("");
			calls(10);
			_exit(3);
		}
		wait(&status);
		calls(2 * n);
		return WEXITSTATUS(status);
	}
	if (!strcmp(how, "tsync")) {
		for (int i = 0; i < THREADS; i++)
			pthread_create(&t[i], NULL, thread, "");
		while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) < THREADS)
			sched_yield();
	}
	calls(n);
	if (!strcmp(how, "dispatch"))
		dispatch();
	else
		install(how);
	__atomic_store_n(&go, 1, __ATOMIC_RELEASE);
	calls(n);
	if (!strcmp(how, "fork")) {
		if (fork() == 0) {
			calls(10);
			_exit(7);
		}
		wait(&status);
		say(WEXITSTATUS(status) == 7 ? "child\n" : "no child\n");
	}
	if (!strcmp(how, "thread") || !strcmp(how, "tsc")) {
		pthread_create(&t[0], NULL, thread, NULL);
		pthread_join(t[0], NULL);
	}
	if (!strcmp(how, "tsync")) {
		char line[40];

		for (int i = 0; i < THREADS; i++)
			pthread_join(t[i], NULL);
		snprintf(line, sizeof(line), "more %ld\n", more);
		say(line);
	}
	calls(n);
	if (others)
		say("others were dispatched\n");
	if (strict) {
		say("end\n");
		syscall(SYS_exit, 5);	/* exit_group would kill it */
	}
	say("end\n");
	return 11;
}
