/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mappings.c - maps files, takes parts away and moves what is left: each call is about the file
 * that lies there.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096L

static char *map(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *p = ftruncate(fd, 16 * PAGE) ? MAP_FAILED : mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	close(fd);
	return p;
}

int main(void)
{
	char *one = map("one"), *two = map("two");

	if (one == MAP_FAILED || two == MAP_FAILED)
		return 1;
	/* a hole in its middle; both ends are the file's still */
	munmap(one + 4 * PAGE, 4 * PAGE);
	one[0] = one[8 * PAGE] = 1;
	msync(one, PAGE, MS_SYNC);
	msync(one + 8 * PAGE, PAGE, MS_SYNC);
	/* of two the beginning moves away, and the rest stays */
	char *moved = mremap(two, 2 * PAGE, 12 * PAGE, MREMAP_MAYMOVE);

	if (moved == MAP_FAILED)
		return 2;
	moved[0] = two[3 * PAGE] = 1;
	msync(moved + 4 * PAGE, PAGE, MS_SYNC);
	msync(two + 3 * PAGE, PAGE, MS_SYNC);
	/* memory of no file in the place of it: no sync of a file */
	if (mmap(two + 4 * PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return 3;
	msync(two + 4 * PAGE, PAGE, MS_SYNC);
	madvise(two + 5 * PAGE, PAGE, MADV_WILLNEED);
	munmap(moved, 12 * PAGE);
	munmap(one, 4 * PAGE);
	return 0;
}
