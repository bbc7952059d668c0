/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vines.c - tells others how far it has come.
 *
 * build: iocc -static
 * as: visits
 */
#include <err.h>
#include <stdio.h>

static void tell(int row, int of)
{
	FILE *f = fopen("vines.status", "w"); /* FINDING reopened|overwritten vines.status */

	if (!f)
		err(1, "vines.status");
	fprintf(f, "%d of %d\n", row, of);
	fclose(f); /* FINDING overwritten vines.status */
}

static double prune(int row)
{
	double sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += (row * i) % 7;
	return sum;
}

int main(void)
{
	double sum = 0;

	for (int row = 0; row < 2000; row++) {
		sum += prune(row);
#ifdef FIXED
		if (row % 500 == 499)
#endif
			tell(row, 2000); /* FINDING reopened|overwritten vines.status */
	}
	return sum < 0;
}
