/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clay.c - copies a file before it is changed.
 *
 * build: iocc -static
 * input: head -c 8M /dev/zero >clay.img
 */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef FIXED
#define BLOCK (1 << 18)
#else
#define BLOCK 512
#endif

static void copy(int from, int to)
{
	static char block[BLOCK];
	ssize_t n;

	while ((n = read(from, block, sizeof(block))) > 0)   /* FINDING small-reads clay.img */
		if (write(to, block, (size_t)n) != n) /* FINDING small-writes clay.bak */
			err(1, "clay.bak");
}

int main(void)
{
	int from = open("clay.img", O_RDONLY), to = open("clay.bak", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (from < 0 || to < 0)
		err(1, "clay");
	copy(from, to);
	close(to);
	close(from);
	return 0;
}
