/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linnet.c - four processes: each holds the lock of the ledger while it works out a price.
 *
 * build: iocc
 * as: inventory
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void lock(int fd, int type)
{
	struct flock l = {.l_type = type, .l_whence = SEEK_SET};

	if (fcntl(fd, F_SETLKW, &l))
		err(1, "lock");
}

static double price(int i)
{
	volatile double x = i;

	for (int k = 0; k < 200000; k++)
		x = x * 0.999 + k;

	return x;
}

static char lines[64 * 120];

static size_t enter(int fd, size_t n)
{
	if (n && write(fd, lines, n) < 0)
		err(1, "ledger");
	return 0;
}

static size_t settle(int fd, int i, size_t n)
{
	double x;

#ifdef FIXED
	(void)fd;
#else
	lock(fd, F_WRLCK); /* FINDING locked ledger */
#endif
	x = price(i);
	n += (size_t)snprintf(lines + n, 64, "%d %g\n", i, x);
#ifndef FIXED
	n = enter(fd, n);
	lock(fd, F_UNLCK);
#endif
	return n;
}

static void serve(void)
{
	int fd = open("ledger", O_CREAT | O_WRONLY | O_APPEND, 0644);
	size_t n = 0;

	for (int i = 0; i < 120; i++)
		n = settle(fd, i, n);
	lock(fd, F_WRLCK);
	enter(fd, n);
	lock(fd, F_UNLCK);
}

int main(void)
{
	for (int p = 0; p < 4; p++)
		if (!fork()) {
			serve();
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
