/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.c - solves a small system by relaxation and writes the residue of each step into
 * a table.
 *
 * build: iocc
 */
#include <err.h>
#include <math.h>
#include <stdio.h>

#define N     64
#define STEPS 12000

static double a[N], b[N];

static double relax(void)
{
	double change = 0;

	for (int i = 1; i < N - 1; i++) {
		b[i] = (a[i - 1] + a[i + 1]) / 2;
		change += fabs(b[i] - a[i]);
	}
	for (int i = 1; i < N - 1; i++)
		a[i] = b[i];
	return change;
}

int main(void)
{
	FILE *table = fopen("residue.txt", "w");

	if (!table)
		err(1, "residue.txt");
#ifndef FIXED
	setvbuf(table, NULL, _IOLBF, 0); /* FINDING line-buffered residue.txt */
#endif
	a[0] = 1;
	for (int step = 0; step < STEPS; step++) {
		double change = relax();

		fprintf(table, "%d %g %g\n", step, change, a[N / 2]); /* FINDING line-buffered residue.txt */
	}
	if (fclose(table))
		err(1, "residue.txt");
	return 0;
}
