/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c - touches pages of a mapped file that is mostly not in the page cache, and says what
 * mincore(2) shows of it:
 *
 *	found BYTES			that were there when it was mapped
 *	gained OFFSET BYTES UNUSED	a line for each range that came since then; UNUSED: those that
 *					lie in no 64 KiB of memory of which a page was touched
 *	touched BYTES			pages that were touched
 *
 *	pages FILE random|around	with MADV_RANDOM the kernel reads nothing else
 *
 * Ends with 77 if the file system keeps what is to be evicted.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE   4096L
#define AROUND (64L << 10)
#define MOST   (1L << 16)
#define WARM   3800L			/* the kernel may read 8 MiB ahead */

static int fd;
static long pages;
static unsigned char before[MOST], after[MOST], near[MOST];

static char *map(void)
{
	char *p = mmap(NULL, (size_t)(pages * PAGE), PROT_READ, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(99);
	}
	return p;
}

static void look(char *p, unsigned char *there)
{
	if (mincore(p, (size_t)(pages * PAGE), there)) {
		perror("mincore");
		exit(99);
	}
	for (long i = 0; i < pages; i++)
		there[i] &= 1;
}

/* Until all that the kernel asks for has come. */
static void look_long(char *p, unsigned char *there)
{
	static unsigned char last[MOST];

	do {
		look(p, last);
		usleep(100000);
		look(p, there);
	} while (memcmp(last, there, (size_t)pages));
}

/* What is to be there before: 40 KiB far from all that is touched. */
static void prepare(void)
{
	char buf[40 << 10];

	fdatasync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	if (pread(fd, buf, sizeof(buf), WARM * PAGE) != (ssize_t)sizeof(buf))
		exit(99);
	posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL);
}

static void touch(volatile char *p, long page)
{
	const uintptr_t at = (uintptr_t)(p + page * PAGE), from = at & -(uintptr_t)AROUND;

	(void)p[page * PAGE];
	for (long i = 0; i < pages; i++)
		near[i] |= (uintptr_t)(p + i * PAGE) - from < (uintptr_t)AROUND;
}

static void say(void)
{
	long n = 0, unused;

	for (long i = 0; i < pages; i++)
		n += before[i];
	printf("found %ld\n", n * PAGE);
	for (long i = 0, from; i < pages; i++) {
		unused = 0;
		for (from = i; i < pages && after[i] && !before[i]; i++)
			unused += !near[i];
		if (i > from)
			printf("gained %ld %ld %ld\n", from * PAGE, (i - from) * PAGE, unused * PAGE);
	}
}

int main(int argc, char **argv)
{
	static const long touched[] = { 100, 10, 300, 301 + 32, 700 };
	const unsigned n = sizeof(touched) / sizeof(*touched);
	struct stat st;
	char *p;

	fd = argc == 3 ? open(argv[1], O_RDWR) : -1;
	if (fd < 0 || fstat(fd, &st))
		return 99;
	pages = (st.st_size + PAGE - 1) / PAGE;
	prepare();
	p = map();
	look(p, before);
	for (long i = 0; i < WARM; i++)
		if (before[i])
			return 77;
	if (!strcmp(argv[2], "random"))
		madvise(p, (size_t)(pages * PAGE), MADV_RANDOM);
	for (unsigned i = 0; i < n; i++)
		touch(p, touched[i]);
	look_long(p, after);
	say();
	printf("touched %ld\n", n * PAGE);
	return 0;
}
