/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * when.c - for time.t: COUNT bursts of writes of 64 KiB with pauses between; with an argument,
 * a second thread that computes all the while.
 *
 *	when FILE [compute]
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define COUNT 5

static volatile int began, stop;
static char block[65536];

static void *compute(void *unused)
{
	/* a thread is there from its first call to its last */
	access("/", F_OK);
	began = 1;
	while (!stop)
		;
	access("/", F_OK);
	return unused;
}

int main(int argc, char **argv)
{
	struct timespec pause = {0, 150000000};
	pthread_t thread;
	int fd, i, j;

	if (argc < 2)
		return 2;
	if (argc > 2 && pthread_create(&thread, NULL, compute, NULL))
		return 2;
	while (argc > 2 && !began)
		;
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	for (i = 0; i < COUNT; i++) {
		for (j = 0; j < 40; j++)
			if (write(fd, block, sizeof(block)) != sizeof(block))
				return 1;
		nanosleep(&pause, NULL);
	}
	if (argc > 2) {
		stop = 1;
		pthread_join(thread, NULL);
	}
	return close(fd);
}
