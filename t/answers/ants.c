/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ants.c - for each ant a process works out its way; all need the same map.
 *
 * build: iocc
 * as: queries
 * input: head -c 262144 /dev/zero >map.bin
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANTS 60
#define MAP  262144

static char map[MAP];

static void load(void)
{
	int fd = open("map.bin", O_RDONLY);

	if (fd < 0 || read(fd, map, MAP) != MAP) /* FINDING read-by-all map.bin */
		err(1, "map.bin");
	close(fd);
}

static int walk(int ant)
{
	int at = ant;

#ifndef FIXED
	load(); /* FINDING read-by-all map.bin */
#endif
	for (int i = 0; i < 1000; i++)
		at = (at * 31 + map[at] + 7) % MAP;
	return at & 1;
}

int main(void)
{
	int status, sum = 0;

#ifdef FIXED
	load();
#endif
	for (int i = 0; i < ANTS; i++) {
		if (fork() == 0)
			_exit(walk(i)); /* FINDING read-by-all map.bin */
		wait(&status);
		sum += WEXITSTATUS(status);
	}
	return sum > ANTS;
}
