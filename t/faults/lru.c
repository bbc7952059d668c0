/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lru.c - uses a small file again and again while it goes through a large one, and says how many
 * bytes devices were asked for: memory has room for the small one, not for both.  The kernel
 * keeps what was used twice.  So if somebody marks pages of the large one as used, the small one
 * is evicted, and read again.
 *
 *	lru SMALL LARGE read|map		uses each page of LARGE once
 *	lru SMALL LARGE read|map twice		twice: as if somebody looked
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK (64L << 10)
#define PAGE  4096L
#define EACH  (16L << 20)		/* bytes of LARGE between two uses of SMALL */
#define ROUND 2

static struct file {
	int fd;
	long size;
	volatile char *p;
} small, large;
static char buf[BLOCK];

static void open_file(struct file *f, const char *name, int map)
{
	struct stat st;

	f->fd = open(name, O_RDONLY);
	if (f->fd < 0 || fstat(f->fd, &st)) {
		perror(name);
		exit(99);
	}
	f->size = (long)st.st_size;
	posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED);
	if (!map)
		return;
	f->p = mmap(NULL, (size_t)f->size, PROT_READ, MAP_SHARED, f->fd, 0);
	if (f->p == MAP_FAILED)
		exit(99);
}

static void use(const struct file *f, long from, long size)
{
	for (long at = from; at < from + size && at < f->size; at += f->p ? PAGE : BLOCK)
		if (f->p)
			(void)f->p[at];
		else if (pread(f->fd, buf, BLOCK, at) < 0)
			exit(99);
}

/* So that a page that is used again later counts as used again. */
static void forget(const struct file *f, long from, long size)
{
	if (f->p)
		madvise((void *)(f->p + from), (size_t)size, MADV_DONTNEED);
}

int main(int argc, char **argv)
{
	const int map = argc > 3 && !strcmp(argv[3], "map");
	struct rusage ru;

	if (argc < 4)
		return 99;
	open_file(&small, argv[1], map);
	open_file(&large, argv[2], map);
	for (int round = 0; round < ROUND; round++)
		for (long at = 0; at < large.size; at += EACH) {
			for (int i = 0; i < 2; i++) {
				use(&small, 0, small.size);
				forget(&small, 0, small.size);
			}
			for (int i = 0; i < (argc > 4 ? 2 : 1); i++) {
				use(&large, at, EACH);
				forget(&large, at, EACH);
			}
		}
	getrusage(RUSAGE_SELF, &ru);
	printf("%ld\n", ru.ru_inblock / 2048);
	return 0;
}
