/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.c - many threads, and where in files they read and write:
 * threads HOW THREADS CALLS.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int shared, where, n_calls;
static const char *how;
static pthread_barrier_t all;

/* What was read is its own offset; a pwrite of one byte there says so in the log. */
static void read_at(int fd)
{
	uint64_t at;

	while (read(fd, &at, sizeof(at)) == sizeof(at))
		if (pwrite(where, "x", 1, (off_t)at) != 1)
			abort();
}

static void write_marks(uint64_t who)
{
	for (uint64_t i = 0; i < (uint64_t)n_calls; i++) {
		uint64_t mark = who << 32 | i;

		if (write(shared, &mark, sizeof(mark)) != sizeof(mark))
			abort();
	}
}

static void own(void)
{
	int fd = open("numbers", O_RDONLY);
	uint64_t at;

	for (int i = 0; i < n_calls; i++) {
		if (i % 10 == 9 && lseek(fd, 8 * i, SEEK_SET) != 8 * i)
			abort();
		if (read(fd, &at, sizeof(at)) != sizeof(at) || pwrite(where, "x", 1, (off_t)at) != 1)
			abort();
	}
	close(fd);
}

static void *thread(void *arg)
{
	long k = (long)arg;
	char c;

	if (strcmp(how, "churn"))
		pthread_barrier_wait(&all);
	if (!strcmp(how, "count") || !strcmp(how, "churn"))
		for (int i = 0; i < n_calls; i++)
			if (pread(shared, &c, 1, k * 100 + i % 100) != 1)
				abort();
	if (!strcmp(how, "read"))
		read_at(shared);
	if (!strcmp(how, "write"))
		write_marks((uint64_t)syscall(SYS_gettid));
	if (!strcmp(how, "own"))
		own();
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 3 ? atoi(argv[2]) : 0;
	pthread_t t[128];

	if (!n)
		return 99;
	how = argv[1];
	n_calls = atoi(argv[3]);
	shared = open("numbers", O_RDWR | O_CREAT, 0644);
	where = open("where", O_RDWR | O_CREAT, 0644);
	for (uint64_t i = 0; i < 20000; i++)
		if (pwrite(shared, &(uint64_t){ 8 * i }, 8, (off_t)(8 * i)) != 8)
			return 98;
	if (!strcmp(how, "write") || !strcmp(how, "append"))
		shared = open("marks", O_RDWR | O_CREAT | (how[0] == 'a' ? O_APPEND : 0), 0644);
	if (!strcmp(how, "fork") || !strcmp(how, "append")) {
		for (int i = 0; i < n; i++)
			if (fork() == 0) {
				if (!strcmp(how, "fork"))
					read_at(shared);
				else
					write_marks((uint64_t)getpid());
				_exit(0);
			}
		while (wait(NULL) > 0)
			;
		return 0;
	}
	if (!strcmp(how, "churn")) {
		for (long i = 0; i < n; i++)
			if (pthread_create(&t[0], NULL, thread, (void *)(i % 100)) || pthread_join(t[0], NULL))
				return 97;
		return 0;
	}
	pthread_barrier_init(&all, NULL, (unsigned int)n);
	for (long i = 0; i < n; i++)
		if (pthread_create(&t[i], NULL, thread, (void *)i))
			return 97;
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}
