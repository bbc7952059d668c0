/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * busy.c - ends of a process whose other threads are in the middle of calls:
 * busy HOW NUMBER.  Thread i writes 8 bytes at 8 * k as its call k, to t-i, so that
 * the files tell how many there were.  Prints when the calls that never return
 * began, at the earliest and at the latest, in ns since the epoch.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "waiting.h"

#define THREADS 4

static uint64_t made[THREADS], enough;
static int nowhere[2], reading;
static const char *how, *self;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void *blocked(void *arg)
{
	char c;

	__atomic_store_n(&reading, own_tid(), __ATOMIC_RELEASE);
	read(nowhere[0], &c, 1);
	return arg;
}

static void *caller(void *arg)
{
	uint64_t i = (uintptr_t)arg;
	char name[20];
	int fd;

	snprintf(name, sizeof(name), "t-%d", (int)i);
	fd = open(name, O_WRONLY | O_CREAT, 0644);
	for (uint64_t k = 0;; k++) {
		if (pwrite(fd, &k, sizeof(k), (off_t)(8 * k)) != sizeof(k))
			abort();
		__atomic_store_n(&made[i], k + 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void *end(void *arg)
{
	for (int i = 0; i < THREADS; i++)
		while (__atomic_load_n(&made[i], __ATOMIC_RELAXED) < enough)
			sched_yield();
	await_read(&reading);
	dprintf(1, "%llu\n", (unsigned long long)now());
	if (!strcmp(how, "exit"))
		exit(3);
	if (!strcmp(how, "_exit"))
		_exit(4);
	if (!strcmp(how, "syscall"))
		syscall(SYS_exit_group, 5);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "segv"))
		*(volatile int *)8 = 0;
	if (!strcmp(how, "term"))
		raise(SIGTERM);
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "exec"))
		execl(self, self, "leaf", (char *)NULL);
	return arg;
}

/* HOW is what is done, by the first thread or, if it begins with "thread-", by
   another. */
int main(int argc, char **argv)
{
	pthread_t t;

	if (argc == 2 && !strcmp(argv[1], "leaf"))
		return 6;
	if (argc < 3 || pipe(nowhere))
		return 99;
	self = argv[0];
	how = argv[1];
	enough = strtoull(argv[2], NULL, 10);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&t, NULL, caller, (void *)i);
	dprintf(1, "%llu\n", (unsigned long long)now());
	pthread_create(&t, NULL, blocked, NULL);
	await_read(&reading);
	if (!strncmp(how, "thread-", 7)) {
		how += 7;
		__atomic_store_n(&reading, 0, __ATOMIC_RELEASE);
		pthread_create(&t, NULL, end, NULL);
		blocked(NULL);
	}
	end(NULL);
	return 7;
}
