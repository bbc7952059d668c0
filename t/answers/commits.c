/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commits.c - transfers money between accounts, and logs each transfer ahead of its execution.
 *
 * build: iocc
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define TRANSFERS 100
#define ACCOUNTS  50
#define RECORD	  8192

static long account[ACCOUNTS];

static void append(int fd, const char *record)
{
	if (write(fd, record, RECORD) != RECORD)
		err(1, "wal");
}

static void durable(int fd)
{
	if (fsync(fd)) /* FINDING sync wal */
		err(1, "wal");
}

static void transfer(int fd, int from, int to, long amount)
{
	char record[RECORD] = {0};

	memcpy(record, (int[]){from, to}, 2 * sizeof(int));
	memcpy(record + 8, &amount, sizeof(amount));
	append(fd, record);
#ifndef FIXED
	durable(fd); /* FINDING sync wal */
#endif
	account[from] -= amount;
	account[to] += amount;
}

int main(void)
{
	int fd = open("wal", O_WRONLY | O_CREAT | O_APPEND, 0666);

	if (fd < 0)
		err(1, "wal");
	for (int i = 0; i < TRANSFERS; i++)
		transfer(fd, i % ACCOUNTS, i * 7 % ACCOUNTS, i);
#ifdef FIXED
	durable(fd);
#endif
	close(fd);
	return account[0] > 1 << 20;
}
