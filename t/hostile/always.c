/* SPDX-License-Identifier: BSD-3-Clause */
/* always.c - what goes on besides: a timer's signals, and threads that make calls all the
 * time.  Neither changes what others see, but for EINTR, against which always_hold is. */
#define _GNU_SOURCE
#include "storm.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static timer_t timer;
static volatile bool ticking, stopped;

/* Once: where the handler takes longer than that, nothing else would come to run. */
static void soon(long usec)
{
	timer_settime(timer, 0, &(struct itimerspec){ .it_value.tv_nsec = 1000 * usec }, NULL);
}

static void tick(int sig)
{
	static const int fds[] = { 3, 900, 5, -1 };
	static atomic_uint n;
	int error = errno, cancels;
	unsigned i = atomic_fetch_add(&n, 1);
	struct stat st;
	char c;

	(void)sig;
	/* pread() would be the end of a thread that is cancelled, if it came there in time */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
	if (pread(fds[i % 4], &c, 1, 0) < -1 || access("a", R_OK) < -1 || fstat(fds[i % 4], &st) < -1)
		abort();
	if (ticking && !stopped)
		soon(200);
	pthread_setcancelstate(cancels, NULL);
	errno = error;
}

void timer_switch(const struct op *op, struct draw *d)
{
	const long first = 150 + (long)pick(d, 400);
	struct sigaction action = { .sa_handler = tick, .sa_flags = SA_RESTART | SA_ONSTACK };

	ticking = !ticking;
	stopped = false;
	sigaction(SIGALRM, &action, NULL);
	/* a forked child has none yet, and a program that is executed none any more */
	if (!ticking)
		timer_delete(timer);
	else if (!timer_create(CLOCK_MONOTONIC, NULL, &timer))
		soon(first);
	say(op, "timer %s", ticking ? "on" : "off");
}

/* What is executed in the program's place would have a signal that has not been handled yet. */
void timer_stop(void)
{
	stopped = true;
	if (ticking)
		soon(0);
}

/* Keep signals away from what would be interrupted. */
void always_hold(bool hold)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	if (ticking)
		pthread_sigmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static atomic_int crowd_on;
static pthread_t crowd[3];
static bool crowd_is_there;

/* So many rounds are quick ones: under strace, or on a busy machine, a program takes so long
   that nearly all of its calls would be theirs. */
#define QUICK 300

static void *crowd_entry(void *arg)
{
	struct stat st;
	char buf[64], name[200];

	(void)arg;
	for (int i = 0; crowd_on; i++) {
		if (pread(900, buf, sizeof(buf), 0) < -1 || stat("a", &st) < -1 || lseek(901, 0, SEEK_CUR) < -1 ||
		    access("none", F_OK) < -1 || readlink("ln", name, sizeof(name)) < -1)
			abort();
		usleep(i < QUICK ? 20 : 2000);
	}
	return NULL;
}

void crowd_end(void)
{
	if (!crowd_is_there || getpid() != first_process)
		return;
	crowd_on = 0;
	for (int i = 0; i < 3; i++)
		pthread_join(crowd[i], NULL);
	crowd_is_there = false;
}

void crowd_switch(const struct op *op, struct draw *d)
{
	(void)d;
	/* a child may be where calls kill */
	if (getpid() != first_process)
		return;
	if (crowd_is_there) {
		crowd_end();
	} else {
		crowd_on = 1;
		for (int i = 0; i < 3; i++)
			if (pthread_create(&crowd[i], NULL, crowd_entry, NULL))
				abort();
		crowd_is_there = true;
	}
	say(op, "crowd %s", crowd_is_there ? "on" : "off");
}
