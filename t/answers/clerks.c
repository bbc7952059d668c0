/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clerks.c - three threads begin with one function, and each does another job: the one that reads
 * an old archive takes longer than those that write a note.  None of them is late.
 *
 * build: iocc -static -pthread
 * with: slow-disk.c
 * input: head -c 40M /dev/zero >archive
 * as: weavers
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "slow-disk.h"

#define BLOCK (1 << 20)

static int archive;
static unsigned long sum;

static void add_up(void)
{
	unsigned char *block = malloc(BLOCK);
	ssize_t n;

	for (off_t at = 0; (n = pread(archive, block, BLOCK, at)) > 0; at += n)
		for (ssize_t i = 0; i < n; i += 64)
			sum += block[i];
	free(block);
}

static void note(const char *name)
{
	FILE *f = fopen(name, "w");

	if (!f)
		err(1, "%s", name);
	fprintf(f, "at work\n");
	if (fclose(f) != 0)
		err(1, "%s", name);
}

static void first_note(void)
{
	note("first");
}

static void second_note(void)
{
	note("second");
}

static void *clerk(void *job)
{
	void (*const *work)(void) = job;

	(*work)();
	return NULL;
}

int main(void)
{
	static void (*const job[])(void) = {add_up, first_note, second_note};
	pthread_t thread[3];

	archive = open("archive", O_RDONLY);
	if (archive < 0)
		err(1, "archive");
	slow_disk_from = archive;
	slow_disk_to = archive + 1;
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, clerk, (void *)&job[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%lu\n", sum);
	return 0;
}
