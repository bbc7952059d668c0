/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow-disk.c - a disk of 125 MB/s, or less, for static programs: pread() as libc has it, which takes
 * 8 ms for each MB of the files that are on it.  How long it takes depends on no machine.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "slow-disk.h"

int slow_disk_from, slow_disk_to, slow_disk_takes = 8;

/* The recorder sees what the program calls, not what its disk does. */
static long kernel(long number, long a, long b, long c, long d)
{
	register long fourth __asm__("r10") = d;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
			 : "rcx", "r11", "memory");
	return ret;
}

ssize_t pread(int fd, void *buf, size_t n, off_t offset)
{
	long got = kernel(SYS_pread64, fd, (long)buf, (long)n, offset);
	struct timespec takes = {.tv_nsec = got * slow_disk_takes};

	if (got > 0 && fd >= slow_disk_from && fd < slow_disk_to)
		kernel(SYS_nanosleep, (long)&takes, 0, 0, 0);
	return got;
}
