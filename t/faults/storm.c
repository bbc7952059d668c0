/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * storm.c - as many page faults as it is told, as fast as they come:
 *
 *	storm FILE FAULTS	FILE has 4 MiB
 *
 * It says READY before, waits for a line, and says afterwards how many minor faults the
 * kernel counts.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define SIZE   (4L << 20)
#define AROUND (64L << 10)

static void storm(volatile char *p, long n)
{
	for (long k = 0; k < n; madvise((void *)p, SIZE, MADV_DONTNEED))
		for (long i = 0; i < SIZE && k < n; i += AROUND, k++)
			(void)p[i];
}

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[1], O_RDONLY) : -1;
	volatile char *p = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	struct rusage before, after;

	if (fd < 0 || p == MAP_FAILED)
		return 99;
	puts("READY");
	fflush(stdout);
	getchar();
	getrusage(RUSAGE_SELF, &before);
	storm(p, atol(argv[2]));
	getrusage(RUSAGE_SELF, &after);
	printf("%ld\n", after.ru_minflt - before.ru_minflt);
	return 0;
}
