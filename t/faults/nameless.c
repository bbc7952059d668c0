/* SPDX-License-Identifier: BSD-3-Clause */
/* nameless.c - touches three mapped files: one without a name (memfd), one in a directory (O_TMPFILE), if it can be,
   and one whose name, FILE, is removed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void touch(int fd)
{
	volatile char *p;

	if (fd < 0 || ftruncate(fd, 4096))
		exit(1);
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		exit(2);
	p[0] = 1;
}

int main(int argc, char **argv)
{
	int fd = open(".", O_TMPFILE | O_RDWR, 0600);

	if (argc < 2)
		return 3;
	if (fd >= 0) /* not every file system has it */
		touch(fd);
	touch(memfd_create("mem", 0));
	fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	if (unlink(argv[1]))
		return 4;
	touch(fd);
	return 0;
}
