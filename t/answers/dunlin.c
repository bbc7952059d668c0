/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dunlin.c - observers of a coast, a process each, send what they see by pipes.  The one who gathers that hears the first
 * observer out before he listens to the second.
 *
 * build: iocc -static
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/wait.h>

#define OBSERVERS 3
#define FLOCKS	  120

struct flock {
	int place, birds;
	char remarks[8184];
};

struct observer {
	int pipe, pid;
	long birds;
	size_t have;
	struct flock flock;
};

static void look_out(void)
{
	struct timespec t = {0, 1500000};

	nanosleep(&t, NULL);
}

static void observe(int place, int to)
{
	struct flock f;

	memset(&f, ' ', sizeof(f));
	f.place = place;
	for (int i = 0; i < FLOCKS; i++) {
		look_out();
		f.birds = (place + 1) * i % 77;
		if (write(to, &f, sizeof(f)) != sizeof(f))
			_exit(1);
	}
	_exit(0);
}

static void send_out(struct observer *o, int place)
{
	int ends[2];

	if (pipe(ends))
		exit(1);
	o->pid = fork();
	if (o->pid == 0) {
		close(ends[0]);
		observe(place, ends[1]);
	}
	close(ends[1]);
	o->pipe = ends[0];
}

/* Returns 0 if there is no more. */
static int listen_to(struct observer *o)
{
	ssize_t n = read(o->pipe, (char *)&o->flock + o->have, sizeof(o->flock) - o->have); /* FINDING in-turn pipe~ */

	if (n <= 0)
		return 0;
	o->have += (size_t)n;
	if (o->have == sizeof(o->flock)) {
		o->birds += o->flock.birds;
		o->have = 0;
	}
	return 1;
}

#ifdef FIXED
static void gather(struct observer *o)
{
	struct pollfd p[OBSERVERS];
	int left = OBSERVERS;

	for (int i = 0; i < OBSERVERS; i++)
		p[i] = (struct pollfd){.fd = o[i].pipe, .events = POLLIN};
	while (left && poll(p, OBSERVERS, -1) > 0)
		for (int i = 0; i < OBSERVERS; i++)
			if (p[i].revents && !listen_to(&o[i])) {
				p[i].fd = -1;
				left--;
			}
}
#else
static void gather(struct observer *o)
{
	for (int i = 0; i < OBSERVERS; i++)
		while (listen_to(&o[i])) /* FINDING in-turn pipe~ */
			;
}
#endif

int main(void)
{
	struct observer o[OBSERVERS] = {{0}};

	for (int i = 0; i < OBSERVERS; i++)
		send_out(&o[i], i);
	gather(o);
	for (int i = 0; i < OBSERVERS; i++) {
		waitpid(o[i].pid, NULL, 0);
		printf("%ld birds\n", o[i].birds);
	}
	return 0;
}
