/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow.c - for those who watch: follow flat NUMBER makes so many calls from each
 * of four threads as fast as it can; follow blocked opens the FIFO "fifo" and reads
 * from it until its end, while another thread writes to "other" now and then; follow
 * orphans NUMBER makes so many calls, forks a child, says its pid and ends; the child does
 * the same when it gets SIGUSR1, and so does its own.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

static long number;
static volatile int done;

/* Each call has an offset of its own. */
static void *flat(void *arg)
{
	long first = (long)arg * number;
	char buf[8];
	int fd = open("file", O_RDWR | O_CREAT, 0644);

	for (long i = 0; i < number; i++)
		if (pread(fd, buf, 1 + (i & 7), first + i) != 0)
			_exit(80);
	return NULL;
}

static void *now_and_then(void *arg)
{
	struct timespec time = { .tv_nsec = 50000000 };
	int fd = *(int *)arg;

	for (long i = 0; !done; i++) {
		if (pwrite(fd, "x", 1, i) != 1)
			_exit(81);
		nanosleep(&time, NULL);
	}
	return NULL;
}

static void blocked(void)
{
	char buf[8];
	int fd = open("fifo", O_RDONLY);

	while (read(fd, buf, sizeof(buf)) > 0)
		;
	/* both in the log as one call that failed */
	execl("/nowhere", "nowhere", NULL);
	done = 1;
}

/* A child records nothing until it is told to go on, if fork() is not recorded. */
static void orphans(void)
{
	int sig;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (long i = 0; i < 3; i++) {
		pid_t child;

		flat((void *)i);
		child = i < 2 ? fork() : 1;
		if (child && i < 2)
			dprintf(STDOUT_FILENO, "%d\n", (int)child);
		if (child)
			_exit(0);
		sigwait(&set, &sig);
	}
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	int fd;

	if (argc > 2 && !strcmp(argv[1], "orphans")) {
		number = atol(argv[2]);
		orphans();
	}

	if (argc > 2 && !strcmp(argv[1], "flat")) {
		number = atol(argv[2]);
		for (long i = 0; i < THREADS; i++)
			pthread_create(&thread[i], NULL, flat, (void *)i);
		for (long i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
		return 0;
	}
	fd = open("other", O_WRONLY | O_CREAT, 0644);
	pthread_create(&thread[0], NULL, now_and_then, &fd);
	blocked();
	pthread_join(thread[0], NULL);
	return 0;
}
