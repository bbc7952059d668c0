/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teal.c - lines of a track, for each of which a stream is made of the open file.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define LINES 20000

#ifndef FIXED
static void note(int fd, int i)
{
	FILE *f = fdopen(dup(fd), "a"); /* FINDING restreamed track.txt */

	if (!f)
		err(1, "track.txt");
	fprintf(f, "%d %d %d\n", i, i * 7 % 360, i * 3 % 180);
	fclose(f);
}
#endif

int main(void)
{
	int fd = open("track.txt", O_WRONLY | O_CREAT | O_APPEND, 0666), i;
#ifdef FIXED
	FILE *f = fdopen(fd, "a");

	for (i = 0; i < LINES; i++)
		fprintf(f, "%d %d %d\n", i, i * 7 % 360, i * 3 % 180);
	return fclose(f);
#else
	for (i = 0; i < LINES; i++)
		note(fd, i); /* FINDING restreamed track.txt */
	return close(fd);
#endif
}
