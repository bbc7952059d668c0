/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * encode.c - eight threads encode the parts of a film, each into a file of its own.
 *
 * build: iocc -pthread
 * as: courier
 * input: head -c 8M /dev/zero >film.raw
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 8
#define PART	(1 << 20)
#define BLOCK	(256 << 10)

static void encode(unsigned char *block)
{
	for (int i = BLOCK - 1; i > 0; i--)
		block[i] = (unsigned char)(block[i] - block[i - 1] + 1);
}

static void *work(void *arg)
{
	int number = (int)(intptr_t)arg, in, out;
	unsigned char *block = malloc(BLOCK);
	char path[32];

	snprintf(path, sizeof(path), "film.%d", number);
	in = open("film.raw", O_RDONLY);
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (!block || in < 0 || out < 0)
		err(1, "%s", path);
	for (off_t at = 0; at < PART; at += BLOCK) {
		if (pread(in, block, BLOCK, (off_t)number * PART + at) != BLOCK)
			err(1, "film.raw");
		encode(block);
		if (write(out, block, BLOCK) != BLOCK)
			err(1, "%s", path);
	}
	close(in);
	close(out);
	free(block);
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
