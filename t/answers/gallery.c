/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gallery.c - before it shows a picture, it asks whether its settings have changed.
 *
 * build: iocc
 * as: brook
 * input: echo dark >gallery.conf
 */
#include <err.h>
#include <stdio.h>
#include <sys/stat.h>

static long changed(void)
{
	struct stat st;

	if (stat("gallery.conf", &st)) /* FINDING stat-storm gallery.conf */
		err(1, "gallery.conf");
	return st.st_mtime;
}

static int shade(void)
{
	static long read_at;
	static int shade;
	char word[20];
	FILE *f;

#ifdef FIXED
	if (read_at)
		return shade;
#endif
	if (changed() == read_at) /* FINDING stat-storm gallery.conf */
		return shade;
	f = fopen("gallery.conf", "r");
	if (!f || fscanf(f, "%19s", word) != 1)
		errx(1, "gallery.conf");
	fclose(f);
	shade = word[0];
	read_at = changed();
	return shade;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 5000; i++)
		sum += shade() + i; /* FINDING stat-storm gallery.conf */
	printf("%ld\n", sum);
	return 0;
}
