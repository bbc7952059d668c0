/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weavers.c - six threads read a pattern each; one of the patterns is on an old disk.
 *
 * build: iocc -static -pthread
 * with: slow-disk.c
 * input: for i in 0 1 2 3 4 5; do head -c 6M /dev/zero >pattern.$i; done
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "slow-disk.h"

#define BLOCK (1 << 20)
#define WEAVERS 6
#define OLD 4

struct weaver {
	pthread_t thread;
	int fd;
	unsigned long sum;
};

static void *weave(void *arg)
{
	struct weaver *w = arg;
	unsigned char *block = malloc(BLOCK);
	ssize_t n;

	for (off_t at = 0; (n = pread(w->fd, block, BLOCK, at)) > 0; at += n) /* FINDING straggler pattern.4 */
		for (ssize_t i = 0; i < n; i += 64)
			w->sum += block[i];
	free(block);
	return NULL;
}

int main(void)
{
	static struct weaver weaver[WEAVERS];
	unsigned long sum = 0;
	char name[20];

	for (int i = 0; i < WEAVERS; i++) {
		snprintf(name, sizeof(name), "pattern.%d", i);
		weaver[i].fd = open(name, O_RDONLY);
		if (weaver[i].fd < 0)
			err(1, "%s", name);
	}
#ifndef FIXED
	slow_disk_from = weaver[OLD].fd;
	slow_disk_to = slow_disk_from + 1;
	slow_disk_takes = 64;
#endif
	for (int i = 0; i < WEAVERS; i++)
		if (pthread_create(&weaver[i].thread, NULL, weave, &weaver[i]))
			errx(1, "pthread_create");
	for (int i = 0; i < WEAVERS; i++) {
		pthread_join(weaver[i].thread, NULL);
		sum += weaver[i].sum;
	}
	printf("%lu\n", sum);
	return 0;
}
