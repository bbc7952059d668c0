/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c - a store of large pages, some of which are read, changed and written back, where
 * they are needed.
 *
 * build: iocc -static
 * input: head -c 64M /dev/zero >store.db
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE	(256 << 10)
#define PAGES	256
#define CHANGES 60

static int fd;

static unsigned char *page(int number)
{
	static unsigned char *cached[PAGES];

	if (!cached[number]) {
		cached[number] = malloc(PAGE);
		if (!cached[number] || pread(fd, cached[number], PAGE, (off_t)number * PAGE) != PAGE)
			err(1, "store.db");
	}
	return cached[number];
}

static void write_back(int number)
{
	if (pwrite(fd, page(number), PAGE, (off_t)number * PAGE) != PAGE)
		err(1, "store.db");
}

int main(void)
{
	uint32_t at = 7;
	char dirty[PAGES] = {0};

	fd = open("store.db", O_RDWR);
	if (fd < 0)
		err(1, "store.db");
	for (int i = 0; i < CHANGES; i++) {
		at = at * 1664525 + 1013904223;
		page((int)(at >> 24))[at % PAGE]++;
		dirty[at >> 24] = 1;
	}
	for (int i = 0; i < PAGES; i++)
		if (dirty[i])
			write_back(i);
	if (fsync(fd) || close(fd))
		err(1, "store.db");
	return 0;
}
