/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bubbles.c - each rank has bubbles, which all go to disk in the end.
 *
 * build: iocc -static
 * launcher: mpich
 * ranks: 64
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SIZE 131072

static char bubbles[SIZE];

int main(void)
{
	const char *rank = getenv("PMI_RANK");
	char name[40];
	off_t at = 0;
	int fd;

	if (!rank)
		errx(1, "no rank");
#ifdef FIXED
	at = atoi(rank) * (off_t)SIZE;
	snprintf(name, sizeof(name), "bubbles.dat");
#else
	snprintf(name, sizeof(name), "bubbles.%s", rank);
#endif
	fd = open(name, O_WRONLY | O_CREAT, 0666); /* FINDING file-per-process in bubbles.~ */
	if (fd < 0 || pwrite(fd, bubbles, SIZE, at) != SIZE || close(fd))
		err(1, "%s", name);
	return 0;
}
