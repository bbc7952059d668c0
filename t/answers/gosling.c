/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gosling.c - finds out once in which of some directories each part of a model is.  Then it works
 * on what it has found.
 *
 * build: iocc -static
 * input: mkdir shelf.4; for i in $(seq 0 199); do truncate -s 1M shelf.4/$i; done
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PARTS 200
#define SHELVES 5
#define SIZE 1048576

static char part[SIZE];

static int open_part(int number)
{
	char path[40];

	for (int i = 0; i < SHELVES; i++) {
		int fd;

		snprintf(path, sizeof(path), "shelf.%d/%d", i, number);
		fd = open(path, O_RDONLY);
		if (fd >= 0)
			return fd;
	}
	errx(1, "no part %d", number);
}

int main(void)
{
	unsigned long sum = 0;

	for (int i = 0; i < PARTS; i++) {
		int fd = open_part(i);

		if (read(fd, part, SIZE) != SIZE)
			err(1, "part %d", i);
		close(fd);
		for (int j = 0; j < SIZE; j++)
			sum += (unsigned char)part[j];
	}
	printf("%lu\n", sum);
	return 0;
}
