/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marked.c - which pages of a file the kernel holds for used:
 *
 *	marked FILE fill	has all of FILE in the page cache, read ahead and used by nobody
 *	marked FILE		how many of its pages are there, and have been marked as
 *				referenced and as active (/proc/kpageflags)
 *
 * It ends with 77 if the kernel does not say, to this user or at all.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE	   4096L
#define REFERENCED 2			/* as linux/kernel-page-flags.h has them */
#define ACTIVE	   6

static unsigned char there[1 << 16];

static long resident(void *p, long size)
{
	long n = 0;

	if (mincore(p, (size_t)size, there))
		return -1;
	for (long i = 0; i < size / PAGE; i++)
		n += there[i] & 1;
	return n;
}

static int fill(int fd, void *p, long size)
{
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	for (int tries = 0; resident(p, size) < size / PAGE && tries < 1000; tries++) {
		readahead(fd, 0, (size_t)size);
		usleep(10000);
	}
	return resident(p, size) < size / PAGE ? 77 : 0;
}

static int count(const volatile char *p, long size)
{
	int map = open("/proc/self/pagemap", O_RDONLY), flags = open("/proc/kpageflags", O_RDONLY);
	long pages = size / PAGE, referenced = 0, active = 0;

	for (long i = 0; i < pages; i++) {
		uint64_t entry, of;

		(void)p[i * PAGE];
		if (pread(map, &entry, 8, (off_t)((uintptr_t)p / PAGE + (uintptr_t)i) * 8) != 8 || !(entry & ((1ULL << 55) - 1)) ||
		    pread(flags, &of, 8, (off_t)((entry & ((1ULL << 55) - 1)) * 8)) != 8)
			return 77;
		referenced += of >> REFERENCED & 1;
		active += of >> ACTIVE & 1;
	}
	printf("%ld pages, %ld referenced, %ld active\n", pages, referenced, active);
	return 0;
}

int main(int argc, char **argv)
{
	struct stat st;
	int fd = argc > 1 ? open(argv[1], O_RDWR) : -1;
	char *p;

	if (fd < 0 || fstat(fd, &st))
		return 99;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return 99;
	return argc > 2 && !strcmp(argv[2], "fill") ? fill(fd, p, st.st_size) : count(p, st.st_size);
}
