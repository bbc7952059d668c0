/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * basil.c - a Monte Carlo simulation of leaves that fall, with seeds from the system.
 *
 * build: iocc
 * as: visits
 */
#include <err.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAVES 6000
#define STEPS 500
#define BINS 128

static long bins[BINS];

static inline uint64_t seed(void)
{
	uint64_t s;
	FILE *f = fopen("/dev/urandom", "r"); /* FINDING reopened urandom */

	if (!f || fread(&s, sizeof s, 1, f) != 1) /* FINDING reopened urandom */
		err(1, "/dev/urandom");
	fclose(f);
	return s | 1;
}

static inline uint64_t next(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

static double fall(uint64_t s)
{
	double x = 0;

	for (int i = 0; i < STEPS; i++)
		x += (double)(int64_t)next(&s) / 9e18;
	return x;
}

static void simulate(FILE *paths)
{
#ifdef FIXED
	uint64_t s = seed();
#endif
	for (int leaf = 0; leaf < LEAVES; leaf++) {
#ifdef FIXED
		double x = fall(next(&s));
#else
		double x = fall(seed()); /* FINDING reopened urandom */
#endif
		int bin = BINS / 2 + (int)floor(x);

		if (bin >= 0 && bin < BINS)
			bins[bin]++;
		fprintf(paths, "%d %g\n", leaf, x);
	}
}

static void report(void)
{
	FILE *f = fopen("basil.hist", "w");

	if (!f)
		err(1, "basil.hist");
	for (int i = 0; i < BINS; i++)
		fprintf(f, "%d %ld\n", i, bins[i]);
	fclose(f);
}

int main(void)
{
	FILE *paths = fopen("basil.paths", "w");

	if (!paths)
		err(1, "basil.paths");
	simulate(paths);
	fclose(paths);
	report();
	return 0;
}
