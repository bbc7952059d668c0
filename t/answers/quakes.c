/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quakes.c - writes a catalogue of earthquakes by a stream whose buffer is the program's.
 *
 * build: iocc
 * as: samples
 */
#include <err.h>
#include <stdio.h>

#define QUAKES 5000
#ifdef FIXED
#define BUFFER 65536
#else
#define BUFFER 64
#endif

static char buffer[BUFFER];

static void put(FILE *to, int number)
{
	fprintf(to, "%d,%d.%d,%d.%d,%d\n", number, number % 90, number % 7, number % 180, number % 9, number % 6); /* FINDING small-writes quakes.csv */
}

int main(void)
{
	FILE *to = fopen("quakes.csv", "w");

	if (!to)
		err(1, "quakes.csv");
	setvbuf(to, buffer, _IOFBF, BUFFER);
	for (int i = 0; i < QUAKES; i++)
		put(to, i); /* FINDING small-writes quakes.csv */
	return fclose(to);
}
