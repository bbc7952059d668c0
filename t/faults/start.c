/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.c - a program whose start reads much: pointers that the loader relocates, beside data that
 * nobody looks at.  Compiled as a library with -DLIBRARY, it is these.
 *
 *	start [SCRIPT] FILE	says what /proc and mincore(2) tell of FILE, which it has mapped by name:
 *
 *	there BYTES TOUCHED UNUSED	in the page cache; of them in pages that were written to, and
 *					in pages that are mapped nowhere
 */
#define N (64u << 10)			/* pointers */

#ifdef LIBRARY
const char unread[8 << 20] = { 1 };
void *pointers[N] = { [0 ... N - 1] = pointers };
const char unread_as_well[8 << 20] = { 1 };
#else
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	  4096L
#define MOST	  (1L << 16)
#define MAPPED	  (1ULL << 63)
#define OF_A_FILE (1ULL << 61)

#ifdef LINKED
extern void *pointers[N];
void *volatile *linked = pointers;	/* that the library is loaded */
#endif

static unsigned char there[MOST], is_mapped[MOST], written[MOST];

static void look_at_areas(const char *file)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	const int pagemap = open("/proc/self/pagemap", O_RDONLY);
	unsigned long from, to, offset;
	char line[5000];
	uint64_t entry;

	while (maps && fgets(line, sizeof(line), maps)) {
		line[strcspn(line, "\n")] = 0;
		if (!strstr(line, file) || sscanf(line, "%lx-%lx %*s %lx", &from, &to, &offset) != 3)
			continue;
		for (unsigned long at = from; at < to; at += PAGE) {
			const unsigned long page = (offset + at - from) / PAGE;

			if (pread(pagemap, &entry, sizeof(entry), (off_t)(at / PAGE * sizeof(entry))) != sizeof(entry))
				exit(99);
			is_mapped[page] |= !!(entry & MAPPED);
			written[page] |= entry & MAPPED && !(entry & OF_A_FILE);
		}
	}
	if (maps)
		fclose(maps);
	close(pagemap);
}

/* Pages that have a place in the page cache, though a device may not have given them yet; -1: that is
   not to be had. */
static long asked_for(int fd)
{
	const uint64_t all[2] = { 0, 0 };
	uint64_t is[5];

	return syscall(451L /* cachestat */, fd, all, is, 0) ? -1 : (long)is[0];
}

int main(int argc, char **argv)
{
	const char *file = argv[argc - 1];
	const int fd = open(file, O_RDONLY);
	long pages, n = 0, touched = 0, unused = 0;
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st))
		return 99;
	look_at_areas(file);
	pages = (st.st_size + PAGE - 1) / PAGE;
	p = mmap(NULL, (size_t)st.st_size, PROT_NONE, MAP_SHARED, fd, 0);
	/* until all that the kernel asks for has come */
	for (int i = 0; i < 100; i++) {
		mincore(p, (size_t)st.st_size, there);
		n = 0;
		for (long at = 0; at < pages; at++)
			n += there[at] & 1;
		if (n == asked_for(fd))
			break;
		usleep(100000);
	}
	for (long i = 0; i < pages; i++) {
		touched += there[i] & written[i];
		unused += there[i] & 1 && !is_mapped[i];
	}
	printf("there %ld %ld %ld\n", n * PAGE, touched * PAGE, unused * PAGE);
	fflush(stdout);
	_exit(0);
}
#endif
