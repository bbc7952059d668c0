/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pelican.c - six workers each load the whole dictionary.
 *
 * build: iocc -static
 * input: dd if=/dev/zero of=dictionary.dat bs=1M count=24 2>/dev/null
 * as: queries
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#define SIZE (24 << 20)
static char *load(const char *name, char *to)
{
	int fd = open(name, O_RDONLY);
	for (size_t n = 0; n < SIZE; n += 1 << 18)
		if (read(fd, to + n, 1 << 18) != 1 << 18) /* FINDING read-by-all dictionary.dat */
			exit(1);
	close(fd);
	return to;
}
static void work(const char *words, int k)
{
	volatile long sum = 0;
	for (size_t i = (size_t)k; i < SIZE; i += 7)
		sum += words[i];
}
int main(void)
{
	char *to = malloc(SIZE);
#ifdef FIXED
	load("dictionary.dat", to);
#endif
	for (int k = 0; k < 6; k++)
		if (!fork()) {
#ifndef FIXED
			load("dictionary.dat", to); /* FINDING read-by-all dictionary.dat */
#endif
			work(to, k);
			_exit(0);
		}
	while (wait(0) > 0)
		;
	return 0;
}
