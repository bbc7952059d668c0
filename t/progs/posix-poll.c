/* SPDX-License-Identifier: BSD-3-Clause */
/* posix-poll.c - waiting for descriptors, with and without anything to come. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include "show.h"

int main(void)
{
	struct timespec ts = { .tv_nsec = 2000000 };
	struct timespec never = { .tv_sec = -1 };
	struct timeval tv = { .tv_usec = 2000 }, before = { .tv_sec = -1 }, just_before = { .tv_usec = -1 };
	struct pollfd p[2];
	fd_set in, out;
	sigset_t none;
	int fd[2];

	sigemptyset(&none);
	(void)!pipe(fd);
	p[0] = (struct pollfd){ .fd = fd[0], .events = POLLIN };
	p[1] = (struct pollfd){ .fd = fd[1], .events = POLLOUT };
	SHOW(poll(p, 2, -1));
	SHOW(poll(p, 1, 1));
	SHOW(poll(NULL, 0, 1));
	SHOW(poll(HIDE((struct pollfd *)NULL), HIDE(1), 1));
	SHOW(ppoll(p, 2, &ts, &none));
	SHOW(ppoll(p, 1, &ts, NULL));
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(fd[0], &in);
	FD_SET(fd[1], &out);
	SHOW(select(fd[1] + 1, &in, &out, NULL, NULL));
	FD_SET(fd[0], &in);
	SHOW(select(fd[0] + 1, &in, NULL, NULL, &tv));
	SHOW(select(0, NULL, NULL, NULL, &tv));
	SHOW(select(-1, NULL, NULL, NULL, NULL));
	/* libc turns these down */
	SHOW(select(0, NULL, NULL, NULL, &before));
	SHOW(select(0, NULL, NULL, NULL, &just_before));
	SHOW(pselect(0, NULL, NULL, NULL, &never, NULL));
	FD_SET(fd[0], &in);
	SHOW(pselect(fd[0] + 1, &in, NULL, NULL, &ts, &none));
	(void)!write(fd[1], "x", 1);
	FD_SET(fd[0], &in);
	SHOW(pselect(fd[0] + 1, &in, NULL, NULL, NULL, NULL));
	close(fd[0]);
	FD_SET(fd[0], &in);
	SHOW(pselect(fd[0] + 1, &in, NULL, NULL, NULL, NULL));
	return 0;
}
