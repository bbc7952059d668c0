/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turbine.c - adds up what a sensor of a turbine has written, block by block, from a slow disk.
 *
 * build: iocc -static -pthread
 * with: slow-disk.c
 * input: head -c 40M /dev/zero >vibrations.raw
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "slow-disk.h"

#define BLOCK (1 << 20)
#define BLOCKS 40

static unsigned char block[2][BLOCK];
static int fd;

static void fetch(int n)
{
	if (pread(fd, block[n % 2], BLOCK, (off_t)n * BLOCK) != BLOCK) /* FINDING unprefetched vibrations.raw */
		err(1, "vibrations.raw");
}

static unsigned long analyse(const unsigned char *samples, unsigned long state)
{
	for (int round = 0; round < 8; round++)
		for (int i = 0; i < BLOCK; i++)
			state = state * 31 + samples[i];
	return state;
}

#ifdef FIXED
static void *ahead(void *n)
{
	fetch(*(int *)n);
	return NULL;
}
#endif

int main(void)
{
	unsigned long state = 0;

	fd = open("vibrations.raw", O_RDONLY);
	if (fd < 0)
		err(1, "vibrations.raw");
	slow_disk_to = fd + 1;
#ifdef FIXED
	fetch(0);
	for (int n = 0; n < BLOCKS; n++) {
		int next = n + 1;
		pthread_t reader;

		if (next < BLOCKS && pthread_create(&reader, NULL, ahead, &next))
			errx(1, "pthread_create");
		state = analyse(block[n % 2], state);
		if (next < BLOCKS)
			pthread_join(reader, NULL);
	}
#else
	for (int n = 0; n < BLOCKS; n++) {
		fetch(n); /* FINDING unprefetched vibrations.raw */
		state = analyse(block[n % 2], state);
	}
#endif
	printf("%lu\n", state);
	return 0;
}
