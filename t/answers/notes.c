/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notes.c - threads append short notes to one file.
 *
 * build: iocc -static -pthread
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 3
#define NOTES	3000
#define LENGTH	40

static int fd;

static void put(const char *text, int length)
{
	if (write(fd, text, (size_t)length) != length) /* FINDING small-writes notes.txt */
		err(1, "notes.txt");
}

static void *take_notes(void *arg)
{
	static __thread char all[NOTES * LENGTH];
	int who = (int)(intptr_t)arg, n = 0;

	for (int i = 0; i < NOTES; i++) {
		n += snprintf(all + n, LENGTH, "%d saw %d\n", who, i);
#ifndef FIXED
		put(all, n); /* FINDING small-writes notes.txt */
		n = 0;
#endif
	}
	if (n)
		put(all, n);
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	fd = open("notes.txt", O_WRONLY | O_CREAT | O_APPEND, 0666);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, take_notes, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return close(fd);
}
