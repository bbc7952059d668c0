/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trust.c - a program that is recorded while somebody else writes its log.
 *
 *	trust work N		calls of all lengths, in two threads, their handlers and
 *				children; prints what it did
 *	trust scribble LOG SEED	stores random words all over the log, until it is killed
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int n;
static int fd;
static volatile long handled;

static void handler(int sig)
{
	(void)sig;
	handled += write(fd, "", 0) == 0;
}

static void *work(void *arg)
{
	static __thread char name[3000];
	long done = 0;
	char c;

	for (int i = 0; i < n; i++) {
		done += pread(fd, &c, 1, i % 5);
		if (i % 16)
			continue;
		/* names of many lengths, which move from window to window */
		memset(name, 'a' + i / 16 % 26, sizeof(name) - 1);
		name[i % 2900] = 0;
		done -= open(name, O_RDONLY);
	}
	*(long *)arg = done;
	return NULL;
}

static int do_work(void)
{
	struct itimerval every = { { 0, 300 }, { 0, 300 } };
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_RESTART };
	long here = 0, there = 0;
	int status, ended = 0;
	pthread_t t;

	fd = open("trust", O_RDWR | O_CREAT, 0600);
	if (fd < 0 || write(fd, "trust", 5) != 5)
		return 2;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	if (pthread_create(&t, NULL, work, &there))
		return 3;
	work(&here);
	pthread_join(t, NULL);
	for (int i = 0; i < 100; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(write(fd, "", 0) ? 1 : 5);
		while (waitpid(pid, &status, 0) < 0)
			;
		ended += WIFEXITED(status) && WEXITSTATUS(status) == 5;
	}
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	printf("%ld %ld %d\n", here, there, ended);
	return 0;
}

static int scribble(const char *log, uint64_t x)
{
	struct stat st;
	int to = open(log, O_RDWR);
	uint32_t *map;

	for (;;) {
		if (to < 0 || fstat(to, &st) || st.st_size < 4096)
			return 2;
		map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
		if (map == MAP_FAILED)
			return 3;
		for (int i = 0; i < 1000000; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			/* what is small, large, or nearly what it was */
			map[(x >> 8) % ((size_t)st.st_size / 4)] =
				x & 1 ? (uint32_t)(x >> 40) & 0xffff : x & 2 ? ~0U : (uint32_t)(x >> 32);
		}
		munmap(map, (size_t)st.st_size);
	}
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "scribble"))
		return scribble(argv[2], strtoull(argv[3], NULL, 10) | 1);
	if (argc != 3)
		return 2;
	n = atoi(argv[2]);
	return do_work();
}
