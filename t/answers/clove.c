/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clove.c - four threads compute the tiles of a field and put each where it belongs.
 *
 * build: iocc -static -pthread
 * as: panels
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TILE (512 * 1024)
#define TILES 160
#define THREADS 4

static int field;
static double power[THREADS];

static void make_room(void)
{
#ifdef FIXED
	if (ftruncate(field, (off_t)TILES * TILE))
		err(1, "clove.field");
#else
	static char zeros[1 << 20];

	for (off_t at = 0; at < (off_t)TILES * TILE; at += sizeof zeros)
		if (pwrite(field, zeros, sizeof zeros, at) != sizeof zeros) /* FINDING written-twice clove.field */
			err(1, "clove.field");
#endif
}

static void compute(float *tile, int n)
{
	for (size_t i = 0; i < TILE / sizeof *tile; i++)
		tile[i] = n * 0.5f + i * 1e-6f;
}

static void *work(void *arg)
{
	int who = (int)(long)arg;
	float *tile = malloc(TILE);

	for (int n = who; n < TILES; n += THREADS) {
		compute(tile, n);
		power[who] += tile[n];
		if (pwrite(field, tile, TILE, (off_t)n * TILE) != TILE) /* FINDING written-twice clove.field */
			err(1, "clove.field");
	}
	free(tile);
	return NULL;
}

static void summary(void)
{
	FILE *f = fopen("clove.sum", "w");

	if (!f)
		err(1, "clove.sum");
	for (int i = 0; i < THREADS; i++)
		fprintf(f, "%d %g\n", i, power[i]);
	fclose(f);
}

int main(void)
{
	pthread_t threads[THREADS];

	field = open("clove.field", O_CREAT | O_TRUNC | O_RDWR, 0600);
	if (field < 0)
		err(1, "clove.field");
	make_room(); /* FINDING written-twice clove.field */
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	close(field);
	summary();
	return 0;
}
