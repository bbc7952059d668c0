/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut.c - a program whose log somebody cuts short, or takes disk space from, while
 * it writes it: cut HOW OFFSET DIRECTORY.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fd, go;

static void calls(int n)
{
	for (int i = 0; i < n; i++)
		if (pwrite(fd, "abcd", 4, 4L * (i % 1000)) != 4)
			puts("pwrite failed");
}

static void *thread(void *arg)
{
	calls(1000);
	__atomic_store_n(&go, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&go, __ATOMIC_ACQUIRE) == 1)
		usleep(1000);
	calls(20000);
	return arg;
}

/* Gives the log's space from there on to another file. */
static void rob(const char *log, off_t from, const char *dir)
{
	int f = open(log, O_RDWR), all;
	static char block[4096];
	char name[4096];

	snprintf(name, sizeof(name), "%s/all", dir);
	all = open(name, O_WRONLY | O_CREAT, 0644);
	if (f < 0 || all < 0 || fallocate(f, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, 1 << 30))
		perror(log);
	while (write(all, block, sizeof(block)) > 0)
		;
	close(all);
	close(f);
}

int main(int argc, char **argv)
{
	char pattern[4096];
	pthread_t t;
	glob_t g;

	fd = open("calls", O_RDWR | O_CREAT, 0644);
	if (argc < 4 || fd < 0)
		return 99;
	pthread_create(&t, NULL, thread, NULL);
	calls(3000);
	while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
		usleep(1000);
	snprintf(pattern, sizeof(pattern), "%s/*.iotrace", argv[3]);
	if (glob(pattern, 0, NULL, &g))
		g.gl_pathc = 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		if (!strcmp(argv[1], "rob"))
			rob(g.gl_pathv[i], atol(argv[2]), argv[3]);
		else if (truncate(g.gl_pathv[i], atol(argv[2])))
			perror(g.gl_pathv[i]);
	}
	__atomic_store_n(&go, 2, __ATOMIC_RELEASE);
	calls(20000);
	pthread_join(t, NULL);
	calls(20000);
	puts("end");
	return 5;
}
