/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * garnet.c - reads, sorts and stores stones; what stores them asks whether there is space.
 *
 * build: iocc
 * as: gallery
 * input: head -c 4000000 /dev/urandom >raw.dat
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#define N 100000

static uint32_t stones[1000000];

static int space(size_t n)
{
	struct statvfs s;

	return statvfs(".", &s) == 0 && s.f_bavail * s.f_bsize > n; /* FINDING stat-storm ~ */
}

static void load(void)
{
	FILE *f = fopen("raw.dat", "r");

	if (!f || fread(stones, 4, 1000000, f) != 1000000)
		err(1, "raw.dat");
	fclose(f);
}

static void save(void)
{
	FILE *f = fopen("sorted.dat", "w");

	if (!f)
		err(1, "sorted.dat");
#ifdef FIXED
	if (!space(N * 16))
		errx(1, "full");
#endif
	for (int i = 0; i < N; i++) {
#ifndef FIXED
		if (!space(16)) /* FINDING stat-storm ~ */
			errx(1, "full");
#endif
		fprintf(f, "%d %u\n", i, stones[i]);
	}
	fclose(f);
}

static int upwards(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	load();
	if (!space(sizeof(stones)))
		return 1;
	qsort(stones, 1000000, 4, upwards);
	save();
	FILE *f = fopen("sum.txt", "w");
	if (!f || !space(100))
		return 1;
	fprintf(f, "%u\n", stones[0]);
	return fclose(f) ? 1 : 0;
}
