/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cairn.c - eight threads read their parts; one walks its part from behind.
 *
 * build: iocc -pthread
 * input: dd if=/dev/zero of=survey.dat bs=1M count=64 2>/dev/null
 * as: recent
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define PART (8 << 20)
static int fd;
static long sums[8];
static void fetch(void *buf, size_t n, off_t at)
{
	if (pread(fd, buf, n, at) != (ssize_t)n)
		exit(1);
}
static void *forward(void *arg)
{
	long k = (long)arg;
	char *buf = malloc(1 << 18);
	for (off_t at = 0; at < PART; at += 1 << 18) {
		fetch(buf, 1 << 18, k * PART + at);
		for (int i = 0; i < 1 << 18; i++)
			sums[k] += buf[i];
	}
	free(buf);
	return 0;
}
static void *back(void *arg)
{
	long k = (long)arg;
	char buf[4096];
	for (off_t at = PART - 4096; at >= 0; at -= 4096) {
		fetch(buf, 4096, k * PART + at); /* FINDING backwards survey.dat */
		for (int i = 0; i < 4096; i++)
			sums[k] += buf[i];
	}
	return 0;
}
int main(void)
{
	pthread_t t[8];
	fd = open("survey.dat", O_RDONLY);
	for (long k = 0; k < 8; k++)
#ifdef FIXED
		pthread_create(&t[k], 0, forward, (void *)k);
	(void)back;
#else
		pthread_create(&t[k], 0, k == 5 ? back : forward, (void *)k);
#endif
	for (int k = 0; k < 8; k++)
		pthread_join(t[k], 0);
	printf("%ld\n", sums[5]);
	return 0;
}
