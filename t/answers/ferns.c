/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ferns.c - looks up the names of ferns in a directory of descriptions.
 *
 * build: iocc
 * as: visits
 * input: mkdir ferns; for i in $(seq 200); do echo "fern $i" >ferns/$i.txt; done
 */
#include <dirent.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#define LOOKUPS 300

static int known[1000];

static void list(void)
{
	DIR *dir = opendir("ferns"); /* FINDING reopened ferns */
	struct dirent *e;

	if (!dir)
		err(1, "ferns");
	while ((e = readdir(dir)))
		known[atoi(e->d_name) % 1000] = 1;
	closedir(dir);
}

static int is_known(int fern)
{
#ifndef FIXED
	list(); /* FINDING reopened ferns */
#endif
	return known[fern];
}

int main(void)
{
	int there = 0;

	list();
	for (int i = 0; i < LOOKUPS; i++)
		there += is_known(i * 7 % 1000); /* FINDING reopened ferns */
	printf("%d\n", there);
	return 0;
}
