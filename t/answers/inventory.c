/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inventory.c - four processes count what is in store, and share a file of numbers.
 *
 * build: iocc
 * input: head -c 4096 /dev/zero >stock.bin
 */
#include <err.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 4
#define ITEMS	400

static volatile long counted;

static long count(long n)
{
	for (int i = 0; i < 50000; i++)
		counted += i & n;
	return n;
}

static void add(int fd, long item, long n)
{
	long there;

#ifndef FIXED
	if (flock(fd, LOCK_EX)) /* FINDING locked stock.bin */
		err(1, "stock.bin");
#endif
	if (pread(fd, &there, sizeof(there), item * (off_t)sizeof(there)) != sizeof(there))
		err(1, "stock.bin");
	there += count(n);
	if (pwrite(fd, &there, sizeof(there), item * (off_t)sizeof(there)) != sizeof(there))
		err(1, "stock.bin");
#ifndef FIXED
	flock(fd, LOCK_UN); /* FINDING locked stock.bin */
#endif
}

static void work(int worker)
{
	static long n[8];
	int fd = open("stock.bin", O_RDWR);

	if (fd < 0)
		err(1, "stock.bin");
#ifdef FIXED
	for (int i = 0; i < ITEMS; i++)
		n[i % 8]++;
	flock(fd, LOCK_EX);
	for (long i = 0; i < 8; i++)
		add(fd, i, n[i]);
	flock(fd, LOCK_UN);
#else
	(void)n;
	for (int i = 0; i < ITEMS; i++)
		add(fd, (worker + i) % 8, 1); /* FINDING locked stock.bin */
#endif
	(void)worker;
}

int main(void)
{
	for (int i = 0; i < WORKERS; i++)
		if (fork() == 0) {
			work(i);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
