/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.c - for names.t: one file by five names, and two files one after the other that may
 * have the same inode.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void once(const char *name, int flags)
{
	char buf[100] = "";
	int fd = open(name, flags, 0600);

	if (fd < 0)
		exit(1);
	if (flags & O_CREAT ? write(fd, buf, 100) != 100 : read(fd, buf, 100) < 0)
		exit(1);
	close(fd);
}

int main(void)
{
	FILE *f = fopen("data", "w");
	int i;

	if (!f || mkdir("dir", 0700))
		return 1;
	for (i = 0; i < 1000; i++)
		fprintf(f, "%011d\n", i);
	fclose(f);
	if (symlink("data", "sym") || link("data", "hard"))
		return 1;
	once("sym", O_RDONLY);
	once("hard", O_RDONLY);
	once("dir/../data", O_RDONLY);
	once("./data", O_RDONLY);
	unlink("sym");
	unlink("hard");
	unlink("data");
	once("first", O_CREAT | O_WRONLY);
	unlink("first");
	once("second", O_CREAT | O_WRONLY);
	unlink("second");
	getcwd((char[4096]){0}, 4096);
	/* no name, and an inode that the next file may get; not every file system has that */
	i = open(".", O_TMPFILE | O_RDWR, 0600);
	if (i >= 0 && (write(i, "nameless", 8) != 8 || close(i)))
		return 1;
	once("third", O_CREAT | O_WRONLY);
	return 0;
}
