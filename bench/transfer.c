/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transfer.c - a file that is written from its beginning to its end in small pieces,
 * synced, and read back, as IOR does it with POSIX calls: before each transfer it seeks.
 * transfer FILE MIB BYTES: prints the time in seconds by the clock, and by the processor.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* as deep as the calls of a benchmark with several backends */
#define LEVEL __attribute__((noinline))

static char *bytes;
static size_t size;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

LEVEL static void transfer(int fd, int writes, off_t at)
{
	ssize_t n;

	if (lseek(fd, at, SEEK_SET) != at)
		fail("lseek");
	n = writes ? write(fd, bytes, size) : read(fd, bytes, size);
	if (n != (ssize_t)size)
		fail(writes ? "write" : "read");
}

LEVEL static off_t segment(int fd, int writes, off_t from, off_t end)
{
	for (; from < end; from += (off_t)size)
		transfer(fd, writes, from);
	return from;
}

LEVEL static void phase(const char *name, int writes, off_t end)
{
	int fd = open(name, writes ? O_RDWR | O_CREAT | O_TRUNC : O_RDONLY, 0644);
	off_t at = 0;

	if (fd < 0)
		fail(name);
	while (at < end)
		at = segment(fd, writes, at, at + (1 << 20));
	if (writes && fsync(fd))
		fail("fsync");
	if (close(fd))
		fail("close");
}

LEVEL static void test(const char *name, off_t end)
{
	phase(name, 1, end);
	phase(name, 0, end);
}

static double seconds(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);

	if (argc != 4) {
		fputs("usage: transfer FILE MIB BYTES\n", stderr);
		return 2;
	}
	size = strtoul(argv[3], NULL, 0);
	bytes = size ? malloc(size) : NULL;
	if (!bytes || (1 << 20) % size)
		return 2;
	memset(bytes, 'x', size);
	test(argv[1], (off_t)strtol(argv[2], NULL, 0) << 20);
	printf("%.6f %.6f\n", seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	return 0;
}
