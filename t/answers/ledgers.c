/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ledgers.c - books payments, of which none may be lost.
 *
 * build: iocc
 * as: commits
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PAYMENTS 400
#ifdef FIXED
#define HOW 0
#else
#define HOW O_DSYNC
#endif

static void book(int fd, int payment)
{
	char line[100];
	int n = snprintf(line, sizeof(line), "payment %d from %d to %d\n", payment, payment % 7, payment % 11);

	if (write(fd, line, (size_t)n) != n) /* FINDING sync book.log */
		err(1, "book.log");
}

int main(void)
{
	int fd = open("book.log", O_WRONLY | O_CREAT | O_TRUNC | HOW, 0666);

	if (fd < 0)
		err(1, "book.log");
	for (int i = 0; i < PAYMENTS; i++)
		book(fd, i); /* FINDING sync book.log */
	if (fsync(fd) || close(fd))
		err(1, "book.log");
	return 0;
}
