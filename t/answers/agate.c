/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agate.c - stamps each line of a log with the hour of the day.
 *
 * build: iocc -static
 * as: gallery
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void stamp(char *to, size_t size, time_t when)
{
	strftime(to, size, "%H:%M:%S", localtime(&when)); /* FINDING stat-storm localtime */
}

int main(void)
{
	FILE *f = fopen("agate.log", "w");
	char text[32];

	if (!f)
		err(1, "agate.log");
#ifdef FIXED
	setenv("TZ", ":/etc/localtime", 1);
#endif
	for (int i = 0; i < 100000; i++) {
		stamp(text, sizeof(text), 1000000000 + i); /* FINDING stat-storm localtime */
		fprintf(f, "%s stone %d\n", text, i);
	}
	return fclose(f) ? 1 : 0;
}
