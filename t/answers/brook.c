/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * brook.c - one process measures, another one waits for what the first one stores and adds it up.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEASURED 40
#define SIZE	 (32 << 10)

static double numbers[SIZE / sizeof(double)];

static void measure(int fd)
{
	for (int i = 0; i < MEASURED; i++) {
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
		if (write(fd, numbers, SIZE) != SIZE)
			err(1, "brook.raw");
	}
}

#ifndef FIXED
static void wait_until(int fd, off_t size)
{
	struct stat is;

	do
		fstat(fd, &is); /* FINDING polled brook.raw */
	while (is.st_size < size);
}
#endif

static double add_up(int fd, int from)
{
	double sum = 0;

	for (int i = 0; i < MEASURED; i++) {
		size_t have = 0;

#ifndef FIXED
		wait_until(fd, (off_t)(i + 1) * SIZE); /* FINDING polled brook.raw */
#endif
		while (have < SIZE) {
			ssize_t n = read(from, (char *)numbers + have, SIZE - have);

			if (n <= 0)
				err(1, "brook.raw");
			have += (size_t)n;
		}
		sum += numbers[i];
	}
	return sum;
}

int main(void)
{
	int to, from, fd = -1;
#ifdef FIXED
	int ends[2];

	if (pipe(ends))
		err(1, "pipe");
	to = ends[1];
	from = ends[0];
#else
	to = open("brook.raw", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	from = fd = open("brook.raw", O_RDONLY);
#endif
	if (to < 0 || from < 0)
		err(1, "brook.raw");
	if (!fork()) {
		measure(to);
		exit(0);
	}
	close(to);
	if (add_up(fd, from) != 0)
		return 1;
	wait(NULL);
	return 0;
}
