/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * raven.c - keeps its state in a scratch file in each step, which nobody reads, and removes it at last.
 *
 * build: iocc -static
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char state[1 << 20];
#ifndef FIXED
static void keep(const char *name)
{
	FILE *f = fopen(name, "w");
	for (int i = 0; i < 8; i++)
		fwrite(state, 1, sizeof(state), f); /* FINDING discarded scratch.tmp */
	fclose(f);
}
#endif
int main(void)
{
	for (int step = 0; step < 12; step++) {
		for (size_t i = 0; i < sizeof(state); i++)
			state[i] = (char)(state[i] * 3 + step);
#ifndef FIXED
		keep("scratch.tmp"); /* FINDING discarded scratch.tmp */
#endif
	}
	FILE *f = fopen("final.dat", "w");
	fwrite(state, 1, sizeof(state), f);
	fclose(f);
	unlink("scratch.tmp");
	return 0;
}
