/* SPDX-License-Identifier: BSD-3-Clause */
/* estuary-lib.c - the library of estuary.c, which keeps levels and exports them. */
#include <stdio.h>
static double levels[8192];
void estuary_note(int gauge, double level)
{
	levels[gauge % 8192] = level;
}
static void row(FILE *f, int i)
{
	fprintf(f, "%d,%f\n", i, levels[i]);
}
void estuary_export(const char *name, int n);
void estuary_export(const char *name, int n)
{
	remove(name);
#ifdef FIXED
	FILE *f = fopen(name, "a");
	for (int i = 0; i < n; i++)
		row(f, i);
	fclose(f);
#else
	for (int i = 0; i < n; i++) {
		FILE *f = fopen(name, "a"); /* FINDING reopened levels.csv */
		row(f, i);
		fclose(f);
	}
#endif
}
