/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * courier.c - a thread computes, and another one writes what it gets from it.
 *
 * build: iocc -pthread
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define BLOCK  (256 << 10)
#define BLOCKS 32

static char block[2][BLOCK];
static int full[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void wait_until(int which, int state)
{
	pthread_mutex_lock(&lock);
	while (full[which] != state)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

static void set(int which, int state)
{
	pthread_mutex_lock(&lock);
	full[which] = state;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void *write_all(void *arg)
{
	int fd = open("blocks.dat", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	(void)arg;
	for (int i = 0; i < BLOCKS; i++) {
		wait_until(i % 2, 1);
		if (write(fd, block[i % 2], BLOCK) != BLOCK)
			err(1, "blocks.dat");
		set(i % 2, 0);
	}
	close(fd);
	return NULL;
}

int main(void)
{
	pthread_t writer;

	pthread_create(&writer, NULL, write_all, NULL);
	for (int i = 0; i < BLOCKS; i++) {
		wait_until(i % 2, 0);
		memset(block[i % 2], i, BLOCK);
		set(i % 2, 1);
	}
	pthread_join(writer, NULL);
	return 0;
}
