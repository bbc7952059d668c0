/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * touched.c - looks up depths in a mapped chart, here and there or from its beginning to its end.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE  4096u
#define PAGES 16384u /* a power of 2 */

static unsigned depth(const unsigned char *chart, unsigned page)
{
	return chart[(size_t)page * PAGE]; /* HERE */
}

int main(int argc, char **argv)
{
	int fd = open("chart", O_RDWR | O_CREAT, 0644);
	int in_order = argc > 1 && !strcmp(argv[1], "in-order");
	const unsigned char *chart;
	unsigned i, sum = 0;

	if (fd < 0 || ftruncate(fd, (off_t)PAGES * PAGE))
		err(1, "chart");
	chart = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (chart == MAP_FAILED)
		err(1, "mmap");
	for (i = 0; i < PAGES; i++)
		sum += depth(chart, in_order ? i : i * 6361 % PAGES);
	printf("%u\n", sum);
	munmap((void *)chart, (size_t)PAGES * PAGE);
	close(fd);
	return 0;
}
