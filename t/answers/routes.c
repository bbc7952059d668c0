/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes.c - finds the real names of files that routes are in.
 *
 * build: iocc
 * as: brook
 * input: mkdir -p north/east; for i in $(seq 40); do echo $i >north/east/$i; done; ln -s north/east ways
 */
#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES 60

static char names[41][PATH_MAX];

static const char *real(int route)
{
	char name[100];

	snprintf(name, sizeof(name), "ways/%d", route);
#ifdef FIXED
	if (names[route][0])
		return names[route];
#endif
	if (!realpath(name, names[route])) /* FINDING stat-storm|failed ways~ east~ ? ?? */
		err(1, "%s", name);
	return names[route];
}

int main(void)
{
	size_t longest = 0;

	for (int i = 0; i < QUERIES; i++)
		for (int route = 1; route <= 40; route++) {
			size_t n = strlen(real(route)); /* FINDING stat-storm|failed ways~ east~ ? ?? */

			longest = n > longest ? n : longest;
		}
	printf("%zu\n", longest);
	return 0;
}
