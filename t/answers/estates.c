/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estates.c - lays out a directory of tables, and has each on disk before it says that it did.
 *
 * build: iocc -static
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define TABLES 60

static void table(int i)
{
	static const char rows[3000];
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "estate/table.%d", i);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || write(fd, rows, sizeof(rows)) != sizeof(rows) || close(fd))
		err(1, "%s", name);
}

#ifndef FIXED
static void on_disk(int i)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "estate/table.%d", i);
	fd = open(name, O_RDONLY);
	if (fd < 0 || fsync(fd)) /* FINDING synced-files estate estate/table.~ */
		err(1, "%s", name);
	close(fd);
}
#endif

int main(void)
{
	mkdir("estate", 0777);
	for (int i = 0; i < TABLES; i++)
		table(i);
#ifdef FIXED
	syncfs(open("estate", O_RDONLY));
#else
	for (int i = 0; i < TABLES; i++)
		on_disk(i);
#endif
	puts("done");
	return 0;
}
