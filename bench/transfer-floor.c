/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transfer-floor.c - the least that a recorder of calls with their begin and end costs transfer.c:
 * what bench/run-transfer compares iotrace with.
 *
 * It stands in front of libc's functions as the dynamic variant of the recorder does.  Each call
 * reads the timebase twice and stores 32 bytes in a buffer of 64 KiB, which goes to a file in
 * IOTRACE_DIR when it is full.  It knows one descriptor, no files, offsets and stacks, and
 * what it has not written yet is lost with the process.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
static inline uint64_t ticks(void)
{
	uint32_t lo, hi;

	__asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
}
#else
#error "no timebase for this processor yet"
#endif

enum { OP_READ, OP_WRITE, OP_LSEEK };

static struct {
	uint64_t start, end, what, ret;
} records[2048];
static unsigned n_records;
static int log_fd = -1;

static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_write)(int, const void *, size_t);
static off_t (*real_lseek)(int, off_t, int);

__attribute__((constructor)) static void begin(void)
{
	const char *dir = getenv("IOTRACE_DIR");
	char name[4096];

	real_read = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	real_write = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	real_lseek = (off_t(*)(int, off_t, int))dlsym(RTLD_NEXT, "lseek");
	snprintf(name, sizeof(name), "%s/floor.iotrace", dir ? dir : ".");
	log_fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
}

__attribute__((noinline)) static void flush(void)
{
	if (syscall(SYS_write, log_fd, records, sizeof(records)) != sizeof(records))
		_exit(1);
	n_records = 0;
}

static inline void record(uint64_t start, uint64_t what, int fd, long ret)
{
	uint64_t end = ticks();

	if (n_records == sizeof(records) / sizeof(records[0]))
		flush();
	records[n_records].start = start;
	records[n_records].end = end;
	records[n_records].what = what | (uint64_t)fd << 32;
	records[n_records++].ret = (uint64_t)ret;
}

ssize_t read(int fd, void *buf, size_t count)
{
	uint64_t start = ticks();
	ssize_t n = real_read(fd, buf, count);

	record(start, OP_READ, fd, n);
	return n;
}

ssize_t write(int fd, const void *buf, size_t count)
{
	uint64_t start = ticks();
	ssize_t n = real_write(fd, buf, count);

	record(start, OP_WRITE, fd, n);
	return n;
}

off_t lseek(int fd, off_t offset, int whence)
{
	uint64_t start = ticks();
	off_t at = real_lseek(fd, offset, whence);

	record(start, OP_LSEEK, fd, at);
	return at;
}
