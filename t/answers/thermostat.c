/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thermostat.c - keeps its state in a file, so that it can go on.
 *
 * build: iocc -static
 */
#include <err.h>
#include <stdio.h>

#define STEPS 3000

static double state[4096];

static void save(FILE *f)
{
	rewind(f);
	if (fwrite(state, sizeof(state), 1, f) != 1 || fflush(f)) /* FINDING overwritten|flushed state.bin */
		err(1, "state.bin");
}

int main(void)
{
	FILE *f = fopen("state.bin", "w");

	if (!f)
		err(1, "state.bin");
	for (int step = 0; step < STEPS; step++) {
		for (int i = 0; i < 4096; i++)
			state[i] += i * 0.5;
#ifndef FIXED
		save(f); /* FINDING overwritten|flushed state.bin */
#endif
	}
	save(f);
	return fclose(f);
}
