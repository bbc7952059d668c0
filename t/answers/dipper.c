/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dipper.c - looks at pools of a brook in the order of a list, a tile of a survey each.  The list says early what is needed,
 * but each tile is read from the slow disk when it is looked at.
 *
 * build: iocc -static -pthread
 * with: slow-disk.c
 * input: head -c 40M /dev/zero >survey.tiles
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "slow-disk.h"

#define TILE  65536
#define TILES 640
#define POOLS 400

static unsigned char tile[2][TILE];
static int fd;

static int place_of(int pool)
{
	return pool * 247 % TILES;
}

static void fetch(int pool)
{
	if (pread(fd, tile[pool % 2], TILE, (off_t)place_of(pool) * TILE) != TILE) /* FINDING unprefetched survey.tiles */
		err(1, "survey.tiles");
}

static unsigned long look(const unsigned char *at, unsigned long state)
{
	for (int round = 0; round < 8; round++)
		for (int i = 0; i < TILE; i++)
			state = state * 31 + at[i];
	return state;
}

#ifdef FIXED
static void *ahead(void *pool)
{
	fetch(*(int *)pool);
	return NULL;
}
#endif

int main(void)
{
	unsigned long state = 0;

	fd = open("survey.tiles", O_RDONLY);
	if (fd < 0)
		err(1, "survey.tiles");
	slow_disk_to = fd + 1;
#ifdef FIXED
	fetch(0);
	for (int pool = 0; pool < POOLS; pool++) {
		int next = pool + 1;
		pthread_t reader;

		if (next < POOLS && pthread_create(&reader, NULL, ahead, &next))
			errx(1, "pthread_create");
		state = look(tile[pool % 2], state);
		if (next < POOLS)
			pthread_join(reader, NULL);
	}
#else
	for (int pool = 0; pool < POOLS; pool++) {
		fetch(pool); /* FINDING unprefetched survey.tiles */
		state = look(tile[pool % 2], state);
	}
#endif
	printf("%lu\n", state);
	return 0;
}
