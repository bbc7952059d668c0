/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay.c - measurements go through a process that makes them smooth, as they come.
 *
 * build: iocc
 * as: magpie
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 4000

static void filter(FILE *from, FILE *to)
{
	double value, smooth = 0;

	while (fscanf(from, "%lf", &value) == 1) { /* FINDING piped - pipe~ */
		smooth = smooth * 0.9 + value * 0.1;
		fprintf(to, "%.3f\n", smooth);
	}
}

int main(void)
{
	double smooth, sum = 0;
	FILE *to, *from;
	int a[2], b[2];

	if (pipe(a) || pipe(b))
		err(1, "pipe");
	if (fork() == 0) {
		close(a[1]);
		close(b[0]);
		from = fdopen(a[0], "r");
		to = fdopen(b[1], "w");
#ifndef FIXED
		setvbuf(to, NULL, _IOLBF, 4096);
#endif
		filter(from, to); /* FINDING piped - pipe~ */
		fclose(to);
		_exit(0);
	}
	close(a[0]);
	close(b[1]);
	to = fdopen(a[1], "w");
	from = fdopen(b[0], "r");
#ifdef FIXED
	for (int i = 0; i < N; i++)
		fprintf(to, "%d\n", i % 100);
	fclose(to);
	while (fscanf(from, "%lf", &smooth) == 1)
		sum += smooth;
#else
	setvbuf(to, NULL, _IOLBF, 4096);
	for (int i = 0; i < N; i++) {
		fprintf(to, "%d\n", i % 100);
		if (fscanf(from, "%lf", &smooth) == 1) /* FINDING piped - pipe~ */
			sum += smooth;
	}
	fclose(to);
#endif
	while (wait(NULL) > 0)
		;
	printf("%g\n", sum);
	return 0;
}
