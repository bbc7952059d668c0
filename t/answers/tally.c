/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tally.c - counts what is in records, until the file ends.
 *
 * build: iocc -static
 * as: frames
 * input: head -c 16M /dev/zero >records.dat
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define RECORD 8192

static int fd;

#ifndef FIXED
static int at_end(void)
{
	off_t at = lseek(fd, 0, SEEK_CUR), size; /* FINDING idle-seeks records.dat */

	size = lseek(fd, 0, SEEK_END);	      /* FINDING idle-seeks records.dat */
	return lseek(fd, at, SEEK_SET) >= size; /* FINDING idle-seeks records.dat */
}
#endif

static ssize_t next(char *record)
{
	ssize_t n = read(fd, record, RECORD);

	if (n < 0)
		err(1, "records.dat");
	return n;
}

int main(void)
{
	static char record[RECORD];
	long sum = 0;

	fd = open("records.dat", O_RDONLY);
	if (fd < 0)
		err(1, "records.dat");
#ifdef FIXED
	while (next(record) > 0)
		sum += record[17];
#else
	while (!at_end()) { /* FINDING idle-seeks records.dat */
		next(record);
		sum += record[17];
	}
#endif
	printf("%ld\n", sum);
	return 0;
}
