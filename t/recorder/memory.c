/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.c - what threads cost: memory alive|churn THREADS.  So many threads, at
 * once or one after another, each with a few calls; then prints how much memory
 * the process has mapped, in KiB.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_barrier_t all_here, all_done;
static int fd;

static void calls(void)
{
	char c;
	int f;

	for (int i = 0; i < 3; i++)
		if (pread(fd, &c, 1, i) < 0)
			abort();
	f = open("file", O_RDONLY);
	if (f < 0 || close(f))
		abort();
}

static void *alive(void *arg)
{
	(void)arg;
	calls();
	pthread_barrier_wait(&all_here);
	pthread_barrier_wait(&all_done);
	return NULL;
}

static void *churn(void *arg)
{
	calls();
	return arg;
}

static void print_size(void)
{
	char buf[4096], *line;
	int f = open("/proc/self/status", O_RDONLY);
	ssize_t n = read(f, buf, sizeof(buf) - 1);

	buf[n > 0 ? n : 0] = 0;
	line = strstr(buf, "VmSize:");
	if (!line)
		abort();
	printf("%ld\n", strtol(line + 7, NULL, 10));
}

int main(int argc, char **argv)
{
	unsigned int n = argc == 3 ? (unsigned int)atoi(argv[2]) : 0;
	pthread_t *t = calloc(n + 1, sizeof(*t));
	pthread_attr_t attr;

	fd = open("file", O_RDWR | O_CREAT, 0644);
	if (!n || !t || fd < 0)
		return 99;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	calls();
	if (!strcmp(argv[1], "churn")) {
		for (unsigned int i = 0; i < n; i++)
			if (pthread_create(&t[0], &attr, churn, NULL) || pthread_join(t[0], NULL))
				return 98;
		print_size();
		return 0;
	}
	pthread_barrier_init(&all_here, NULL, n + 1);
	pthread_barrier_init(&all_done, NULL, n + 1);
	for (unsigned int i = 0; i < n; i++)
		if (pthread_create(&t[i], &attr, alive, NULL))
			return 98;
	pthread_barrier_wait(&all_here);
	print_size();
	pthread_barrier_wait(&all_done);
	for (unsigned int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}
