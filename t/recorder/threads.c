/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.c - many threads, and where in files they read and write:
 * threads HOW THREADS CALLS.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int shared, where, n_calls, n_threads;
static const char *how;
static bool at_once;			/* threads wait for one another */
static pthread_key_t key;
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

/* Names relative to a directory that the first of several threads changes again and
   again: where it is itself then, it knows. */
static void dirs(long k)
{
	static const char *const there[] = { "../a", "../b" }, *const in[] = { "in-a", "in-b" };
	static bool over;

	for (int i = 0; k == 0 && i < n_calls; i++) {
		if (chdir(there[i % 2]))
			abort();
		close(open(in[i % 2], O_RDONLY));
	}
	if (k == 0)
		__atomic_store_n(&over, true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
		close(open("any", O_RDONLY));
}

static void *thread(void *arg)
{
	long k = (long)arg;
	char c;

	if (at_once)
		pthread_barrier_wait(&all);
	if (how[0] == 'c') /* count, churn, crowd */
		for (int i = 0; i < n_calls; i++)
			if (pread(shared, &c, 1, k * 100 + i % 100) != 1)
				abort();
	if (!strcmp(how, "read"))
		read_at(shared);
	if (!strcmp(how, "write"))
		write_marks((uint64_t)syscall(SYS_gettid));
	if (!strcmp(how, "own"))
		own();
	if (!strcmp(how, "dirs"))
		dirs(k);
	return NULL;
}

/* It has done with its work when this is called. */
static void at_end(void *arg)
{
	char c;

	if (pread(shared, &c, 1, (long)arg) != 1)
		abort();
}

static void *mortal(void *arg)
{
	pthread_setspecific(key, arg);
	return thread(arg);
}

/* Threads one after another */
static void *churn(void *fn)
{
	pthread_t t;

	for (long i = 0; i < n_threads; i++)
		if (pthread_create(&t, NULL, (void *(*)(void *))fn, (void *)(1 + i % 99)) || pthread_join(t, NULL))
			abort();
	return NULL;
}

/* and eight at a time */
static void crowd(void)
{
	pthread_t t[8];

	pthread_key_create(&key, at_end);
	for (int i = 0; i < 8; i++)
		if (pthread_create(&t[i], NULL, churn, (void *)mortal))
			abort();
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	int n = n_threads = argc > 3 ? atoi(argv[2]) : 0;
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
		churn((void *)thread);
		return 0;
	}
	if (!strcmp(how, "crowd")) {
		crowd();
		return 0;
	}
	if (!strcmp(how, "dirs") && (mkdir("a", 0777) || mkdir("b", 0777) || chdir("a")))
		return 96;
	at_once = true;
	pthread_barrier_init(&all, NULL, (unsigned int)n);
	for (long i = 0; i < n; i++)
		if (pthread_create(&t[i], NULL, thread, (void *)i))
			return 97;
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}
