/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * found.c - what check-hostile found, as small programs: found PART.  Each says what
 * it sees, which has to be the same untraced and in every traced form.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, long r)
{
	printf("%s: %ld %s\n", what, r, r == -1 ? strerrorname_np(errno) : "");
	fflush(stdout);
}

static pthread_t first;

static void handler(int sig)
{
	say("handler", sig);
}

/* The process's id is that of a thread which has ended. */
static void *outlive(void *arg)
{
	struct sigaction action = { .sa_handler = handler };
	sigset_t all, one;
	char byte = 0;
	struct iovec local = { &byte, 1 };

	pthread_join(first, NULL);
	/* which is before it has ended for the kernel */
	while (process_vm_readv(getpid(), &local, 1, &local, 1, 0) == 1)
		usleep(1000);
	sigfillset(&all);
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	say("sigaction", sigaction(SIGUSR1, &action, NULL));
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	raise(SIGUSR1);
	say("blocked", 0);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	say("unblocked", 0);
	exit(3);
	return arg;
}

static int first_thread_ends(void)
{
	pthread_t thread;

	first = pthread_self();
	if (pthread_create(&thread, NULL, outlive, NULL))
		return 1;
	pthread_exit(NULL);
}

/* What the kernel turns down takes no stack away: SIGSYS is as it was. */
static int munmap_nothing(void)
{
	struct sigaction action;
	struct stat st;

	say("beyond", munmap((void *)0x800000000000, -1UL));
	say("unaligned", munmap((void *)8, -1UL));
	say("too long", munmap((void *)4096, 1UL << 47));
	sigaction(SIGSYS, NULL, &action);
	say("SIGSYS", action.sa_handler != SIG_DFL);
	say("stat", stat("/", &st));
	return 0;
}

/* With flags that there are not, on the numbers where the log's may be. */
static int close_range_flags(void)
{
	struct rlimit rl;
	unsigned n;

	getrlimit(RLIMIT_NOFILE, &rl);
	n = rl.rlim_cur;
	for (unsigned fd = n - 40; fd < n + 4; fd++) {
		errno = 0;
		if (close_range(fd, fd, 0x80000000) != -1 || errno != EINVAL)
			say("flags", fd);
		if (close_range(fd, fd, 2 | 0x100) != -1 || errno != EINVAL)
			say("flags besides", fd);
	}
	say("close_range", close_range(n - 40, n + 4, CLOSE_RANGE_UNSHARE));
	return 0;
}

static volatile int over, turn;

/* So many in each turn: a machine that is busy makes the turns longer, and not the log. */
static void *calls(void *arg)
{
	char c;

	while (!over) {
		int now = turn;

		for (int i = 0; i < 200; i++)
			(void)!pread(0, &c, 1, 0);
		while (!over && turn == now)
			usleep(100);
	}
	return arg;
}

/* The log's descriptor is closed while threads need it: they don't leave another in sight,
   or the limit as one of them has it for a moment. */
static int closed_beside_threads(void)
{
	pthread_t threads[5];
	struct rlimit rl;
	int in_sight = 0, limits = 0, may;

	getrlimit(RLIMIT_NOFILE, &rl);
	may = rl.rlim_max > rl.rlim_cur;
	for (int i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, calls, NULL);
	for (turn = 0; turn < 200; turn++) {
		syscall(SYS_close_range, 3, ~0U, 0);
		usleep(1000);
		/* lower ones are there while it is opened */
		for (unsigned fd = 100; may && fd < 1024; fd++)
			in_sight += fcntl(fd, F_GETFD) >= 0;
	}
	over = 1;
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	getrlimit(RLIMIT_NOFILE, &rl);
	limits += rl.rlim_cur != 1024;
	say("in sight", in_sight);
	say("limits", limits);
	return 0;
}

/* A filter that takes a call from the recorder without which it can't write, and a name
   that no window of the smallest size holds: what is lost is counted. */
static int long_name_behind_filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_newfstatat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, code };
	static char name[5000] = "/";
	int r, found;

	memset(name + 1, 'n', sizeof(name) - 2);
	if (fork()) {
		wait(NULL);
		return 0;
	}
	/* without a call in between: the block that is lost has the name only */
	r = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	found = access(name, R_OK);
	say("filter", r);
	say("access", found);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} parts[] = {
	{ "first-thread-ends", first_thread_ends },
	{ "munmap-nothing", munmap_nothing },
	{ "close-range-flags", close_range_flags },
	{ "closed-beside-threads", closed_beside_threads },
	{ "long-name-behind-filter", long_name_behind_filter },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (argc == 1)
			puts(parts[i].name);
		else if (!strcmp(argv[1], parts[i].name))
			return parts[i].run();
	return argc > 1 ? 99 : 0;
}
