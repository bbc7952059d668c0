/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ivy.c - has another program sort the lengths of its leaves.
 *
 * build: iocc
 * as: progress
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAVES 6000

static void tell(FILE *to, int leaf)
{
	fprintf(to, "%d\n", leaf * 7919 % 10007); /* FINDING line-buffered|small-writes|piped|flushed ~pipe~ - */
}

int main(void)
{
	FILE *sort = popen("sort -n >sorted.txt", "w");

	if (!sort)
		err(1, "sort");
#ifndef FIXED
	setvbuf(sort, NULL, _IOLBF, BUFSIZ);
#endif
	for (int i = 0; i < LEAVES; i++)
		tell(sort, i); /* FINDING line-buffered|small-writes|piped|flushed ~pipe~ - */
	return pclose(sort);
}
