/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seeds.c - what is known of each seed is in a file of its own, on a disk that takes its time for each.
 *
 * build: iocc -static
 * as: cells
 * with: slow-disk.c
 * input: mkdir -p seeds; i=0; while [ $i -lt 1200 ]; do echo $i >seeds/$i; cat seeds/$i >>all; i=$((i+1)); done
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slow-disk.h"

#define SEEDS 1200

static long sum;

static int find(const char *name)
{
	int fd = open(name, O_RDONLY); /* FINDING many-files seeds */

	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

static void add(int fd)
{
	char text[16384];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		sum += atol(line);
	close(fd);
}

int main(void)
{
	slow_disk_to = 1000;
	slow_disk_turns = 200000;
#ifdef FIXED
	add(find("all"));
#else
	for (int i = 0; i < SEEDS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "seeds/%d", i);
		add(find(name)); /* FINDING many-files seeds */
	}
#endif
	printf("%ld\n", sum);
	return 0;
}
