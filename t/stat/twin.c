/* SPDX-License-Identifier: BSD-3-Clause */
/* twin.c - what t/stat/diff.t compares: twin WRITES FILE writes 100 bytes so often, and reads
   what it wrote. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void put(int fd, int n)
{
	char block[100] = "";

	while (n-- && write(fd, block, sizeof(block)) == sizeof(block)) /* put.here */
		;
}

static void get(int fd)
{
	char block[4096];

	lseek(fd, 0, SEEK_SET);
	while (read(fd, block, sizeof(block)) > 0)
		;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	char name[200];
	int fd;

	/* as programs name what is only theirs */
	snprintf(name, sizeof(name), "%s.%d", argc > 2 ? argv[2] : "data", (int)getpid());
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		return 1;
	put(fd, n);
	get(fd);
	return close(fd) || unlink(name);
}
