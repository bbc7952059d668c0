/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filters.c - seccomp filters that let no signal handler return.  Says what it
 * sees; that has to be the same with IOTRACE_SYSCALLS.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

/* Forbids a call; so long.  It begins with what it finds in A: 0, and no call if not. */
static struct sock_fprog *forbids(uint32_t number, uint32_t action, unsigned short length)
{
	static struct sock_filter code[BPF_MAXINSNS];
	static struct sock_fprog prog = { .filter = code };
	unsigned short n = 0;

	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	while (n < length - 4)
		code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	prog.len = n;
	return &prog;
}

static void confine(const struct sock_fprog *prog)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		say("no_new_privs: %m");
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, prog))
		say("filter: %m");
}

static void works(void)
{
	int fd = open("/dev/null", O_WRONLY);

	for (int i = 0; i < 20; i++)
		if (syscall(SYS_write, fd, "x", 1) != 1)
			_exit(98);
	if (fd < 0 || close(fd))
		_exit(97);
}

static void refused(const char *what, long ret)
{
	say("%s: %ld %m", what, ret);
}

static void on_signal(int sig)
{
	say("handler: %d", sig);
}

/* A child's end */
static void wait_for(const char *what, pid_t pid)
{
	int status = -1;

	if (waitpid(pid, &status, 0) != pid)
		say("%s: waitpid: %m", what);
	say("%s: status %x", what, status);
}

/* --- one thread, and those that it makes */
static void *thread_main(void *p)
{
	works();
	return p;
}

static void one(void)
{
	struct sock_fprog bad = { .len = 1, .filter = (struct sock_filter *)8 }, none = { 0 };
	pthread_t thread;
	pid_t pid;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	refused("no such code", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &bad));
	refused("no code", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &none));
	refused("no filter", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 8));
	confine(forbids(SYS_rt_sigreturn, SECCOMP_RET_KILL_PROCESS, 6));
	works();
	confine(forbids(SYS_getppid, SECCOMP_RET_ERRNO | EPERM, 10));
	refused("getppid", syscall(SYS_getppid));
	pthread_create(&thread, NULL, thread_main, NULL);
	pthread_join(thread, NULL);
	pid = fork();
	if (!pid) {
		works();
		/* its own handler's return is not let pass */
		signal(SIGUSR1, on_signal);
		raise(SIGUSR1);
		_exit(96);
	}
	wait_for("child", pid);
	works();
}

/* --- all threads, wherever they are */
static volatile int over;
static int fds[2];

static void *busy(void *p)
{
	while (!over)
		works();
	return p;
}

static void *waiting(void *p)
{
	char c;

	say("read: %zd", read(fds[0], &c, 1));
	works();
	return p;
}

static void all(void)
{
	pthread_t thread[3];

	if (pipe(fds))
		_exit(95);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, i ? waiting : busy, NULL);
	usleep(50000);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	say("all: %ld", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
				forbids(SYS_rt_sigreturn, SECCOMP_RET_KILL_PROCESS, 6)));
	usleep(20000);
	for (int i = 0; i < 2; i++)
		if (write(fds[1], "x", 1) != 1)
			_exit(94);
	over = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	works();
}

/* --- as long as it can be */
static void longest(void)
{
	pid_t pid;

	confine(forbids(SYS_rt_sigreturn, SECCOMP_RET_KILL_PROCESS, BPF_MAXINSNS));
	works();
	pid = fork();
	if (!pid) {
		works();
		_exit(8);
	}
	wait_for("child", pid);
}

/* --- of a child in our memory */
static void vforked(void)
{
	const struct sock_fprog *prog = forbids(SYS_rt_sigreturn, SECCOMP_RET_KILL_PROCESS, 6);
	pid_t pid = vfork();

	if (!pid) {
		confine(prog);
		works();
		_exit(9);
	}
	wait_for("vfork", pid);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	works();
}

/* --- nothing but read, write, exit and rt_sigreturn */
static void strict(void)
{
	signal(SIGUSR1, on_signal);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	say("strict");
	syscall(SYS_exit, 5);
}

/* --- where children can't be dispatched */
static void alone(void)
{
	pid_t pid;

	confine(forbids(SYS_prctl, SECCOMP_RET_KILL_PROCESS, 6));
	/* by an instruction of its own: the child must not return from here */
	__asm__ __volatile__("syscall" : "=a"(pid) : "0"(SYS_vfork) : "rcx", "r11", "memory");
	if (!pid) {
		syscall(SYS_getppid);
		_exit(7);
	}
	wait_for("raw vfork", pid);
	works();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {
		{ "one", one }, { "all", all }, { "longest", longest }, { "vforked", vforked },
		{ "strict", strict }, { "alone", alone },
	};

	for (size_t i = 0; argc == 2 && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(argv[1], parts[i].name))
			parts[i].run();
	return 0;
}
