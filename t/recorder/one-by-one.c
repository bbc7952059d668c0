/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * one-by-one.c N - makes N files, one after the other, each with some calls that have its
 * descriptor, some that have its name, and one that has both: of most files most blocks of the
 * log have none.  A file that is open all the time has a line for each.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000, all = open("all", O_CREAT | O_WRONLY | O_APPEND, 0600);
	char name[40], to[40];
	struct stat st;

	if (all < 0)
		return 1;
	for (int i = 0; i < n; i++) {
		int fd, copy;

		snprintf(name, sizeof(name), "file-%d", i);
		snprintf(to, sizeof(to), "done-%d", i);
		fd = open(name, O_CREAT | O_RDWR, 0600);
		if (fd < 0 || write(all, name, 8) != 8)
			return 1;
		for (int j = 0; j < 20; j++)
			if (pwrite(fd, name, 8, (j * 7919L) % 1000) != 8)
				return 1;
		copy = dup2(fd, 100);
		if (copy < 0 || fstat(copy, &st) || close(copy) || close(fd) || stat(name, &st) ||
		    access(name, R_OK) || rename(name, to))
			return 1;
		if (i % 7 && unlink(to))
			return 1;
	}
	return close(all);
}
