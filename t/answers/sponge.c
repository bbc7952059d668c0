/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sponge.c - adds up the cells of a large map, few of whose tiles have ever been surveyed.
 *
 * build: iocc
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TILE 131072
#define TILES 3000
#define EVERY 60

static unsigned char tile[TILE];

static int survey(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)TILE * TILES))
		exit(1);
	for (int i = 0; i < TILES; i += EVERY) {
		for (int j = 0; j < TILE; j++)
			tile[j] = (unsigned char)(i + j);
		if (pwrite(fd, tile, TILE, (off_t)TILE * i) != TILE)
			exit(1);
	}
	return fd;
}

static unsigned long sum(const unsigned char *p)
{
	unsigned long n = 0;

	for (int i = 0; i < TILE; i++)
		n += p[i];
	return n;
}

int main(void)
{
	int fd = survey("sponge.map");
	unsigned long all = 0;
	off_t at = 0;

#ifdef FIXED
	while ((at = lseek(fd, at, SEEK_DATA)) >= 0) {
		at -= at % TILE;
		if (pread(fd, tile, TILE, at) != TILE)
			return 1;
		all += sum(tile);
		at += TILE;
	}
#else
	for (; pread(fd, tile, TILE, at) == TILE; at += TILE) /* FINDING holes sponge.map */
		all += sum(tile);
#endif
	printf("%lu\n", all);
	return 0;
}
