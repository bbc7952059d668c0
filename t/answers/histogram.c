/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * histogram.c - reads lines by stdio, as it comes, and writes others.
 *
 * build: iocc
 * as: backup
 * input: seq 1 200000 >numbers.txt; echo 'width 16' >histogram.conf
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#define LARGEST 200000

static int width(void)
{
	FILE *f = fopen("histogram.conf", "r");
	int n;

	if (!f || fscanf(f, "width %d", &n) != 1)
		errx(1, "histogram.conf: it has no width");
	fclose(f);
	return n;
}

int main(void)
{
	static int seen[LARGEST + 1];
	FILE *in = fopen("numbers.txt", "r"), *out = fopen("histogram.txt", "w");
	int step = width();
	char line[64];

	if (!in || !out)
		err(1, "histogram");
	while (fgets(line, sizeof(line), in)) {
		int n = atoi(line);

		if (n >= 0 && n <= LARGEST)
			seen[n / step]++;
	}
	for (int i = 0; i <= LARGEST / step; i++)
		fprintf(out, "%d %d\n", i * step, seen[i]);
	fclose(in);
	if (fclose(out))
		err(1, "histogram.txt");
	return 0;
}
