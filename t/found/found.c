/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * found.c - what check-hostile found, as small programs: found PART.  Each says what
 * it sees, which has to be the same untraced and in every traced form.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
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

static const struct {
	const char *name;
	int (*run)(void);
} parts[] = {
	{ "first-thread-ends", first_thread_ends },
	{ "munmap-nothing", munmap_nothing },
	{ "close-range-flags", close_range_flags },
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
