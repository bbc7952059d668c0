/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thrift.c - a table of few rows, each of which is written by itself.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define ROWS 700
#define ROW  60

static char table[ROWS][ROW];

static void put(int fd, const void *p, size_t size)
{
	if (write(fd, p, size) != (ssize_t)size)
		err(1, "write");
}

int main(void)
{
	int fd = open("table.txt", O_WRONLY | O_CREAT, 0644);

	memset(table, '=', sizeof(table));
#ifdef FIXED
	put(fd, table, sizeof(table));
#else
	for (int i = 0; i < ROWS; i++)
		put(fd, table[i], ROW); /* FINDING costly table.txt */
#endif
	return fd < 0 || close(fd);
}
