/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * segments.c - eight threads write the segments of a search index: seven have postings, one
 * has the list of terms.
 *
 * build: iocc -pthread
 * as: notes
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 8
#define BLOCK	(256 << 10)
#define BLOCKS	12
#define TERMS	20000

struct term {
	uint32_t hash, segment;
	uint64_t at;
};

static void emit(int fd, const void *data, size_t size)
{
	if (write(fd, data, size) != (ssize_t)size)
		err(1, "segment");
}

static int create(int number)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "segment.%d", number);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

static void postings(int fd)
{
	char *block = calloc(1, BLOCK);

	for (int i = 0; i < BLOCKS; i++) {
		block[i] = (char)i;
		emit(fd, block, BLOCK);
	}
	free(block);
}

static void terms(int fd)
{
	struct term *all = calloc(TERMS, sizeof(*all));

	for (uint32_t i = 0; i < TERMS; i++)
		all[i] = (struct term){i * 2654435761u, i % (THREADS - 1), i * 64};
#ifdef FIXED
	emit(fd, all, TERMS * sizeof(*all));
#else
	for (int i = 0; i < TERMS; i++)
		emit(fd, &all[i], sizeof(all[i])); /* FINDING small-writes segment.5 */
#endif
	free(all);
}

static void *work(void *arg)
{
	int number = (int)(intptr_t)arg, fd = create(number);

	if (number == 5)
		terms(fd);
	else
		postings(fd);
	close(fd);
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
