/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep.c - closes all descriptors again and again, while other threads make calls and begin.
 * What it opens then has the lowest number, and a process that it makes has that one alone.
 *
 *	sweep HOW ROUNDS
 *
 * HOW: closefrom, close_range, syscall, or asm, which libc has no part in.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool ends;

/* Fills its part of the log, and what all have in common, so that the log has to grow. */
static void *brief(void *name)
{
	char path[64], byte;

	for (int i = 0; i < 40; i++) {
		snprintf(path, sizeof(path), "%s/%d", (char *)name, i);
		(void)!readlink(path, &byte, 1);
	}
	return NULL;
}

static void *busy(void *arg)
{
	char name[32];

	for (int i = 0; !__atomic_load_n(&ends, __ATOMIC_RELAXED); i++) {
		pthread_t t[4];

		snprintf(name, sizeof(name), "none/%ld/%d", (long)arg, i);
		for (int k = 0; k < 4; k++)
			pthread_create(&t[k], NULL, brief, name);
		for (int k = 0; k < 4; k++)
			pthread_join(t[k], NULL);
	}
	return NULL;
}

static void sweep(const char *how)
{
	long n = SYS_close_range;

	if (!strcmp(how, "closefrom"))
		closefrom(3);
	else if (!strcmp(how, "close_range"))
		close_range(3, ~0U, 0);
	else if (!strcmp(how, "syscall"))
		syscall(SYS_close_range, 3, ~0U, 0);
	else
		__asm__ volatile("syscall" : "+a"(n) : "D"(3L), "S"((long)~0U), "d"(0L) : "rcx", "r11", "memory");
}

int main(int argc, char **argv)
{
	long rounds = argc > 2 ? atol(argv[2]) : 0, wrong = 0, limits = 0;
	struct rlimit was, is;
	pthread_t t[2];

	getrlimit(RLIMIT_NOFILE, &was);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, busy, (void *)i);
	for (long i = 0; i < rounds; i++) {
		sweep(argv[1]);
		for (int k = 0; k < 20; k++) {
			int fd = open("/dev/null", O_RDONLY);

			wrong += fd != 3;
			getrlimit(RLIMIT_NOFILE, &is);
			limits += is.rlim_cur != was.rlim_cur;
			close(fd);
		}
	}
	__atomic_store_n(&ends, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%ld of another number, %ld times another limit\n", wrong, limits);
	return 0;
}
