/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.c - keeps pages for a printer that is never there.
 *
 * build: iocc
 * as: raven
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define JOBS  4
#define PAGES 40

static char page[65536];

static void all(int fd, const char *from, size_t n)
{
	if (write(fd, from, n) != (ssize_t)n) /* FINDING discarded spool.? */
		err(1, "spool");
}

static void print(int job)
{
	char name[20];
	int fd = -1;

	snprintf(name, sizeof(name), "spool.%d", job);
#ifndef FIXED
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
#endif
	for (int i = 0; i < PAGES; i++) {
		memset(page, 'a' + i % 26, sizeof(page));
		if (fd >= 0)
			all(fd, page, sizeof(page)); /* FINDING discarded spool.? */
	}
	if (fd < 0)
		return;
	close(fd);
	remove(name);
}

int main(void)
{
	for (int job = 0; job < JOBS; job++)
		print(job);
	puts("printed");
	return page[0] == 'z';
}
