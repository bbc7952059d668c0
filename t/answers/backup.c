/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * backup.c - copies a file in large blocks and says what the sum of its bytes is.
 *
 * build: iocc -static
 * input: head -c 24M /dev/zero >volume.img
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK (1 << 20)

static void put(int fd, const unsigned char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0)
			err(1, "volume.copy");
		data += n;
		size -= (size_t)n;
	}
}

int main(void)
{
	unsigned char *block = malloc(BLOCK);
	int from = open("volume.img", O_RDONLY);
	int to = open("volume.copy", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	unsigned long sum = 0;
	ssize_t n;

	if (!block || from < 0 || to < 0)
		err(1, "backup");
	while ((n = read(from, block, BLOCK)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			sum += block[i];
		put(to, block, (size_t)n);
	}
	if (n < 0 || fsync(to) || close(to))
		err(1, "backup");
	close(from);
	free(block);
	printf("%lu\n", sum);
	return 0;
}
