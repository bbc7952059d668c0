/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow-disk.c - a disk of 125 MB/s, or less, for static programs: pread() and pwrite() as libc has
 * them, which take 8 ms for each MB of the files that are on it, and so much for each call.  How long
 * they take depends on no machine.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "slow-disk.h"

int slow_disk_from, slow_disk_to, slow_disk_takes = 8, slow_disk_turns;

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

static ssize_t moved(int fd, long got)
{
	long ns = got * slow_disk_takes + slow_disk_turns;
	struct timespec takes = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

	if (got > 0 && fd >= slow_disk_from && fd < slow_disk_to)
		kernel(SYS_nanosleep, (long)&takes, 0, 0, 0);
	return got;
}

ssize_t pread(int fd, void *buf, size_t n, off_t offset)
{
	return moved(fd, kernel(SYS_pread64, fd, (long)buf, (long)n, offset));
}

ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset)
{
	return moved(fd, kernel(SYS_pwrite64, fd, (long)buf, (long)n, offset));
}

/* MPICH calls them by these names. */
ssize_t pread64(int fd, void *buf, size_t n, off_t offset) __attribute__((alias("pread")));
ssize_t pwrite64(int fd, const void *buf, size_t n, off_t offset) __attribute__((alias("pwrite")));
