/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spectrum.c - reads signals, transforms them, and stores of all the same frequency together.
 *
 * build: iocc -static
 * as: columns
 * input: head -c 4M /dev/zero >signals.raw
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#define SIGNALS	    64
#define FREQUENCIES 128
#define BLOCK	    16384

static float result[SIGNALS][FREQUENCIES];

static void transform(FILE *from, int signal)
{
	static float block[BLOCK];

	if (fread(block, sizeof(*block), BLOCK, from) != BLOCK)
		err(1, "signals.raw");
	for (int i = 0; i < FREQUENCIES; i++)
		result[signal][i] = block[i] * 0.5f + block[BLOCK - 1 - i];
}

static void put(FILE *to, const float *value)
{
	if (fwrite(value, sizeof(*value), 1, to) != 1) /* FINDING strided|small-writes|scattered spectrum.raw */
		err(1, "spectrum.raw");
}

static void store(FILE *to)
{
#ifdef FIXED
	for (int i = 0; i < FREQUENCIES; i++)
		for (int signal = 0; signal < SIGNALS; signal++)
			put(to, &result[signal][i]);
#else
	for (int signal = 0; signal < SIGNALS; signal++)
		for (int i = 0; i < FREQUENCIES; i++) {
			fseek(to, (long)(i * SIGNALS + signal) * (long)sizeof(float), SEEK_SET); /* FINDING strided|small-writes|scattered spectrum.raw */
			put(to, &result[signal][i]); /* FINDING strided|small-writes|scattered spectrum.raw */
		}
#endif
}

int main(void)
{
	FILE *from = fopen("signals.raw", "r"), *to = fopen("spectrum.raw", "w");

	if (!from || !to)
		err(1, "a file");
	for (int signal = 0; signal < SIGNALS; signal++)
		transform(from, signal);
	store(to);
	return fclose(to);
}
