/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lichen.c - a map of lichens on rocks: it is drawn tile by tile, and then each lichen has its tile read,
 * changed and written by the same helpers.
 *
 * build: iocc -static
 * as: otter
 */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#define TILES	128
#define TILE	(128 << 10)
#define LICHENS	8000

static char tile[TILE];
static int map;

static void get(int n)
{
	if (pread(map, tile, TILE, (off_t)n * TILE) != TILE)
		err(1, "rocks.map");
}

static void put(int n)
{
	if (pwrite(map, tile, TILE, (off_t)n * TILE) != TILE)
		err(1, "rocks.map");
}

static void draw(void)
{
	for (int n = 0; n < TILES; n++)
		put(n);
}

static void grow(void)
{
	int there = -1;

	for (int i = 0; i < LICHENS; i++) {
		int n = i * TILES / LICHENS;

#ifdef FIXED
		if (n != there && there >= 0)
			put(there);
		if (n != there)
			get(n);
#else
		get(n);
#endif
		there = n;
		tile[i * 7919 % TILE]++;
#ifndef FIXED
		put(n); /* FINDING rewritten rocks.map */
#endif
	}
	put(there);
}

int main(void)
{
	map = open("rocks.map", O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (map < 0)
		err(1, "rocks.map");
	draw();
	grow();
	return close(map) != 0;
}
