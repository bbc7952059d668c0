/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grebe.c - tiles whose names are found by a pattern each.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define TILES 400

static long find(int i)
{
	char pattern[40];
	glob_t g;
	long n;

	snprintf(pattern, sizeof(pattern), "tiles/*.%03d", i);
	if (glob(pattern, GLOB_NOSORT, NULL, &g)) /* FINDING walked - */
		errx(1, "%s: there is none", pattern);
	n = (long)g.gl_pathc;
	globfree(&g);
	return n;
}

int main(void)
{
	char name[40];
	long n = 0;
	int i;

	mkdir("tiles", 0777);
	for (i = 0; i < TILES; i++) {
		snprintf(name, sizeof(name), "tiles/%d.%03d", i * 7919 % 10007, i);
		close(open(name, O_WRONLY | O_CREAT, 0666));
	}
#ifdef FIXED
	for (i = 0; i < 1; i++)
#else
	for (i = 0; i < TILES; i++)
#endif
		n += find(i); /* FINDING walked - */
	return n < 1;
}
