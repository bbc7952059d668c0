/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gate.c - lets those files in that begin as they should, after it has made all of them.  Another
 * line opens the same files, and closes each.
 *
 * build: iocc
 * input: mkdir gates
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define FILES 90

static int is_valid(const char *path)
{
	char magic[4];
	int fd = open(path, O_RDONLY); /* FINDING leaked gates/~ gates */

	if (fd < 0 || read(fd, magic, sizeof(magic)) != sizeof(magic))
		err(1, "%s", path);
	if (magic[0] != 'G') {
#ifdef FIXED
		close(fd);
#endif
		return 0;
	}
	close(fd);
	return 1;
}

static void make(const char *path, const char *magic)
{
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0644);

	if (fd < 0 || write(fd, magic, 4) != 4)
		err(1, "%s", path);
	close(fd);
}

static const char *path_of(int i)
{
	static char path[32];

	snprintf(path, sizeof(path), "gates/%d", i);
	return path;
}

int main(void)
{
	int i, n = 0;

	for (i = 0; i < FILES; i++)
		make(path_of(i), i % 3 ? "Good" : "None");
	for (i = 0; i < FILES; i++)
		n += is_valid(path_of(i));
	printf("%d of %d\n", n, FILES);
	return 0;
}
