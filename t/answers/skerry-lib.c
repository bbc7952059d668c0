/* SPDX-License-Identifier: BSD-3-Clause */
/* skerry-lib.c - names are read from a descriptor, each to the newline. */
#include <unistd.h>

static int next(int fd)
{
	unsigned char c;

	return read(fd, &c, 1) == 1 ? c : -1;
}

#ifdef FIXED
static unsigned char block[65536];
static int have, at;

static int buffered(int fd)
{
	if (at == have) {
		have = read(fd, block, sizeof(block));
		at = 0;
		if (have <= 0)
			return have = 0, next(fd);
	}
	return block[at++];
}
#define next buffered
#endif
int read_name(int fd, char *name, int size)
{
	int c, n = 0;

	while ((c = next(fd)) >= 0 && c != '\n') /* FINDING single-bytes|small-reads names.txt */
		if (n < size - 1)
			name[n++] = c;
	name[n] = 0;
	return c < 0 && !n ? -1 : n;
}
