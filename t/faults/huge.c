/* SPDX-License-Identifier: BSD-3-Clause */
/* huge.c - FILE, in a file system of huge pages: maps 4 MiB of it, and touches what lies at 0 and 3 MiB. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
	volatile char *p;

	if (fd < 0 || ftruncate(fd, 4 << 20))
		return 1;
	p = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return 2;
	p[0] = 1;
	p[3 << 20] = 1;
	return 0;
}
