/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queries.c - answers questions about the measurements in a file.
 *
 * build: iocc -static
 * input: head -c 4M /dev/zero >measured.bin
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SIZE	(4 << 20)
#define PIECE	(256 << 10)
#define QUERIES 60

static float *measured;
static int n;

static void load(int fd)
{
	char *to = (char *)measured;

	if (lseek(fd, 0, SEEK_SET))
		err(1, "measured.bin");
	for (int at = 0; at < SIZE; at += PIECE)
		if (read(fd, to + at, PIECE) != PIECE) /* FINDING reread measured.bin */
			err(1, "measured.bin");
	n = SIZE / (int)sizeof(*measured);
}

static int above(int fd, float limit)
{
	int found = 0;

#ifdef FIXED
	if (!n)
#endif
		load(fd); /* FINDING reread measured.bin */
	for (int i = 0; i < n; i += 64)
		found += measured[i] > limit;
	return found;
}

int main(void)
{
	int fd = open("measured.bin", O_RDONLY), sum = 0;

	measured = malloc(SIZE);
	if (fd < 0 || !measured)
		err(1, "measured.bin");
	for (int i = 0; i < QUERIES; i++)
		sum += above(fd, (float)i);
	close(fd);
	printf("%d\n", sum);
	return 0;
}
