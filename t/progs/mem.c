/* SPDX-License-Identifier: BSD-3-Clause */
/* mem.c - mapped files and what else asks the kernel for memory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "show.h"

#define PAGE 4096

int main(void)
{
	unsigned char in_core[4];
	int fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *p, *q;

	(void)!ftruncate(fd, 4 * PAGE);
	p = PTR(mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	q = PTR(mmap64(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, PAGE));
	PTR(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, 99, 0));
	PTR(mmap(NULL, 0, PROT_READ, MAP_SHARED, fd, 0));
	PTR(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 17));
	memset(p, 'm', PAGE);
	SHOW(msync(p, PAGE, MS_SYNC));
	SHOW(msync(p + 1, PAGE, MS_SYNC));
	SHOW(madvise(p, PAGE, MADV_WILLNEED));
	SHOW(madvise(p, PAGE, 9999));
	CODE(posix_madvise(p, 4 * PAGE, POSIX_MADV_SEQUENTIAL));
	SHOW(mincore(p, PAGE, in_core));
	SHOW(mincore(p + 1, PAGE, in_core));
	SHOW(mprotect(p, PAGE, PROT_READ));
	SHOW(mprotect(p, PAGE, PROT_READ | PROT_WRITE));
	SHOW(mprotect(p + 1, PAGE, PROT_READ));
	SHOW(mprotect(p, PAGE, 77));
	GNU(SHOW(pkey_mprotect(p, PAGE, PROT_READ | PROT_WRITE, -1)));
	GNU(SHOW(pkey_mprotect(p, PAGE, PROT_READ, 99)));
	p = PTR(mremap(p, 4 * PAGE, 8 * PAGE, MREMAP_MAYMOVE));
	PTR(mremap(p + 1, PAGE, PAGE, 0));
	PTR(mremap(p, PAGE, PAGE, 100));
	SHOW(munmap(p, 8 * PAGE));
	SHOW(munmap(q, PAGE));
	SHOW(munmap(q + 1, PAGE));
	/* malloc's own */
	q = malloc(1 << 20);
	memset(q, 1, 1 << 20);
	q = realloc(q, 4 << 20);
	free(q);
	GNU(SHOW(malloc_trim(0) >= 0));
	close(fd);
	return 0;
}
