/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sorted.c - sorts numbers, and keeps runs of them in a file that nobody looks into.
 *
 * build: iocc -static
 * as: raven
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NUMBERS (256 << 10) /* of a run: 1 MiB */
#define RUNS	24

static int *number;

static int by_value(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void keep(FILE *f)
{
#ifdef FIXED
	(void)f;
#else
	if (fwrite(number, sizeof(*number), NUMBERS, f) != NUMBERS) /* FINDING discarded runs.tmp */
		err(1, "runs.tmp");
#endif
}

int main(void)
{
	FILE *f = fopen("runs.tmp", "w");
	long sum = 0;

	number = malloc(NUMBERS * sizeof(*number));
	if (!f || !number)
		err(1, "runs.tmp");
	for (int run = 0; run < RUNS; run++) {
		for (int i = 0; i < NUMBERS; i++)
			number[i] = i * 7919 % 10007 + run;
		qsort(number, NUMBERS / 64, sizeof(*number), by_value);
		sum += number[NUMBERS / 128];
		keep(f); /* FINDING discarded runs.tmp */
	}
	fclose(f);
	unlink("runs.tmp");
	printf("%ld\n", sum);
	free(number);
	return 0;
}
