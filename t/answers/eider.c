/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eider.c - tasks of which each has a copy of the same table, of which it reads little.
 *
 * build: iocc
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define SIZE 4194304
#define TASKS 24

static char table[SIZE];

#ifndef FIXED
static void stage(int from, const char *name)
{
	int to = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	off_t at = 0;

	if (to < 0 || copy_file_range(from, &at, to, NULL, SIZE, 0) != SIZE) /* FINDING copied-again table.bin */
		err(1, "%s", name);
	close(to);
}
#endif

int main(void)
{
	int fd = open("table.bin", O_RDWR | O_CREAT | O_TRUNC, 0666), i;
	char name[40] = "table.bin", line[64];

	if (fd < 0 || write(fd, table, SIZE) != SIZE)
		err(1, "table.bin");
	for (i = 0; i < TASKS; i++) {
		int copy;

#ifndef FIXED
		snprintf(name, sizeof(name), "table.%d", i);
		stage(fd, name); /* FINDING copied-again table.bin */
#endif
		copy = open(name, O_RDONLY);
		if (copy < 0 || pread(copy, line, sizeof(line), i * (off_t)sizeof(line)) < 0)
			err(1, "%s", name);
		close(copy);
	}
	return close(fd);
}
