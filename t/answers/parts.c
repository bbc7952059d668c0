/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.c - six processes each work on their part of a list of parts.
 *
 * build: iocc -static
 * as: queries
 * input: head -c 12M /dev/zero >parts.dat
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 6
#define BLOCK	(1 << 20)
#define BLOCKS	12

static char *block;

static void take(int fd)
{
	if (read(fd, block, BLOCK) != BLOCK) /* FINDING read-by-all parts.dat */
		err(1, "parts.dat");
}

static int work(int worker)
{
	int fd = open("parts.dat", O_RDONLY), sum = 0;

	if (fd < 0)
		err(1, "parts.dat");
	block = malloc(BLOCK);
#ifdef FIXED
	lseek(fd, (off_t)worker * BLOCKS / WORKERS * BLOCK, SEEK_SET);
	for (int i = 0; i < BLOCKS / WORKERS; i++) {
		take(fd);
		sum += block[i];
	}
#else
	for (int i = 0; i < BLOCKS; i++) {
		take(fd); /* FINDING read-by-all parts.dat */
		if (i % WORKERS == worker)
			sum += block[i];
	}
#endif
	return sum;
}

int main(void)
{
	for (int i = 0; i < WORKERS; i++)
		if (fork() == 0)
			_exit(work(i)); /* FINDING read-by-all parts.dat */
	while (wait(NULL) > 0)
		;
	return 0;
}
