/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stores.c - of the file that is its argument: the offsets of pages of a mapped file at which the first store faults: where the
 * kernel has large folios in its page cache, one fault maps several pages.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define PAGE 4096

static long faults(void)
{
	struct rusage of;

	getrusage(RUSAGE_SELF, &of);
	return of.ru_minflt + of.ru_majflt;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDWR) : -1;
	struct stat st;
	static char faulted[1 << 20];
	volatile char *p;

	if (fd < 0 || fstat(fd, &st) || st.st_size / PAGE > (long)sizeof(faulted))
		return 1;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return 1;
	/* these fault once as well */
	for (long i = 0; i < (long)sizeof(faulted); i += PAGE)
		faulted[i] = 0;
	faults();
	for (long i = 0; i < st.st_size / PAGE; i++) {
		const long before = faults();

		p[i * PAGE] = 'x';
		faulted[i] = faults() != before;
	}
	for (long i = 0; i < st.st_size / PAGE; i++)
		if (faulted[i])
			printf("%ld\n", i * PAGE);
	return 0;
}
