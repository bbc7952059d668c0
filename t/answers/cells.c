/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells.c - computes what happens in the cells of a plant, and keeps the result of each.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define CELLS 1200

static const char *result(int cell)
{
	static char text[200];

	snprintf(text, sizeof(text), "cell %6d: %8.3f K %8.3f Pa\n", cell, 300 + cell * 0.01,
		 1e5 - cell * 0.5);
	return text;
}

#ifdef FIXED
static void keep_all(void)
{
	FILE *f = fopen("results/cells", "w");

	if (!f)
		err(1, "results/cells");
	for (int i = 0; i < CELLS; i++)
		fputs(result(i), f);
	fclose(f);
}
#else
static void keep(int cell)
{
	char path[40];
	FILE *f;

	snprintf(path, sizeof(path), "results/%04d", cell);
	f = fopen(path, "w"); /* FINDING many-files results results/~ */
	if (!f)
		err(1, "%s", path);
	fputs(result(cell), f);
	fclose(f);
}

static void keep_all(void)
{
	for (int i = 0; i < CELLS; i++)
		keep(i); /* FINDING many-files results results/~ */
}
#endif

int main(void)
{
	if (mkdir("results", 0777))
		err(1, "results");
	keep_all();
	return 0;
}
