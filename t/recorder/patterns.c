/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patterns.c - calls as programs make them by the million: patterns HOW NUMBER,
 * on a file named data.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE 4096

static int fd;
static char buf[SIZE];

static void call(const char *how, long i)
{
	ssize_t done = 0;

	if (!strcmp(how, "write"))
		done = write(fd, buf, 512);
	else if (!strcmp(how, "read"))
		done = read(fd, buf, 512);
	else if (!strcmp(how, "pwrite"))
		done = pwrite(fd, buf, 64, i * 1024);
	else if (!strcmp(how, "pread"))
		done = pread(fd, buf, SIZE, i * (SIZE + 1000));
	if (done <= 0)
		exit(1);
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;

	fd = open("data", O_RDWR | O_CREAT, 0644);
	/* what is read is a hole */
	if (n <= 0 || fd < 0 || (strstr(argv[1], "read") && ftruncate(fd, (n + 1) * 2 * SIZE) < 0))
		return 1;
	for (long i = 0; i < n; i++)
		call(argv[1], i);
	return 0;
}
