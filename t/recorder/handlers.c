/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handlers.c - signal handlers that do I/O, in a storm of timer signals, and
 * handlers that jump away: handlers HOW CALLS.  What it prints is what the log
 * must have: NAME NUMBER lines.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int fd, hfd;
static volatile uint64_t main_calls, handler_calls, opens, jumps, fds_bad;
static volatile sig_atomic_t armed;
static sigjmp_buf env;
static timer_t timer;
static long pause_ns;
static bool nests;

/* The next signal comes after the pause: one that came by the clock alone would leave no time
   between handlers where these last longer. */
static void go_on(void)
{
	struct itimerspec it = { .it_value.tv_nsec = pause_ns };

	if (timer_settime(timer, 0, &it, NULL))
		abort();
}

/* Two calls, or four; may be interrupted by itself, but not without end. */
static void storm(int sig)
{
	static int depth;
	int err = errno, f;
	uint64_t n;

	(void)sig;
	if (depth >= 4)
		return;
	depth++;
	if (nests)
		go_on();
	n = __atomic_fetch_add(&handler_calls, 1, __ATOMIC_RELAXED);
	if (pwrite(hfd, "hh", 2, (off_t)(n * 2)) != 2)
		abort();
	if (n % 16 == 0) {
		f = open("handler", O_RDONLY);
		if (f < 0)
			fds_bad++;
		else
			close(f);
		__atomic_fetch_add(&opens, 1, __ATOMIC_RELAXED);
	}
	depth--;
	if (!depth)
		go_on();
	errno = err;
}

static void jump(int sig)
{
	(void)sig;
	go_on();
	if (!armed)
		return;
	armed = 0;
	jumps++;
	siglongjmp(env, 1);
}

/* A signal this long, in ns, after each handler, or, if they nest, after it began. */
static void start_timer(void (*handler)(int), long ns, int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART | flags };
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };

	pause_ns = ns;
	nests = flags & SA_NODEFER;
	sigaction(SIGUSR1, &sa, NULL);
	if (timer_create(CLOCK_MONOTONIC, &ev, &timer))
		abort();
	go_on();
}

static void stop_timer(void)
{
	signal(SIGUSR1, SIG_IGN);
	timer_delete(timer);
}

static void calls(uint64_t n)
{
	char c[4];

	for (uint64_t i = 0; i < n; i++) {
		if (pwrite(fd, "m", 1, (off_t)i) != 1)
			abort();
		main_calls++;
		if (i % 8 == 0) {
			int f = open("main", O_RDONLY);

			if (f < 0 || read(f, c, 1) != 1 || close(f))
				abort();
			__atomic_fetch_add(&opens, 1, __ATOMIC_RELAXED);
		}
	}
}

/* Until so many jumps were made: calls of all sorts, left anywhere. */
static void jumping(uint64_t n)
{
	char c[4];
	int f = -1;

	while (jumps < n) {
		if (sigsetjmp(env, 1)) {
			/* what the jump left open */
			for (int i = 10; i < 20; i++)
				close(i);
			/* a call after the jump, which must be nested in nothing */
			if (pwrite(hfd, "jjj", 3, (off_t)(3 * (jumps - 1))) != 3)
				abort();
			continue;
		}
		armed = 1;
		for (;;) {
			pread(fd, c, 1, 0);
			f = open("main", O_RDONLY);
			if (f >= 0 && f < 10)
				dup2(f, 10 + f);
			close(f);
			f = openat(AT_FDCWD, "none", O_RDONLY);
			lseek(fd, 0, SEEK_CUR);
		}
	}
}

static void *thread(void *arg)
{
	char c;

	for (int i = 0; i < *(int *)arg; i++)
		pread(fd, &c, 1, 0);
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	pthread_t t;
	sigset_t set;
	int more = 20000;

	fd = open("main", O_RDWR | O_CREAT | O_TRUNC, 0644);
	hfd = open("handler", O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (!n || fd < 0 || hfd < 0)
		return 99;
	pwrite(fd, "m", 1, 0);
	/* the other thread takes no signals */
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, thread, &more);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	if (!strcmp(argv[1], "storm"))
		start_timer(storm, 15000, 0);
	else if (!strcmp(argv[1], "nested"))
		start_timer(storm, 60000, SA_NODEFER);
	else
		start_timer(jump, 40000, 0);
	if (!strcmp(argv[1], "jump"))
		jumping(n);
	else
		calls(n);
	stop_timer();
	pthread_join(t, NULL);
	fprintf(stderr, "main %llu\nhandler %llu\nopens %llu\njumps %llu\n", (unsigned long long)main_calls,
		(unsigned long long)handler_calls, (unsigned long long)opens, (unsigned long long)jumps);
	return fds_bad != 0;
}
