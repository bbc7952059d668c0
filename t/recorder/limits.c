/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.c - a program that sets itself tight limits: limits HOW NUMBER.  After
 * NUMBER calls and the limit, it does what the recorder needs memory, descriptors
 * and disk space for, as far as it can itself: it opens files, has a thread and a
 * child.  "written" is what it got done.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd, n;
static long written;

static void calls(int to, int many)
{
	for (int i = 0; i < many; i++) {
		if (pwrite(to, "abcd", 4, 4L * (i % 1000)) != 4) {
			printf("pwrite: %s\n", strerror(errno));
			return;
		}
		written++;
	}
}

static void *thread(void *arg)
{
	calls(fd, n);
	return arg;
}

static void limit(int what, rlim_t soft, rlim_t hard)
{
	if (setrlimit(what, &(struct rlimit){ soft, hard }))
		printf("setrlimit: %s\n", strerror(errno));
}

static void set(const char *how)
{
	struct rlimit rl;

	if (!strcmp(how, "nofile-0"))
		limit(RLIMIT_NOFILE, 0, 0);
	if (!strcmp(how, "nofile-3"))
		limit(RLIMIT_NOFILE, 3, 3);
	if (!strcmp(how, "nofile-soft"))
		limit(RLIMIT_NOFILE, 3, 2000);
	if (!strcmp(how, "nofile-up-down")) {
		getrlimit(RLIMIT_NOFILE, &rl);
		limit(RLIMIT_NOFILE, rl.rlim_max < 1500 ? rl.rlim_max : 1500, rl.rlim_max);
		for (int i = 0; i < 1300; i++)
			if (dup(fd) < 0)
				printf("dup: %s\n", strerror(errno));
		limit(RLIMIT_NOFILE, 20, rl.rlim_max);
		for (int i = fd + 1; i < 1400; i++)
			close(i);
	}
	if (!strcmp(how, "as"))
		limit(RLIMIT_AS, 4096, 4096);
	if (!strcmp(how, "data"))
		limit(RLIMIT_DATA, 4096, 4096);
	if (!strcmp(how, "stack"))
		limit(RLIMIT_STACK, 16384, 16384);
	if (!strcmp(how, "fsize-0"))
		limit(RLIMIT_FSIZE, 4000, 4000);
	if (!strcmp(how, "memlock") && mlockall(MCL_CURRENT | MCL_FUTURE))
		printf("mlockall: %s\n", strerror(errno));
	if (!strcmp(how, "cpu"))
		limit(RLIMIT_CPU, 60, 60);
}

static void files(void)
{
	char name[40];

	for (int i = 0; i < 30; i++) {
		int f;

		snprintf(name, sizeof(name), "more-%d", i);
		f = open(name, O_RDWR | O_CREAT, 0644);
		if (f < 0) {
			printf("%s: %s\n", name, strerror(errno));
			continue;
		}
		calls(f, 10);
		close(f);
	}
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t t;
	int status;
	pid_t pid;

	fd = open("calls", O_RDWR | O_CREAT, 0644);
	if (argc < 3 || fd < 0)
		return 99;
	n = atoi(argv[2]);
	setvbuf(stdout, malloc(BUFSIZ), _IOLBF, BUFSIZ);
	calls(fd, n);
	set(argv[1]);
	calls(fd, n);
	files();
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	if ((errno = pthread_create(&t, &attr, thread, NULL)))
		printf("pthread_create: %s\n", strerror(errno));
	else
		pthread_join(t, NULL);
	pid = fork();
	if (!pid) {
		calls(fd, 10);
		_exit(7);
	}
	if (pid > 0 && wait(&status) == pid) {
		printf("child %d\n", WEXITSTATUS(status));
		written += 10;
	} else {
		printf("fork: %s\n", strerror(errno));
	}
	calls(fd, n);
	printf("written %ld\n", written);
	return 11;
}
