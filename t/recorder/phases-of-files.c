/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phases-of-files.c N CALLS - opens N files, writes them one after the other with so many calls
 * each, some of which have the name or a second descriptor in place of the first, and closes
 * them: of each file most blocks of the log have none.  One more file has a line for each.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int use(int fd, const char *name, int calls)
{
	struct stat st;

	for (int i = 0; i < calls; i++)
		if (pwrite(fd, name, 8, i * 7919L % 1000) != 8)
			return -1;
	return fstat(fd, &st) || stat(name, &st) || access(name, R_OK) ? -1 : 0;
}

static int copy(int fd)
{
	int other = dup2(fd, 500);

	return other < 0 || lseek(other, 0, SEEK_SET) || close(other) ? -1 : 0;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100, calls = argc > 2 ? atoi(argv[2]) : 1000;
	int all = open("all", O_CREAT | O_WRONLY | O_APPEND, 0600), fd[400];
	char name[40];

	if (all < 0 || n > 400)
		return 1;
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "file-%d", i);
		fd[i] = open(name, O_CREAT | O_RDWR, 0600);
		if (fd[i] < 0)
			return 1;
	}
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "file-%d", i);
		if (write(all, name, 6) != 6 || use(fd[i], name, calls) || (i % 50 == 49 && copy(fd[i])))
			return 1;
		if (i % 50 == 24 && rename(name, "renamed"))
			return 1;
	}
	for (int i = 0; i < n; i++)
		if (close(fd[i]))
			return 1;
	return close(all);
}
