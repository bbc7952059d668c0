/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted.c - how many system calls it made: a handler's, which comes as often as can
 * be, and those that it interrupts; or those that a filter leaves it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "say.h"

static int fd;
static volatile long n;

static long most;

/* Once: where the handler takes longer than that, nothing else would come to run. */
static void soon(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 50 }, NULL);
}

static void handler(int sig)
{
	(void)sig;
	if (write(fd, "h", 1) == 1)
		n++;
	if (n < most)
		soon();
}

static void interrupted(long want)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = SA_RESTART };
	int other = open("/dev/zero", O_RDWR);
	long m = 0;

	most = want;
	sigaction(SIGALRM, &act, NULL);
	soon();
	while (n < want)
		m += write(other, "mm", 2) == 2;
	say("%ld %ld", n, m);
}

static void strict(void)
{
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	for (int i = 0; i < 20; i++) {
		syscall(SYS_write, fd, "x", 1);
		if (write(fd, "y", 1) != 1)
			break;
	}
	syscall(SYS_exit, 0);
}

int main(int argc, char **argv)
{
	fd = open("/dev/null", O_WRONLY);
	if (argc > 1 && argv[1][0])
		interrupted(atol(argv[1]));
	else
		strict();
	return 0;
}
