/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tundra.c - looks for the newest tracks in a journal, from its end on.
 *
 * build: iocc
 * input: head -c 1M /dev/zero >tracks.log
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRACK  64
#define TRACKS 16384

static char track[TRACK];

static int is_fox(const char *t)
{
	return t[0] == 'f';
}

#ifdef FIXED
static int count_foxes(FILE *log)
{
	char *all = malloc(TRACK * TRACKS);
	int n = 0;

	if (fread(all, TRACK, TRACKS, log) != TRACKS)
		err(1, "tracks.log");
	for (int i = TRACKS; i--;)
		n += is_fox(all + i * TRACK);
	free(all);
	return n;
}
#else
static int count_foxes(FILE *log)
{
	int n = 0;

	for (long i = 1; i <= TRACKS; i++) {
		fseek(log, -i * TRACK, SEEK_END); /* FINDING stream-seeks|idle-seeks tracks.log */
		if (fread(track, TRACK, 1, log) != 1) /* FINDING stream-seeks|idle-seeks tracks.log */
			err(1, "tracks.log");
		n += is_fox(track);
	}
	return n;
}
#endif

int main(void)
{
	FILE *log = fopen("tracks.log", "r");
	int n;

	if (!log)
		err(1, "tracks.log");
	n = count_foxes(log);
	fclose(log);
	return n;
}
