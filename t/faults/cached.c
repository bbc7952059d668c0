/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cached.c - reads and writes files, and says what of them was in the page cache:
 *
 *	cached FILE TIMES	two blocks of 64 KiB, read in turn, so often; then the page cache
 *				has no more of FILE than it had after the first
 *	cached FILE steps	a line for each call: what of it mincore(2) shows before
 *	cached FILE all		reads all of it
 *
 * Before the first two it evicts FILE, and ends with 77 if the file system keeps it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define BLOCK (64L << 10)
#define PAGE  4096L

static int fd;
static off_t size;
static unsigned char there[1 << 16];
static char buf[4 * BLOCK];

static void look(void)
{
	void *p = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED || mincore(p, (size_t)size, there)) {
		perror("mincore");
		exit(99);
	}
	munmap(p, (size_t)size);
}

static long resident(off_t offset, long n)
{
	long pages = 0;

	look();
	for (off_t i = offset / PAGE; n > 0 && i <= (offset + n - 1) / PAGE && i < (size + PAGE - 1) / PAGE; i++)
		pages += there[i] & 1;
	return pages;
}

static void evict(void)
{
	fdatasync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (resident(0, (long)size))
		exit(77);
}

/* NAME BYTES CACHED, of pages that are whole */
static void say(const char *name, long ret, long pages)
{
	char line[100];
	int n = snprintf(line, sizeof(line), "%s %ld %ld\n", name, ret, pages * PAGE > ret ? ret : pages * PAGE);

	if (write(1, line, (size_t)n) != n)
		exit(99);
}

static void steps(void)
{
	struct iovec v[2] = { { buf, 10000 }, { buf + 10000, 6384 } };
	long was;

	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	was = resident(0, BLOCK);
	say("pread", pread(fd, buf, BLOCK, 0), was);
	was = resident(0, 2 * BLOCK);
	say("pread", pread(fd, buf, 2 * BLOCK, 0), was);
	was = resident(0, 4 * BLOCK);
	say("read", read(fd, buf, 4 * BLOCK), was);
	lseek(fd, 8 * BLOCK, SEEK_SET);
	was = resident(8 * BLOCK, 16384);
	say("readv", readv(fd, v, 2), was);
	was = resident(8 * BLOCK + 8192, 16384);
	say("preadv", preadv(fd, v, 2, 8 * BLOCK + 8192), was);
	was = resident(9 * BLOCK, 16384);
	say("preadv2", preadv2(fd, v, 2, 9 * BLOCK, 0), was);
	/* across the end */
	was = resident(size - 5000, 5000);
	say("pread", pread(fd, buf, BLOCK, size - 5000), was);
	was = resident(size - 5000, 5000);
	say("pread", pread(fd, buf, BLOCK, size - 5000), was);
}

static void in_turn(long times)
{
	long before = 0, after;

	for (long i = 0; i < times; i++) {
		if (pread(fd, buf, BLOCK, i % 2 * 8 * BLOCK) != BLOCK)
			exit(99);
		if (i == 1)
			before = resident(0, (long)size);
	}
	after = resident(0, (long)size);
	if (before != after)
		printf("%ld pages more\n", after - before);
}

int main(int argc, char **argv)
{
	struct stat st;

	if (argc < 3 || (fd = open(argv[1], O_RDWR)) < 0 || fstat(fd, &st))
		return 99;
	size = st.st_size;
	if (!strcmp(argv[2], "all")) {
		while (read(fd, buf, sizeof(buf)) > 0)
			;
		return 0;
	}
	evict();
	if (!strcmp(argv[2], "steps"))
		steps();
	else
		in_turn(atol(argv[2]));
	return 0;
}
